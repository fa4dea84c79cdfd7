package explain

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// Correlations are those of ranks, of categories what they tell, and 0 where there is nothing but
// chance; missing cells and constants tell nothing.
func TestCorrelations(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	const n = 400
	f := map[string]feature{}
	add := func(name string, categorical bool, of func(i int) float64) {
		values := make([]float64, n)
		for i := range values {
			values[i] = of(i)
		}
		f[name] = feature{values, categorical}
	}
	add("x", false, func(int) float64 { return random.NormFloat64() })
	add("exp", false, func(i int) float64 { return -math.Exp(f["x"].values[i]) })
	add("noise", false, func(int) float64 { return random.NormFloat64() })
	add("sign", true, func(i int) float64 { return map[bool]float64{true: 1}[f["x"].values[i] > 0] })
	add("turned", true, func(i int) float64 { return 1 - f["sign"].values[i] })
	add("dice", true, func(int) float64 { return float64(random.IntN(6)) })
	add("one", false, func(int) float64 { return 7 })
	add("holes", false, func(i int) float64 {
		if i%2 == 0 {
			return math.NaN()
		}
		return f["x"].values[i]
	})
	for _, c := range []struct {
		a, b   string
		lo, hi float64
	}{
		{"x", "exp", 1, 1}, {"x", "noise", 0, 0.15}, {"sign", "turned", 0.99, 1},
		{"sign", "dice", 0, 0.15},
		{"x", "sign", 0.8, 0.9}, {"noise", "dice", 0, 0.2}, {"x", "one", 0, 0}, {"x", "holes", 1, 1},
	} {
		there, back := correlation(f[c.a], f[c.b]), correlation(f[c.b], f[c.a])
		if there < c.lo-1e-9 || there > c.hi+1e-9 || math.Abs(there-back) > 1e-12 {
			t.Errorf("%s and %s: %v, %v", c.a, c.b, there, back)
		}
	}
}

// Groups are joined by their average correlation: of a chain, not all links.
func TestLinkedColumns(t *testing.T) {
	var columns []group
	for j, name := range []string{"a", "b", "c", "d"} {
		columns = append(columns, group{[]string{name}, []int{j}})
	}
	correlation := [][]float64{{0, 0.9, 0.1, 0}, {0.9, 0, 0.85, 0}, {0.1, 0.85, 0, 0}, {0, 0, 0, 0}}
	for least, want := range map[float64]string{
		0.8: "[{[a b] [0 1]} {[c] [2]} {[d] [3]}]", 0.95: "[{[a] [0]} {[b] [1]} {[c] [2]} {[d] [3]}]",
		0.4: "[{[a b c] [0 1 2]} {[d] [3]}]",
	} {
		if got := fmt.Sprint(linked(columns, correlation, least)); got != want {
			t.Errorf("%v: %s, want %s", least, got, want)
		}
	}
}
