package explain

import (
	"context"
	"fmt"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/pfn"
)

// ImportanceOptions say how to compute importances. The zero value is ready for use.
type ImportanceOptions struct {
	// Correlated is the average correlation from which on columns form a group, in (0, 1]; 0 means
	// DefaultCorrelated, and 1 groups columns only where they tell each other exactly.
	Correlated float64
	Level      float64 // of intervals; 0 means amp.DefaultLevel
	Workers    int     // goroutines, 0 for one per processor; they change no result
	Seed       uint64  // draws folds, replaced cells and the weights of the bootstrap
	// Report is called with the rows that the network has answered for, and how many there will be
	// about.
	Report func(done, all int)
}

// Bounds of what is computed.
const (
	// DefaultCorrelated is the default of ImportanceOptions.Correlated.
	DefaultCorrelated = 0.8
	// LeastImportanceRows is the least number of rows that importances can be learned from.
	LeastImportanceRows = 20

	importanceFolds = 5
	askedRows       = 20_000 // of the network, about, over which draws of replaced cells are spread
	leastReplaced   = 2      // draws of the replaced cells of a row
	mostReplaced    = 8
)

// Importance says how much worse predictions get without columns. The rows of the context are
// divided into folds, by [pfnamp.Fitted.Division] where there are groups or times. The model reads
// the context without each of them. For the rows of a fold it predicts the label y_i from all cells
// x_i, and again with the cell x_ij of one column replaced. The draws x̃_ijr in its place come from
// rows of the other folds that are alike in all other columns (conditional permutation; Strobl and
// others 2008, and package donors). With a score S, smaller is better, of the predictive
// distribution P,
//
//	gain  = mean_i S(P(. | x_i without x_ij), y_i) - S(P(. | x_i), y_i)
//	noise = mean_i S(P(. | x_i without x_ij), y_i) - mean_r S(P(. | x_i with x̃_ijr), y_i)
//
// where P(. | x_i without x_ij) = mean_r P(. | x_i with x̃_ijr). If the column says nothing
// about the label that the others do not say, x_ij and x̃_ijr are exchangeable. Then the column
// gains noise: a little below 0, because a model that reads such a column makes larger errors.
// Above is the posterior probability that the expected gain is larger. It is the test of
// conditional independence of Watson and Wright (2021). All scores are of rows that the model has
// not read, so a model that learns noise by heart finds no importance.
type Importance struct {
	Rows  int    // of the context that were predicted
	Left  int    // rows that were left out, as no other row has their class
	First int    // rows that were only read, as no row comes before them in time
	Folds int    // as many as the rows were divided into
	Draws int    // of the replaced cells of every row
	Score string // CRPS or LogLoss
	// Explained is R² of numbers, 1 - Σ (y_i - m_i)² / Σ (y_i - ȳ)² with the means m_i of the
	// predictions and the mean ȳ of the other folds; of classes the same of log losses.
	Explained Measure
	Loss      Measure           // mean score with all columns
	Groups    []GroupImportance // the most important first
}

// Measure is a number with its interval, from the Bayesian bootstrap over rows (Rubin 1981). If
// folds are whole groups, the bootstrap is over groups, because rows of a group are not
// independent.
type Measure struct{ Point, Lo, Hi float64 }

// GroupImportance is the importance of one column, or of several correlated columns.
type GroupImportance struct {
	Columns []string
	Share   Measure // of Explained that is lost without them; NaN unless Explained.Lo is above 0
	Gain    Measure // see Importance
	Noise   float64 // gain of columns of noise that are related to the others as these are
	Above   float64 // probability that the expected gain is above that of noise
	Told    float64 // largest share of a column's variance that columns outside of the group explain
}

// FewRowsError reports a context that is too small for importances.
type FewRowsError struct{ Rows int }

// Error names the least number of rows.
func (e *FewRowsError) Error() string {
	return fmt.Sprintf("importance is measured on rows that the model has not read, and needs at "+
		"least %d rows of at least two labels that are not unique; there are %d",
		LeastImportanceRows, e.Rows)
}

// NewImportance measures the importance of every column. Errors are a *FewRowsError, a
// *pfn.StateError of a state of an early version, which keeps no rows, a *folds.GroupsError or
// *folds.TimesError, and those of the network.
func NewImportance(
	ctx context.Context, f *pfnamp.Fitted, opt ImportanceOptions,
) (*Importance, error) {
	rows := f.ContextRows()
	if rows.X.Rows == 0 {
		return nil, &pfn.StateError{Msg: "the state keeps no rows of its table, which importance is " +
			"measured on; fit again"}
	}
	division := f.Division()
	if division.Groups != nil || division.Times != nil {
		rows, _ = f.WholeContext() // whose groups or times these are
	}
	m := &measuring{model: f.Model(), rows: rows, options: opt.complete(), division: division,
		score: crpsScore{f.Support()}}
	if n := len(f.Classes()); n > 0 {
		m.classes = m.dropSingles(n)
		m.score = logScore{m.classes}
	}
	if m.rows.X.Rows < LeastImportanceRows || m.classes == 1 {
		return nil, &FewRowsError{m.rows.X.Rows}
	}
	m.groups = groupsOf(f.Schema(), m.rows, m.options.Correlated)
	if err := m.run(ctx); err != nil {
		return nil, err
	}
	return m.importance(), nil
}
