package pfnamp

import (
	"fmt"
	"math"

	"github.com/pfnamp/pfnamp/conformal"
	"github.com/pfnamp/pfnamp/drift"
	"github.com/pfnamp/pfnamp/pfn"
)

// shiftRows is how many times conformal.LeastRows the effective rows of a weighted context are at
// least.
const shiftRows = 3

// Shift estimates the weights of [Question.Shift]: the odds that a row is one of the batch, encoded
// by the schema, and not one of the context. Errors are [ErrNoTable] and a *drift.RowsError.
func (f *Fitted) Shift(batch pfn.Matrix, seed uint64) (*drift.Weights, error) {
	if f.table.X.Rows == 0 {
		return nil, ErrNoTable
	}
	return drift.Weigh(f.table.X, batch, f.table.Categorical, seed)
}

// ShiftError reports a context of which too few rows speak for the query rows.
type ShiftError struct {
	Rows      int     // of the context
	Effective float64 // drift.Weights.Effective
	Least     int
	Level     float64
}

// Error says how many rows speak for the query rows.
func (e *ShiftError) Error() string {
	return fmt.Sprintf("weighted conformal predictions of level %g need %d rows that speak for the "+
		"query rows, and the %d rows of context speak like %.0f: the query rows are too different",
		e.Level,
		e.Least, e.Rows, e.Effective)
}

// weigh replaces the calibration by a weighted one, if the question asks for that.
func (c *Conformal) weigh(m calibrating, foldOf []int, scores []float64) error {
	w := m.question.Shift
	if w == nil {
		return nil
	}
	least := shiftRows * conformal.LeastRows(c.level)
	if len(w.Context) != len(scores) {
		return optionError("Shift", "the weights are those of another context: make them with "+
			"Fitted.Shift")
	}
	if w.Effective() < float64(least) {
		return &ShiftError{Rows: len(scores), Effective: w.Effective(), Least: least, Level: c.level}
	}
	c.shift = w
	c.weighted = conformal.NewWeighted(c.level, foldOf, scores, w.Context)
	return nil
}

// Effective is how many rows of the context speak for the query rows, NaN without weights.
func (c *Conformal) Effective() float64 {
	if c.shift == nil {
		return math.NaN()
	}
	return c.shift.Effective()
}

// weights are those of query rows, nil where all rows count equally.
func (c *Conformal) weights(x pfn.Matrix) []float64 {
	if c.shift == nil {
		return nil
	}
	return c.shift.At(x)
}
