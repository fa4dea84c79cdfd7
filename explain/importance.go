package explain

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/joint"
)

// ImportanceOptions are options of [NewImportance]. The zero value is ready for use.
type ImportanceOptions struct {
	// Correlated is the average correlation at which columns form a group, in (0, 1]. 0 means
	// DefaultCorrelated; 1 groups only columns that determine each other.
	Correlated float64
	Level      float64 // probability of intervals, in (0, 1); 0 means amp.DefaultLevel
	Workers    int     // number of goroutines, 0 for one per processor; it does not change results
	Seed       uint64  // seed of folds, replaced cells and bootstrap weights
	// Report is called with the number of rows that the network has answered, and the expected total.
	Report func(done, all int)
}

// Bounds of what is computed.
const (
	// DefaultCorrelated is the default of ImportanceOptions.Correlated.
	DefaultCorrelated = 0.8
	// LeastImportanceRows is the smallest number of rows for which importance is computed.
	LeastImportanceRows = 20

	importanceFolds = 5
	askedRows       = 20_000 // of the network, about, over which draws of replaced cells are spread
	leastReplaced   = 2      // draws of the replaced cells of a row
	mostReplaced    = 8
)

// Importance is how much worse predictions get without a column. The rows of the context are
// divided into folds, by [pfnamp.Fitted.Division] if there are groups or times. For each fold, the
// model reads the other folds. It predicts the label y_i of a row of the fold from all cells x_i,
// and again with the cell x_ij of one column replaced. The replacements x̃_ijr come from rows of
// the other folds that are alike in all other columns (conditional permutation; Strobl and others
// 2008, and package donors). With a score S of the predictive distribution P (smaller is better),
//
//	gain  = mean_i S(P(. | x_i without x_ij), y_i) - S(P(. | x_i), y_i)
//	noise = mean_i S(P(. | x_i without x_ij), y_i) - mean_r S(P(. | x_i with x̃_ijr), y_i)
//
// where P(. | x_i without x_ij) = mean_r P(. | x_i with x̃_ijr). If the column adds nothing about
// the label to the other columns, x_ij and x̃_ijr are exchangeable. Then its gain is noise: a
// little below 0, because a model that reads noise makes larger errors. Above is the
// posterior probability that the expected gain is larger than noise. This is the test of
// conditional independence by Watson and Wright (2021). All scores are for rows that the model has
// not read, so overfitting does not create importance.
type Importance struct {
	Rows  int    // number of predicted rows
	Left  int    // number of rows left out because no other row has their class
	First int    // number of rows that are only read because no row comes before them in time
	Folds int    // number of folds
	Draws int    // number of replacements per cell
	Score string // CRPS or LogLoss
	// Explained is R² of numbers, 1 - Σ (y_i - m_i)² / Σ (y_i - ȳ)² with the means m_i of the
	// predictions and the mean ȳ of the other folds; of classes the same of log losses.
	Explained Measure
	Loss      Measure           // mean score with all columns
	Groups    []GroupImportance // the most important first
}

// Measure is a number with its interval, from the Bayesian bootstrap over rows (Rubin 1981), raised
// by √(1 + K/(K-1)) for K folds, because other tables give other models (Nadeau and Bengio 2003).
// If folds are whole groups, the bootstrap is over groups, because rows of a group are not
// independent.
type Measure struct{ Point, Lo, Hi float64 }

// MarshalJSON writes null for a measure of NaN, which JSON has not.
func (m Measure) MarshalJSON() ([]byte, error) {
	if math.IsNaN(m.Point) {
		return []byte("null"), nil
	}
	return json.Marshal(map[string]float64{"Point": m.Point, "Lo": m.Lo, "Hi": m.Hi})
}

// GroupImportance is the importance of one column, or of several correlated columns.
type GroupImportance struct {
	Columns []string
	Share   Measure // share of Explained that is lost without them; NaN unless Explained.Lo > 0
	Gain    Measure // see Importance; in units of the score
	Noise   float64 // gain of noise columns with the same relation to the other columns
	Above   float64 // probability that the expected gain is above Noise, in [0, 1]
	Told    float64 // largest share of a column's variance that columns outside the group explain
}

// FewRowsError reports a context that is too small for importance.
type FewRowsError struct{ Rows int }

// Error names the least number of rows.
func (e *FewRowsError) Error() string {
	return fmt.Sprintf("importance needs at least %d rows, and labels of at least two classes that "+
		"occur more than once; there are %d such rows", LeastImportanceRows, e.Rows)
}

// NewImportance measures the importance of every column. Errors are a *FewRowsError, a
// *folds.GroupsError or *folds.TimesError, and errors of the network.
func NewImportance(
	ctx context.Context, f *pfnamp.Fitted, opt ImportanceOptions,
) (*Importance, error) {
	rows := f.ContextRows()
	whole, division, _ := f.WholeContext()
	if division.Groups != nil || division.Times != nil {
		rows = whole // whose groups or times these are
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
	m.groups = groupsOf(f.Schema(), m.rows, m.options)
	if err := m.run(ctx); err != nil {
		return nil, err
	}
	return m.importance(), nil
}

// Record lists the groups. Its columns are column (the names of a group joined by " + "), share,
// share_lo, share_hi, above_noise, gain, gain_lo, gain_hi, gain_noise and told. [GroupImportance]
// explains them. The caller releases the record.
func (i *Importance) Record() arrow.RecordBatch {
	fields := []arrow.Field{{Name: "column", Type: arrow.BinaryTypes.String}}
	for _, name := range []string{"share", "share_lo", "share_hi", "above_noise", "gain", "gain_lo",
		"gain_hi", "gain_noise", "told"} {
		fields = append(fields,
			arrow.Field{Name: name, Type: arrow.PrimitiveTypes.Float64, Nullable: true})
	}
	lines := joint.NewLines(arrow.NewSchema(fields, nil))
	for _, g := range i.Groups {
		lines.Add(g.Name(), g.Share.Point, g.Share.Lo, g.Share.Hi, g.Above, g.Gain.Point, g.Gain.Lo,
			g.Gain.Hi, g.Noise, g.Told)
	}
	return lines.Record()
}

// Name joins the columns of a group.
func (g GroupImportance) Name() string { return strings.Join(g.Columns, " + ") }

// Surely reports whether the columns are above noise with a probability of 0.95 or more. At most
// one in twenty columns of noise reaches that.
func (g GroupImportance) Surely() bool { return g.Above >= 0.95 }
