package heldout

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pfnamp/pfnamp/distr"
)

// The bound of Barber and others, and the least rows of a level.
func TestPromise(t *testing.T) {
	for want, got := range map[float64]float64{
		1 - 0.2 - 0.9/11: guarantee(0.9, 100, 10),
		1 - 0.2:          guarantee(0.9, 50, 50), // the jackknife+
		0:                guarantee(0.4, 50, 10),
	} {
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("guarantee %v, want %v", got, want)
		}
	}
	for level, least := range map[float64]int{0.9: 9, 0.95: 19, 0.99: 99, 0.5: 4} {
		if got := leastRows(level); got != least {
			t.Errorf("level %v needs %d rows, got %d", level, least, got)
		}
	}
}

// Rows in another order, with their folds, groups and scores, give the same predictions.
func TestOrderOfRows(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const n, folds = 57, 5
	foldOf, groups, scores := make([]int, n), make([]int, n), make([]float64, n)
	for i := range n {
		foldOf[i], groups[i], scores[i] = random.IntN(folds), random.IntN(2), random.Float64()
	}
	central, strange := make([]distr.Interval, folds), make([]float64, folds)
	for k := range folds {
		central[k] = distr.Interval{Lo: float64(-k), Hi: random.Float64()}
		strange[k] = 0.5 + 0.5*random.Float64()
	}
	want := grouped(0.8, folds, foldOf, groups, scores)
	random.Shuffle(n, func(i, j int) {
		foldOf[i], foldOf[j] = foldOf[j], foldOf[i]
		groups[i], groups[j] = groups[j], groups[i]
		scores[i], scores[j] = scores[j], scores[i]
	})
	got := grouped(0.8, folds, foldOf, groups, scores)
	for g := range 2 {
		if a, b := want[g].interval(central, 1), got[g].interval(central, 1); a != b {
			t.Errorf("group %d: %v, reordered %v", g, a, b)
		}
		if a, b := want[g].usual(strange, 1), got[g].usual(strange, 1); a != b {
			t.Errorf("group %d: %v, reordered %v", g, a, b)
		}
	}
	if a, b := want[0].interval(central, 1), want[1].interval(central, 1); a == b {
		t.Errorf("both groups: %v", a)
	}
}
