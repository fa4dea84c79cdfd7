package pfnamp

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pfnamp/pfnamp/pfn"
)

// DefaultFolds is K of [Conformal].
const DefaultFolds = 10

// Conformal makes predictive intervals of a label with a guarantee: K-fold cross-conformal
// prediction (CV+) on quantiles. The n rows of the context are divided at random into K folds, and
// the model reads the context without each of them. With q_lo^k(x), q_hi^k(x) the central interval
// of level 1-α that the model without fold k gives at x, and k(i) the fold of row i, the scores are
//
//	R_i = max{q_lo^k(i)(x_i) - y_i, y_i - q_hi^k(i)(x_i)},
//
// and the interval at x reaches from the ⌊α(n+1)⌋-th smallest of q_lo^k(i)(x) - R_i to the
// ⌈(1-α)(n+1)⌉-th smallest of q_hi^k(i)(x) + R_i. If rows of the context and query rows are
// exchangeable, it holds a new label with probability at least [Conformal.Guarantee], whatever the
// distribution and however wrong the model; about 1-α is usual. The probability is over the draw of
// the context and the row, not at every x: it says nothing of the conditional mean.
//
// Sources: Romano, Patterson and Candès (2019), Conformalized Quantile Regression, for the score;
// Barber, Candès, Ramdas and Tibshirani (2021), Predictive inference with the jackknife+, theorem
// 4, for the combination and its guarantee.
//
// It is safe for concurrent use.
type Conformal struct {
	level    float64
	folds    []int          // of every row of the context
	scores   []float64      // R_i
	contexts []*pfn.Context // without every fold
	donors   *Donors        // of the whole context
}

// conformal readies the conformal intervals of a question.
func (f *Fitted) conformal(
	ctx context.Context, q Question, donors *Donors,
) (*Conformal, error) {
	if f.table.X.Rows == 0 {
		return nil, ErrNoTable
	}
	c, err := newConformal(ctx, f.model, f.table, q.Level, DefaultFolds, q.Seed)
	if err == nil {
		c.donors = donors
	}
	return c, err
}

// SmallTableError reports too few rows for a conformal interval of a level.
type SmallTableError struct {
	Rows, Least int
	Level       float64
}

// Error names the smallest number of rows.
func (e *SmallTableError) Error() string {
	return fmt.Sprintf("a conformal interval of level %g needs at least %d rows of context, and there "+
		"are %d", e.Level, e.Least, e.Rows)
}

// ErrNoTable reports that conformal intervals are asked of a restored state.
var ErrNoTable = errors.New("conformal intervals encode the context without some of its rows, " +
	"and need the training table: a state holds it encoded as a whole")

// leastRows is the smallest n with ⌈(1-α)(n+1)⌉ <= n: n >= (1-α)/α.
func leastRows(level float64) int {
	return max(4, int(math.Ceil(level/(1-level)-1e-9)))
}

// foldsOf divides n rows at random into folds whose sizes differ by at most one.
func foldsOf(seed uint64, n, folds int) []int {
	of := make([]int, n)
	for i, row := range rand.New(rand.NewPCG(seed, foldStream)).Perm(n) {
		of[row] = i % folds
	}
	return of
}

// foldStream tells the random stream of folds from others of the same seed.
const foldStream = 0x466f_6c64_7300_0001

// newConformal reads the context without every fold and scores the rows of that fold. It fails
// with a *SmallTableError, and with errors of the model.
func newConformal(
	ctx context.Context, m *pfn.Model, t pfn.Training, level float64, folds int, seed uint64,
) (c *Conformal, err error) {
	n := t.X.Rows
	if least := leastRows(level); n < least {
		return nil, &SmallTableError{n, least, level}
	}
	folds = min(folds, n)
	c = &Conformal{level: level, folds: foldsOf(seed, n, folds), scores: make([]float64, n)}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.Close())
		}
	}()
	for k := range folds {
		var in, out []int
		for i, fold := range c.folds {
			if fold == k {
				out = append(out, i)
			} else {
				in = append(in, i)
			}
		}
		fitted, err := m.Fit(ctx, rowsOf(t, in))
		if err != nil {
			return c, err
		}
		c.contexts = append(c.contexts, fitted)
		held := rowsOf(t, out)
		ppds, err := fitted.Predict(ctx, held.X)
		if err != nil {
			return c, err
		}
		for j, in := range centralIntervals(ppds, level) {
			c.scores[out[j]] = max(in.Lo-held.Y[j], held.Y[j]-in.Hi)
		}
	}
	return c, nil
}

// Guarantee is the least probability that an interval holds a new label,
//
//	1 - 2α - min{2(1-1/K)/(n/K+1), (1-K/n)/(K+1)}, at least 0.
func (c *Conformal) Guarantee() float64 {
	return guarantee(c.level, float64(len(c.scores)), float64(len(c.contexts)))
}

func guarantee(level, n, k float64) float64 {
	excess := math.Min(2*(1-1/k)/(n/k+1), (1-k/n)/(k+1))
	return math.Max(0, 1-2*(1-level)-excess)
}

// Folds returns K.
func (c *Conformal) Folds() int { return len(c.contexts) }

// Intervals returns the interval of every query row.
func (c *Conformal) Intervals(ctx context.Context, x pfn.Matrix) ([]Interval, error) {
	central := make([][]Interval, len(c.contexts)) // by fold and row
	for k, fitted := range c.contexts {
		rows, err := c.donors.Predictions(ctx, fitted, x, false)
		if err != nil {
			return nil, err
		}
		central[k] = centralIntervals(ppdsOf(rows), c.level)
	}
	intervals := make([]Interval, x.Rows)
	row := make([]Interval, len(central))
	for i := range intervals {
		for k := range central {
			row[k] = central[k][i]
		}
		intervals[i] = c.combine(row)
	}
	return intervals, nil
}

// combine makes the interval of one row from the central ones of all folds.
func (c *Conformal) combine(central []Interval) Interval {
	n := len(c.scores)
	low, high := make([]float64, n), make([]float64, n)
	for i, r := range c.scores {
		low[i], high[i] = central[c.folds[i]].Lo-r, central[c.folds[i]].Hi+r
	}
	slices.Sort(low)
	slices.Sort(high)
	last := max(1, int(math.Ceil(c.level*float64(n+1)-1e-9)))
	first := n + 1 - last // ⌊α(n+1)⌋, α = 1 - level
	in := Interval{low[first-1], high[last-1]}
	if in.Lo > in.Hi { // large negative scores: the model's interval is far too wide
		middle := (in.Lo + in.Hi) / 2
		in = Interval{middle, middle}
	}
	return in
}

// Close frees the contexts.
func (c *Conformal) Close() error {
	var errs []error
	for _, fitted := range c.contexts {
		errs = append(errs, fitted.Close())
	}
	return errors.Join(errs...)
}
