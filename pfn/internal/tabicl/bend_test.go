package tabicl

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// A bend keeps what is near, is monotone and continuous, and does not depend on the order of rows.
func TestBend(t *testing.T) {
	values := []float64{0, 1, 2, 3, 4, nan, 1e9}
	b := fitBend(values)
	slices.Reverse(values)
	if want := (bend{lo: -6.25, hi: 11.25, spread: 2.5}); b != want || fitBend(values) != want {
		t.Fatalf("got %+v and %+v, want %+v", b, fitBend(values), want)
	}
	for v, want := range map[float64]float64{0: 0, -6.25: -6.25, 11.25: 11.25,
		13.75: 11.25 + 2.5*math.Ln2, -8.75: -6.25 - 2.5*math.Ln2} {
		if got := b.apply(v); math.Abs(got-want) > 1e-12 {
			t.Errorf("%g becomes %g, want %g", v, got, want)
		}
	}
	if got := b.apply(math.MaxFloat64); math.IsInf(got, 0) || got < b.apply(1e300) {
		t.Errorf("the largest number becomes %g", got)
	}
	for _, flat := range [][]float64{nil, {nan}, {1, 1, 1, 1, 1e9}, {-1e308, -1e308, 1e308, 1e308}} {
		if b := fitBend(flat); b != (bend{}) || b.apply(7) != 7 {
			t.Errorf("%v has the bend %+v", flat, b)
		}
	}
}

// One cell far away costs one cell: the others keep most of their distances.
func TestBentTransformer(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	x := matrix.New(60, 2)
	y := make([]float64, x.Rows)
	for i := range y {
		x.Row(i)[0], x.Row(i)[1] = r.NormFloat64(), r.NormFloat64()
		y[i] = x.Row(i)[0] + 0.3*r.NormFloat64()
	}
	x.Row(5)[0] = -999999
	preset := allTrends
	spread := func(preset Preset) float64 {
		fitted, lesson := Fit(x, []bool{false, false}, y, preset)
		if (fitted.State().None.Bends != nil) != preset.Own {
			t.Errorf("bends %+v", fitted.State().None.Bends)
		}
		at := slices.Index(fitted.Members[0].Permutation, 0)
		return math.Abs(float64(lesson.Rows[0][at] - lesson.Rows[0][2+at]))
	}
	if without := spread(preset); without > 1e-3 {
		t.Errorf("without a bend two rows are %g apart", without)
	}
	preset.Own = true
	if with := spread(preset); with < 0.1 {
		t.Errorf("with a bend two rows are %g apart", with)
	}
}
