package heldout

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/drift"
	"github.com/pfnamp/pfnamp/folds"
	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/internal/must"
)

var worlds = flag.Int("worlds", 40, "simulated shifts of the test of weights")

// noisyWorld draws rows whose noise grows along the first feature, which is shifted in the batch.
func noisyWorld(random *rand.Rand, rows int, shift float64) (x drift.Matrix, y []float64) {
	const columns = 4
	x = drift.Matrix{Rows: rows, Cols: columns, Data: make([]float64, rows*columns)}
	for i := range rows {
		row := x.Row(i)
		for j := range row {
			row[j] = random.NormFloat64()
		}
		row[0] += shift
		noise := 0.3 * math.Exp(0.6*row[0])
		y = append(y, row[0]+row[1]+noise*random.NormFloat64())
	}
	return x, y
}

// Of a model that does not know where the noise is large, conformal intervals over a shifted batch
// hold fewer than .80 of the labels, and weighted ones .87 to .93. Without a shift both hold about
// .90.
func TestWeightedCoverage(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 8))
	for _, c := range []struct{ shift, low, high float64 }{{0, 0.88, 0.92}, {1.2, 0, 0.8}} {
		plain, weighted, effective := 0.0, 0.0, 0.0
		for s := range *worlds {
			a, y := noisyWorld(random, 500, 0)
			b, labels := noisyWorld(random, 500, c.shift)
			foldOf := folds.Stratified(uint64(s), make([]int, a.Rows), 10)
			scores := make([]float64, a.Rows)
			for i := range scores { // the model knows the mean and nothing else
				mean := a.Row(i)[0] + a.Row(i)[1]
				scores[i] = distr.Interval{Lo: mean, Hi: mean}.Miss(y[i])
			}
			w, err := drift.Weigh(a, b, make([]bool, a.Cols), uint64(s))
			must.Succeed(t, err)
			one := newCalibration(0.9, 10, matrix.Upto(a.Rows), foldOf, scores, nil)
			other := newCalibration(0.9, 10, matrix.Upto(a.Rows), foldOf, scores, w.Context)
			at, central := w.At(b), make([]distr.Interval, 10)
			each := 1 / float64(b.Rows**worlds)
			for i, label := range labels {
				mean := b.Row(i)[0] + b.Row(i)[1]
				for k := range central {
					central[k] = distr.Interval{Lo: mean, Hi: mean}
				}
				if in := one.interval(central, 1); in.Lo <= label && label <= in.Hi {
					plain += each
				}
				if in := other.interval(central, at[i]); in.Lo <= label && label <= in.Hi {
					weighted += each
				}
			}
			effective += w.Effective() / float64(*worlds)
		}
		t.Logf("shift %v: unweighted intervals hold %.3f of the labels, weighted ones %.3f; 500 rows "+
			"speak like %.0f", c.shift, plain, weighted, effective)
		if plain < c.low || plain > c.high || weighted < 0.87 || weighted > 0.93 {
			t.Error("out of bounds")
		}
	}
}

// Rows without weight do not count, and a query row that outweighs the context has the
// widest interval.
func TestWeights(t *testing.T) {
	foldOf, scores := []int{0, 0, 0, 0, -1}, []float64{1, 2, 3, 4, 99}
	central := []distr.Interval{{Lo: 0, Hi: 0}}
	w := newCalibration(0.5, 1, matrix.Upto(5), foldOf, scores, []float64{1, 1, 0, 0, 5})
	if in := w.interval(central, 0); in != (distr.Interval{Lo: -1, Hi: 1}) {
		t.Error(in)
	}
	w = newCalibration(0.5, 1, matrix.Upto(5), foldOf, scores, []float64{0, 0, 1, 1, 5})
	for _, weight := range []float64{1, 9} {
		if in := w.interval(central, weight); in != (distr.Interval{Lo: -4, Hi: 4}) {
			t.Error(in)
		}
	}
	if w.usual([]float64{5}, 0) || !w.usual([]float64{3.5}, 1) {
		t.Error("sets")
	}
}
