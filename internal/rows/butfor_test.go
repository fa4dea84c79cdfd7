package rows

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// smoothTables draw the rows of tables whose rows are near each other by chance.
var smoothTables = map[string]func(r *rand.Rand) func() []float64{
	"a line": func(r *rand.Rand) func() []float64 {
		return func() []float64 { x := r.NormFloat64(); return []float64{x, 2 * x} }
	},
	"a wave with noise": func(r *rand.Rand) func() []float64 {
		return func() []float64 {
			x := r.NormFloat64()
			return []float64{x, math.Sin(x) + r.NormFloat64()/100}
		}
	},
	"steps in time": func(r *rand.Rand) func() []float64 {
		t, at := 0.0, 0.0
		return func() []float64 {
			t, at = t+1, at+r.NormFloat64()
			return []float64{t, at, at + r.NormFloat64()/9}
		}
	},
	"ten decades": func(r *rand.Rand) func() []float64 {
		return func() []float64 {
			x := math.Exp(9 * r.NormFloat64())
			return []float64{x, float64(r.IntN(3)), x * x}
		}
	},
	"many zeros": func(r *rand.Rand) func() []float64 {
		amount := func() float64 { return max(0, r.NormFloat64()) }
		return func() []float64 { return []float64{amount(), amount(), amount(), amount()} }
	},
	"a design": func(r *rand.Rand) func() []float64 {
		i := 0
		return func() []float64 {
			i++
			return []float64{float64(i % 2), float64(i / 2 % 4), float64(i / 8 % 4), float64(i / 32), flip(r,
				i%2 > 0)}
		}
	},
	"classes and missing cells": func(r *rand.Rand) func() []float64 {
		return func() []float64 {
			x := r.NormFloat64()
			if r.IntN(3) == 0 {
				x = math.NaN()
			}
			return []float64{x, r.ExpFloat64(), float64(r.IntN(3)), flip(r, x > 0)}
		}
	},
}

// Fewer than one table in 1,000 has rows that look like copies but for a column, or with noise.
func TestChanceIsNoCopyButFor(t *testing.T) {
	const tables = 200 // of every kind
	alarms, all := 0, 0
	for _, kinds := range []map[string]func(*rand.Rand) func() []float64{smoothTables, chanceTables} {
		for name, kind := range kinds {
			r, but := rand.New(rand.NewPCG(7, 7)), 0
			for range tables {
				x, y := drawn(20+r.IntN(400), kind(r))
				j, _ := ButFor(x, func(a, b int) bool { return a == b }, y)
				if j >= 0 || Near(x, nil, y, false) > 0 {
					but++
				}
				all++
			}
			t.Logf("%s: %d", name, but)
			alarms += but
		}
	}
	if 1000*alarms > all {
		t.Errorf("%d alarms in %d tables", alarms, all)
	}
}

// Copies are found that differ in one column, which may have several encoded columns. Three are no
// evidence.
func TestButFor(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	x, y := drawn(80, func() []float64 {
		return []float64{r.NormFloat64(), float64(r.IntN(3)), r.NormFloat64()}
	})
	for _, copies := range []int{80, 20, 3} {
		order := slices.Concat(r.Perm(80), r.Perm(80)[:copies])
		loaded := matrix.New(len(order), 2)
		for i := range order {
			loaded.Row(i)[0], loaded.Row(i)[1] = float64(i/80), float64(i%7+i/80)
		}
		one := func(a, b int) bool { return a == b || a+b == 3 && a*b == 0 }
		table := matrix.Beside(loaded.Pick([]int{0}), x.Take(order), loaded.Pick([]int{1}))
		j, kin := ButFor(table, one, take(y, order))
		if copies > 3 && (j != 0 || kin.Sets != copies || kin.Repeats != copies) ||
			copies == 3 && j >= 0 {
			t.Errorf("%d copies: column %d, %d sets", copies, j, kin.Sets)
		}
	}
}

// Copies with noise are found in numbers, categories and labels, whatever their order, but not
// those of a few rows.
func TestNear(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for _, c := range []struct{ copies, of, want int }{
		{4, 100, 4}, {2, 100, 2}, {3, 70, 3}, {3, 20, 0},
	} {
		x, y := drawn(100, func() []float64 {
			return []float64{r.NormFloat64(), math.NaN(), float64(r.IntN(3)), 9 * r.ExpFloat64(),
				flip(r, true)}
		})
		order := r.Perm(100)
		for range c.copies - 1 {
			order = append(order, order[:c.of]...)
		}
		r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		noisy := x.Take(order)
		for i := range order {
			noisy.Row(i)[0] += r.NormFloat64() / 500
			noisy.Row(i)[3] *= 1 + r.NormFloat64()/500
		}
		if n := Near(noisy, []bool{false, false, true, false}, take(y, order), true); n != c.want {
			t.Errorf("%d copies of %d rows are taken for %d", c.copies, c.of, n)
		}
	}
}
