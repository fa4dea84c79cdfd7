package main

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/evaluate"
)

// Probabilities have the sum 1, every class has a row, and labels have the probabilities.
func TestClassWorlds(t *testing.T) {
	for _, k := range families() {
		for _, classes := range []int{2, 4} {
			w := k.classWorld(rand.New(rand.NewPCG(1, uint64(classes))), [3]int{3, 2000, classes}, 1500)
			shares, means := make([]float64, classes), make([]float64, classes)
			for _, row := range w.p {
				sum := 0.0
				for c, v := range row {
					sum += v
					means[c] += v / float64(len(w.p))
				}
				if math.Abs(sum-1) > 1e-9 {
					t.Fatalf("%s: probabilities with the sum %v", k.name, sum)
				}
			}
			for _, y := range w.train.Y {
				shares[int(y)] += 1 / float64(len(w.train.Y))
			}
			for c, share := range shares {
				if share == 0 || math.Abs(share-means[c]) > 0.06 {
					t.Errorf("%s, class %d: share %v, mean probability %v", k.name, c, share, means[c])
				}
			}
		}
	}
	y := labels(rand.New(rand.NewPCG(1, 2)), [][]float64{{1, 0, 0}, {1, 0, 0}, {1, 0, 0}})
	if lacking(y, 3) != nil {
		t.Errorf("labels %v", y)
	}
}

// The truth is no error, and shares are one.
func TestClassWorldCompare(t *testing.T) {
	w := classWorld{p: [][]float64{{0.25, 0.75}}}
	var exact, off evaluate.Tally
	for tally, q := range map[*evaluate.Tally][]float64{&exact: {0.25, 0.75}, &off: {0.5, 0.5}} {
		w.compare(tally, &evaluate.Task{Predictions: []amp.Prediction{{PPD: distr.Classes(q)}}})
	}
	want := []float64{0, 0, 0.25, 0.25*math.Log(0.5) + 0.75*math.Log(1.5)}
	for i, m := range append(exact.Measures(), off.Measures()...) {
		if math.Abs(float64(m.Value)-want[i]) > 1e-12 {
			t.Errorf("%s: %v, want %v", m.Metric, m.Value, want[i])
		}
	}
}
