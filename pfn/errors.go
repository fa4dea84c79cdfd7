package pfn

import (
	"errors"
	"fmt"
	"math"

	"github.com/pfnamp/pfnamp/models"
)

// ErrClosed is returned by a Model or Context that has been closed.
var ErrClosed = errors.New("pfn: used after close")

// BundleError says that a model bundle cannot be used; see models.Error.
type BundleError = models.Error

// InputError reports that a cell, a column or a whole table cannot be used.
type InputError struct {
	Table string // "context" or "query"
	Row   int    // row from 0, or -1
	Col   int    // feature column from 0, or -1 for the target or the whole table
	Msg   string // what is wrong
}

// Error returns "context row 3, feature 1: what is wrong", counting from 0.
func (e *InputError) Error() string {
	where := e.Table
	if e.Row >= 0 {
		where += fmt.Sprintf(" row %d", e.Row)
	}
	if e.Col >= 0 {
		where += fmt.Sprintf(", feature %d", e.Col)
	}
	return where + ": " + e.Msg
}

// LimitError reports that a table is smaller or larger than the model allows.
type LimitError struct {
	What     string // "rows", "features" or "classes"
	Got      int
	Min, Max int    // bounds of the model
	Model    string // name and version of the model
}

// Error returns the size of the table and the limits. Hint has the remedy.
func (e *LimitError) Error() string {
	return fmt.Sprintf("the context has %s: model %s takes %d to %d", e.count(e.Got), e.Model, e.Min,
		e.Max)
}

func (e *LimitError) count(n int) string {
	if n == 1 {
		return map[string]string{"rows": "1 row", "features": "1 feature", "classes": "1 class"}[e.What]
	}
	return fmt.Sprintf("%d %s", n, e.What)
}

// Hint returns what to do about it.
func (e *LimitError) Hint() string {
	switch {
	case e.Got < e.Min:
		return "use at least " + e.count(e.Min)
	case e.What == "classes":
		return "merge rare classes; for a numeric target use a model for regression"
	case e.What == "rows":
		return "use a random subset of the rows, or a model for larger tables"
	}
	return "drop features with little information, or use a model for wider tables"
}

// NoDirectError reports that a model has no posterior of its own, neither a surface nor a posterior
// of class probabilities, see Model.Own; or that it has one, and so no companion.
type NoDirectError struct {
	Model string // name and version of the model
	Own   bool   // it has one
}

// Error names the model; Hint has the remedy.
func (e *NoDirectError) Error() string {
	if e.Own {
		return fmt.Sprintf("model %s has no companion: its posterior is its own", e.Model)
	}
	return fmt.Sprintf("model %s has no posterior of its own: its network has one output, the "+
		"label's distribution", e.Model)
}

// Hint returns what to do about it.
func (e *NoDirectError) Hint() string {
	if e.Own {
		return "use the posterior direct"
	}
	return "use the posterior companion, paper or limit"
}

// TaskError reports that a classifier was asked for the distribution of a number, or a model for
// regression for class probabilities; see Model.Classifier.
type TaskError struct {
	Model      string // name and version of the model
	Classifier bool   // the model is a classifier
}

// Error names the model and its task; Hint has the remedy.
func (e *TaskError) Error() string {
	if e.Classifier {
		return fmt.Sprintf("model %s predicts classes, not numbers", e.Model)
	}
	return fmt.Sprintf("model %s predicts numbers, not classes", e.Model)
}

// Hint returns what to do about it.
func (e *TaskError) Hint() string {
	if e.Classifier {
		return "use a model for regression, such as the embedded one"
	}
	return "use a classifier: a bundle for the task classification"
}

// ModelError reports that the network returned invalid output.
type ModelError struct {
	Model string // name and version of the model
	Msg   string
}

// Error returns one line that names the model.
func (e *ModelError) Error() string {
	return fmt.Sprintf("model %s fails: %s", e.Model, e.Msg)
}

// tooLarge replaces an error of the model by an *InputError about the first cell that is infinite
// as a float32, if there is one. Pipelines other than those of TabICL may pass features through,
// and not every network can read them.
func (m *Model) tooLarge(err error, x Matrix, table string) error {
	_, faulty := errors.AsType[*ModelError](err)
	if _, scaled := m.family.(tabiclFamily); !faulty || scaled {
		return err
	}
	for k, v := range x.Data {
		if math.IsInf(float64(float32(v)), 0) {
			return &InputError{Table: table, Row: k / x.Cols, Col: k % x.Cols, Msg: fmt.Sprintf(
				"%g is too large for model %s, which reads 32-bit numbers; use another unit for the "+
					"feature", v, m.Name())}
		}
	}
	return err
}
