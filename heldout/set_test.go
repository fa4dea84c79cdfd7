package heldout

import (
	"math/rand/v2"
	"testing"

	"github.com/pfnamp/pfnamp/folds"
)

// world draws rows of three classes; the third is rare and hard to tell from the first.
type world struct{ random *rand.Rand }

func (w world) row() (x float64, class int) {
	switch u := w.random.Float64(); {
	case u < 0.45:
		class = 0
	case u < 0.85:
		class = 1
	default:
		class = 2
	}
	return []float64{0, 3, 0.5}[class] + w.random.NormFloat64(), class
}

// crude is a model: the shares of the classes among the k nearest rows, made too sure by a square.
func crude(x float64, xs []float64, ys, rows []int) []float64 {
	p, sum := make([]float64, 3), 0.0
	for _, row := range rows {
		d := x - xs[row]
		p[ys[row]] += 1 / (0.1 + d*d)
	}
	for k := range p {
		p[k] *= p[k]
		sum += p[k]
	}
	for k := range p {
		p[k] /= sum
	}
	return p
}

// setOf is the set of a new row; groups are those of the context, by class where byClass is true.
func setOf(x float64, xs []float64, ys []int, byClass bool, level float64, seed uint64) []bool {
	const count = 10
	groups := make([]int, len(ys))
	if byClass {
		groups = ys
	}
	foldOf, scores := folds.Stratified(seed, groups, count), make([]float64, len(ys))
	said := make([][]float64, count)
	for k := range count {
		fold := folds.List(foldOf, count)[k]
		held, others := fold.Held, fold.Read
		said[k] = crude(x, xs, ys, others)
		for _, row := range held {
			scores[row] = strangeness(crude(xs[row], xs, ys, others), ys[row])
		}
	}
	c, set := grouped(level, count, foldOf, groups, scores), make([]bool, 3)
	for class := range set {
		under, group := make([]float64, count), 0
		for k := range under {
			under[k] = strangeness(said[k], class)
		}
		if byClass {
			group = class
		}
		set[class] = c[group].usual(under, 1)
	}
	return set
}

// Sets hold a label about as often as the level says over all rows, and by class only where they
// are made so. The crude model alone is right more often than that in the first two classes.
func TestSetCoverage(t *testing.T) {
	w := world{rand.New(rand.NewPCG(9, 10))}
	var rows, held [2][3]float64
	var size [2]float64
	for r := range repeats {
		xs, ys, counts := make([]float64, 120), make([]int, 120), [3]int{}
		for i := range xs {
			xs[i], ys[i] = w.row()
			counts[ys[i]]++
		}
		x, label := w.row()
		for way, byClass := range []bool{false, true} {
			if byClass && min(counts[0], counts[1], counts[2]) < leastRows(0.8) {
				continue
			}
			set := setOf(x, xs, ys, byClass, 0.8, uint64(r))
			rows[way][label]++
			for class, in := range set {
				if in {
					size[way]++
				}
				if in && class == label {
					held[way][label]++
				}
			}
		}
	}
	for way, name := range []string{"over all rows", "by class"} {
		n := rows[way][0] + rows[way][1] + rows[way][2]
		all := (held[way][0] + held[way][1] + held[way][2]) / n
		t.Logf("%s: %.3f, %.2f labels", name, all, size[way]/n)
		if all < 0.785 || way == 0 && all > 0.88 {
			t.Errorf("%s: %.3f of the labels in their sets", name, all)
		}
		for class := range 3 {
			got := held[way][class] / rows[way][class]
			t.Logf("   class %d: %.3f of %v", class, got, rows[way][class])
			switch {
			case way == 1 && (got < 0.77 || class == 2 && got > 0.88):
				t.Errorf("%s: %.3f of class %d", name, got, class)
			case way == 0 && class == 2 && got > 0.75:
				t.Errorf("%s: %.3f of class %d: it is no test", name, got, class)
			}
		}
	}
}

// The score of a class is the probability of those that are more probable.
func TestStrangeness(t *testing.T) {
	p := []float64{0.25, 0.25, 0.5, 0}
	for class, want := range []float64{0.5, 0.5, 0, 1} {
		if got := strangeness(p, class); got != want {
			t.Errorf("class %d: %v, want %v", class, got, want)
		}
	}
}
