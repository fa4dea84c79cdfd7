//go:build !race

package pfnamp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/reading"
)

// oddTable is a table of a kind that makes outputs of a network contradict each other.
type oddTable struct {
	name    string
	rows    int
	columns int
	law     func(x []float64, r *rand.Rand) float64
}

var oddTables = []oddTable{
	{"step", 60, 1, func(x []float64, r *rand.Rand) float64 { return 100 * math.Round(x[0]) }},
	{"steps", 80, 3, func(x []float64, r *rand.Rand) float64 {
		return math.Floor(3*x[0]) + 2*math.Floor(3*x[1])
	}},
	{"noise", 50, 30, func(x []float64, r *rand.Rand) float64 { return r.NormFloat64() }},
	{"skew", 60, 2, func(x []float64, r *rand.Rand) float64 {
		return math.Exp(3*x[0] + r.NormFloat64())
	}},
	{"law", 40, 2, func(x []float64, r *rand.Rand) float64 { return 2*x[0] - x[1] }},
	{"bends", 100, 2, func(x []float64, r *rand.Rand) float64 {
		return math.Sin(9*x[0])*x[1] + 0.01*r.NormFloat64()
	}},
	{"series", 120, 1, func(x []float64, r *rand.Rand) float64 { return 10 * math.Sin(60*x[0]) }},
	{"constant", 20, 2, func(x []float64, r *rand.Rand) float64 { return 3 }},
	{"two rows", 2, 2, func(x []float64, r *rand.Rand) float64 { return x[0] }},
}

// table draws rows with features in [0, 1], and 40 query rows with such and 40 up to [-1, 2].
func (o oddTable) table(t *testing.T) (*Fitted, []map[string]any) {
	t.Helper()
	r := rand.New(rand.NewPCG(9, uint64(len(o.name))))
	draw := func(lo, hi float64) map[string]any {
		row, x := map[string]any{}, make([]float64, o.columns)
		for j := range x {
			x[j] = lo + (hi-lo)*r.Float64()
			row[fmt.Sprint("x", j)] = x[j]
		}
		row["y"] = o.law(x, r)
		return row
	}
	var train, query []map[string]any
	for range o.rows {
		train = append(train, draw(0, 1))
	}
	for i := range 80 {
		row := draw(float64(-(i / 40)), float64(1+i/40))
		delete(row, "y")
		query = append(query, row)
	}
	f := fitRows(t, opened(t, ""), o.name, train, FitOptions{Target: "y"})
	return f, query
}

// A distribution of the label is a mixture over what is unknown of it: with the τ-quantile Q_τ(u)
// of the posterior of the label's quantile of level u, τu <= P_0(Q_τ(u)) <= u + τ(1-u). So it is
// for every posterior of tables on which the outputs of the network contradict each other, within
// and beyond their range.
func TestLabelAndPosteriorAgree(t *testing.T) {
	levels := []float64{0.02, 0.1, 0.35, 0.5, 0.77, 0.9, 0.98}
	var functionals []amp.Functional
	for _, u := range levels {
		functionals = append(functionals, amp.Quantile{Level: u})
	}
	// 1,000 chains
	tolerance := map[Posterior]float64{Auto: 0.01, Direct: 1e-3, Paper: 0.03, Limit: 0.03}
	for _, o := range oddTables {
		f, rows := o.table(t)
		for _, level := range []float64{0.9, 0.98} {
			p := prepare(t, f, Question{Functionals: functionals, Level: level, Chains: 1000,
				Posteriors: []Posterior{Auto, Direct, Paper, Limit}})
			a := ask(t, p, rows)
			for _, posterior := range a.Posteriors {
				for k, u := range levels {
					for i, e := range posterior.Estimates[k] {
						for tau, q := range map[float64]float64{(1 - level) / 2: e.Lo, (1 + level) / 2: e.Hi} {
							at, off := a.Predictions[i].PPD, tolerance[posterior.Name]
							if c := at.CDF(q); c < tau*u-off {
								t.Errorf("%s, row %d, %s: P(y <= %v) = %.4f, least %.4f", o.name, i,
									posterior.Name, q, c, tau*u)
							}
							if c := at.CDF(math.Nextafter(q, math.Inf(-1))); c > u+tau*(1-u)+off {
								t.Errorf("%s, row %d, %s: P(y < %v) = %.4f, most %.4f", o.name, i,
									posterior.Name, q, c, u+tau*(1-u))
							}
						}
					}
				}
			}
		}
	}
}

// An interval that is narrower than the posterior of its row allows is widened, so that the central
// 90 % interval of the median lies inside it at the level 0.95; others stay.
func TestIntervalsReachPosteriors(t *testing.T) {
	d := distr.QuantilesOf([]float64{-1, 0, 1})
	s := &amp.Surface{Label: d, Surface: distr.Surface{Levels: []float64{0.1, 0.5, 0.9},
		PosteriorLevels: []float64{0.05, 0.5, 0.95}, Mean: []float64{-8, 0, 8}, Scale: 1,
		Quantiles: [][]float64{{-9, -1, 7}, {-8, 0, 8}, {-7, 1, 9}}}}
	rows := []amp.Prediction{{PPD: d, Own: s}, {PPD: d, Own: s}, {PPD: d, Own: s}, {PPD: d}}
	around := func(by float64) Interval { return Interval{Lo: -by, Hi: by} }
	intervals := []Interval{around(2), around(20), around(2), around(2)}
	reading.Reach(intervals, rows, []bool{false, false, true, false}, 0.95)
	if in := intervals[0]; in.Lo > -7.99 || in.Hi < 7.99 || in.Lo < -9 || in.Hi > 9 {
		t.Errorf("%v, the median is in -8 to 8", in)
	}
	if want := []Interval{around(20), around(2), around(2)}; !slices.Equal(intervals[1:], want) {
		t.Errorf("%v, want %v", intervals[1:], want)
	}
}
