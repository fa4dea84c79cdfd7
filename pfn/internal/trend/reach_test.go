package trend

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// A trend flattens out beyond the context and the variance grows from nothing to its end, along the
// columns that the target depends on; within the range nothing changes, to the last bit.
func TestReach(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	z, y, end := matrix.New(200, 2), make([]float64, 200), math.Sqrt(3)
	for i := range y {
		for j := range 2 {
			z.Row(i)[j] = end * (2*r.Float64() - 1)
		}
		y[i] = math.Sin(4*z.Row(i)[0]/end) + 0.05*r.NormFloat64()
	}
	fitted, _ := Fit(kinds, Features{Matrix: z}, scores(y), 0)
	restored := stored(t, fitted)
	steps := []float64{0.5, 1, 1.001, 1.1, 1.5, 3, 6, 100}
	for _, set := range []Set{fitted, restored} {
		along := func(column int) Along {
			rows := matrix.New(len(steps), 2)
			for i, v := range steps {
				rows.Row(i)[column] = v * end
			}
			along := set.Along(rows)
			held, _, _ := set.Reach.hold(rows)
			for kind, trend := range set.By {
				if !slices.Equal(along.At[kind], trend.at(held).Data) {
					t.Errorf("the trend %s is not read where rows are held", kind)
				}
			}
			return along
		}
		first, second := along(0), along(1)
		for i := range steps {
			inside, b := steps[i] < 0.9, first.Beyond[i]
			if inside != (b == Beyond{}) {
				t.Errorf("at %g: %+v", steps[i], b)
			}
			if i > 1 && !(b.Variance >= first.Beyond[i-1].Variance && b.Share <= 1) {
				t.Errorf("at %g: %+v after %+v", steps[i], b, first.Beyond[i-1])
			}
			if i > 2 && b.Variance < 3*second.Beyond[i].Variance {
				t.Errorf("at %g: %+v of the column that matters, %+v of the other", steps[i], b,
					second.Beyond[i])
			}
		}
		near, far := first.At[Linear][len(steps)-2], first.At[Linear][len(steps)-1]
		if math.Abs(near-far) > 0.01 {
			t.Errorf("the line is at %g and %g far beyond", near, far)
		}
		if v := first.Beyond[len(steps)-1].Variance; v < 1 || v > 10 {
			t.Errorf("variance %g of a target of variance 1", v)
		}
	}
	held, moved, _ := fitted.Reach.hold(z)
	if !slices.Equal(held.Data, z.Data) || moved != nil {
		t.Error("rows of the context are moved")
	}
}

// Turned columns end where the context ends along them.
func TestReachAlongAxes(t *testing.T) {
	half := math.Sqrt(0.5)
	r := Reach{Weights: []float64{0.9, 0.1}, Axes: [][]float64{{half, half}, {half, -half}},
		Lo: []float64{-1, -1}, Hi: []float64{1, 1}, Bent: 1}
	z := matrix.Matrix{Rows: 3, Cols: 2, Data: []float64{0.6, 0.6, 0.9, 0.9, 9, 9}}
	held, moved, beyond := r.hold(z)
	if !slices.Equal(held.Row(0), z.Row(0)) || beyond[0] != (Beyond{}) {
		t.Errorf("%g, %+v", held.Row(0), beyond[0])
	}
	if !slices.Equal(moved, []int{1, 2}) {
		t.Errorf("rows %v move", moved)
	}
	for i, most := range []float64{1, 1.3, 1 + 2*reachSpan} {
		along := half * (held.Row(i)[0] + held.Row(i)[1])
		if along > most+1e-9 || math.Abs(held.Row(i)[0]-held.Row(i)[1]) > 1e-12 {
			t.Errorf("row %d is held at %g", i, held.Row(i))
		}
	}
	if want := reachBent * (0.9*0.9 + 0.1); math.Abs(beyond[2].Variance-want) > 1e-6 {
		t.Errorf("variance %g, want %g", beyond[2].Variance, want)
	}
}
