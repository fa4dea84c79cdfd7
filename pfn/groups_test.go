package pfn

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pfnamp/pfnamp/distr"
)

// groups is a table of codes of so many groups, each with an effect, and of a number. It returns
// the means of the target, the effects plus the number, of the groups' first rows.
func groups(count, rows int) (t Training, means []float64) {
	r := rand.New(rand.NewPCG(5, uint64(count)))
	effects := make([]float64, count)
	for k := range effects {
		effects[k] = r.NormFloat64()
	}
	t = Training{X: Matrix{Rows: rows, Cols: 2, Data: make([]float64, 2*rows)},
		Categorical: []bool{true, false}, Y: make([]float64, rows)}
	for i := range rows {
		k, x := i%count, r.NormFloat64()
		copy(t.X.Row(i), []float64{float64(k), x})
		t.Y[i] = effects[k] + x
		if i < count {
			means = append(means, t.Y[i])
		}
	}
	return t, means
}

// TestGroupsAreCovered compares means and probabilities of groups of few rows with their 90 %
// intervals. Without the doubt about levels, 38 % and 65 % of these are right.
func TestGroupsAreCovered(t *testing.T) {
	table, means := groups(60, 480)
	r := rand.New(rand.NewPCG(6, 6))
	labels := table
	labels.Y = make([]float64, len(table.Y))
	for i, mean := range table.Y {
		if r.Float64() < distr.Logistic(mean) {
			labels.Y[i] = 1
		}
		table.Y[i] += 0.7 * r.NormFloat64()
	}
	asked := table.X.Span(0, len(means))
	numbers := results(t, fit(t, embedded(t, "default"), table), asked)
	classes := results(t, fit(t, embedded(t, "classifier"), labels), asked)
	var right [2]float64
	for i, mean := range means {
		surface, shares := numbers[i].Own.(*distr.Surface), classes[i].Own.(*distr.ClassPosterior)
		for k, told := range []struct {
			truth             float64
			levels, quantiles []float64
		}{{mean, surface.PosteriorLevels, surface.Mean},
			{distr.Logistic(mean), shares.Levels, shares.Quantiles[1]}} {
			m := middleOf(told.levels)
			if told.quantiles[m.lo] <= told.truth && told.truth <= told.quantiles[m.hi] {
				right[k] += 1 / float64(len(means))
			}
		}
	}
	if math.Min(right[0], right[1]) < 0.75 {
		t.Errorf("intervals hold %.2f of the means and %.2f of the probabilities", right[0], right[1])
	}
}
