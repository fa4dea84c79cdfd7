package heldout

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/folds"
)

// repeats is how often a simulation draws a table and a new row.
const repeats = 3000

// grouped calibrates every group.
func grouped(
	level float64, count int, foldOf, groups []int, scores []float64,
) (all []*calibration) {
	for _, listed := range folds.ByGroup(groups) {
		all = append(all, newCalibration(level, count, listed, foldOf, scores, nil))
	}
	return all
}

// folded scores a crude interval, the central quantiles of the labels of the other folds of all
// groups, and returns the interval of a new row of a group.
func folded(
	y []float64, groups []int, group int, level float64, count int, shrink float64, seed uint64,
) distr.Interval {
	foldOf, scores := folds.Stratified(seed, groups, count), make([]float64, len(y))
	central := make([]distr.Interval, count)
	for k := range count {
		fold := folds.List(foldOf, count)[k]
		held, others := fold.Held, fold.Read
		var read []float64
		for _, row := range others {
			read = append(read, y[row])
		}
		slices.Sort(read)
		tail := (1 - level) / 2
		at := func(p float64) float64 { return read[int(p*float64(len(read)-1))] }
		central[k] = distr.Interval{Lo: shrink * at(tail), Hi: shrink * at(1-tail)}
		for _, row := range held {
			scores[row] = central[k].Miss(y[row])
		}
	}
	return grouped(level, count, foldOf, groups, scores)[group].interval(central, 1)
}

// Intervals that are far too narrow, or too wide, come to hold a label about as often as the level
// says, whatever its distribution.
func TestIntervalCoverage(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for name, draw := range map[string]func() float64{
		"normal": random.NormFloat64, "skewed": random.ExpFloat64,
		"cauchy": func() float64 { return math.Tan(math.Pi * (random.Float64() - 0.5)) },
	} {
		for _, shrink := range []float64{0.2, 1, 5} {
			for _, n := range []int{12, 60} {
				held := 0
				for r := range repeats {
					y := make([]float64, n)
					for i := range y {
						y[i] = draw()
					}
					in := folded(y, make([]int, n), 0, 0.9, min(10, n), shrink, uint64(r))
					if in.Lo > in.Hi {
						t.Fatalf("%+v", in)
					}
					if label := draw(); in.Lo <= label && label <= in.Hi {
						held++
					}
				}
				// The promise is Guarantee(...); what CV+ does in practice is the level or a little more.
				t.Logf("%s, n = %d, width x %v: %.3f", name, n, shrink, float64(held)/repeats)
				if got := float64(held) / repeats; got < 0.885 || got > 0.97 {
					t.Errorf("%s, n = %d, width x %v: %.3f of the labels inside", name, n, shrink, got)
				}
			}
		}
	}
}

// The tiniest level has an interval.
func TestATinyLevel(t *testing.T) {
	y := []float64{5, 3, 1, 2, 4, 8, 7, 6}
	if in := folded(y, make([]int, 8), 0, 1e-12, 4, 1, 1); !(in.Lo <= in.Hi) {
		t.Errorf("%+v", in)
	}
}
