package rows

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Different numbers are counted as sorting counts them: -0 is 0, and NaN differs from NaN.
func TestDistinct(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, different := range []int{1, 3, 1000} {
		values := []float64{math.NaN(), math.NaN(), 0, math.Copysign(0, -1), math.Inf(1)}
		for range 700 {
			values = append(values, float64(r.IntN(different))/8)
		}
		want := len(slices.Compact(slices.Sorted(slices.Values(values))))
		if got := Distinct(values); got != want {
			t.Errorf("%d of %d", got, want)
		}
	}
	if Distinct(nil) != 0 {
		t.Error("no values")
	}
}

// Rows with many equal cells are in the order of a stable sort.
func TestOrderOfTies(t *testing.T) {
	x, y := drawn(500, chanceTables["categories"](rand.New(rand.NewPCG(2, 2))))
	want := make([]int, x.Rows)
	for i := range want {
		want[i] = i
		if i%50 == 7 {
			x.Row(i)[i%3] = math.NaN()
		}
	}
	slices.SortStableFunc(want, func(a, b int) int {
		return cmp.Or(slices.Compare(x.Row(a), x.Row(b)), cmp.Compare(y[a], y[b]))
	})
	if !slices.Equal(Order(x, y), want) {
		t.Error("another order")
	}
}
