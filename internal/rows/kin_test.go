package rows

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// chanceTables draw the rows of tables in which equal rows are chance: every one returns the
// features of a row, then its target.
var chanceTables = map[string]func(r *rand.Rand) func() []float64{
	"counts": func(r *rand.Rand) func() []float64 {
		mean := 0.3 + 3*r.Float64()
		return func() []float64 {
			of := mean * math.Exp(r.NormFloat64()/2)
			return []float64{count(r, of), count(r, of), count(r, mean), count(r, of)}
		}
	},
	"categories": func(r *rand.Rand) func() []float64 {
		levels := 2 + r.IntN(6)
		return func() []float64 {
			a := float64(r.IntN(levels))
			b := math.Floor(a/2) + float64(r.IntN(2))
			return []float64{a, b, float64(r.IntN(levels)), float64(r.IntN(2)), flip(r, a > 1)}
		}
	},
	"categories twice, as codes and as indicators": func(r *rand.Rand) func() []float64 {
		return func() []float64 {
			a, b := float64(r.IntN(4)), float64(r.IntN(5))
			is := func(x, of float64) float64 { return map[bool]float64{true: 1}[x == of] }
			return []float64{a, is(a, 1), is(a, 2), is(a, 3), b, is(b, 0), is(b, 1), 3*b + 1,
				flip(r, a+b > 3)}
		}
	},
	"rounded numbers": func(r *rand.Rand) func() []float64 {
		unit := []float64{0.1, 0.2, 0.5}[r.IntN(3)]
		return func() []float64 {
			a := r.NormFloat64()
			b := a + r.NormFloat64()/2
			return []float64{round(a, unit), round(b, unit), round(a-b+r.NormFloat64()/3, unit)}
		}
	},
	"pupils of schools": func(r *rand.Rand) func() []float64 {
		income := make([]float64, 15)
		for i := range income {
			income[i] = r.NormFloat64()
		}
		return func() []float64 {
			school := r.IntN(len(income))
			return []float64{income[school], math.Exp(income[school]), float64(r.IntN(2)),
				float64(r.IntN(2)), flip(r, income[school] > 0)}
		}
	},
	"customers who bought nothing": func(r *rand.Rand) func() []float64 {
		return func() []float64 {
			if r.Float64() < 0.3 {
				return []float64{0, 0, 0, 0}
			}
			return []float64{r.ExpFloat64(), r.ExpFloat64(), float64(r.IntN(3)), r.ExpFloat64()}
		}
	},
	"rare categories": func(r *rand.Rand) func() []float64 {
		return func() []float64 {
			rare := func() float64 { return math.Floor(1 / (0.02 + r.Float64())) }
			return []float64{rare(), rare(), rare(), rare(), rare(), flip(r, false)}
		}
	},
}

func count(r *rand.Rand, mean float64) (n float64) {
	for left := math.Exp(-mean); ; n++ {
		if left /= 1 - r.Float64(); left >= 1 {
			return n
		}
	}
}

func flip(r *rand.Rand, most bool) float64 {
	if (r.Float64() < 0.8) == most {
		return 1
	}
	return 0
}

func round(x, unit float64) float64 { return unit * math.Round(x/unit) }

// drawn makes a table of n rows.
func drawn(n int, row func() []float64) (x matrix.Matrix, y []float64) {
	for range n {
		cells := row()
		last := len(cells) - 1
		x.Data, y, x.Cols = append(x.Data, cells[:last]...), append(y, cells[last]), last
		x.Rows++
	}
	return x, y
}

// Fewer than one table in a thousand loses rows that are equal by chance.
func TestChanceIsNoCopy(t *testing.T) {
	const tables = 400 // of every kind
	alarms, equal, all := 0, 0, 0
	for _, name := range slices.Sorted(maps.Keys(chanceTables)) {
		r, of := rand.New(rand.NewPCG(7, 7)), 0
		for range tables {
			k := KinOf(drawn(30+r.IntN(400), chanceTables[name](r)))
			if k.Once() != nil {
				of++
			}
			equal += min(1, k.Sets)
			all++
		}
		t.Logf("%s: %d of %d", name, of, tables)
		alarms += of
	}
	if 1000*alarms > all || 2*equal < all {
		t.Errorf("%d alarms in %d tables, %d of them with equal rows", alarms, all, equal)
	}
}

// Copies are found among rows that are equal by chance: of a whole table every row occurs as often
// as in the table itself, whatever the order, and of single copies one is counted.
func TestOnce(t *testing.T) {
	for name, kind := range chanceTables {
		r := rand.New(rand.NewPCG(3, 3))
		x, y := drawn(300, kind(r))
		want := rowsOf(x, y, nil)
		for times := 2; times <= 4; times++ {
			order := r.Perm(times * 300)
			for i := range order {
				order[i] %= 300
			}
			again, labels := x.Take(order), take(y, order)
			once := KinOf(again, labels).Once()
			if !slices.Equal(rowsOf(again, labels, once), want) {
				t.Errorf("%s: %d times as many rows are other rows", name, times)
			}
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	x, y := drawn(130, func() []float64 {
		return []float64{r.NormFloat64(), float64(r.IntN(3)), float64(r.IntN(2))}
	})
	order := slices.Concat(r.Perm(130), r.Perm(130)[:3], []int{5, 5, 5})
	once := KinOf(x.Take(order), take(y, order)).Once()
	if slices.Contains(once[:130], false) || slices.Contains(once[130:], true) {
		t.Errorf("130 rows and 6 copies: %v", once)
	}
	if KinOf(x, y).Once() != nil || KinOf(x.Take(order[:132]), take(y, order[:132])).Once() != nil {
		t.Error("two copies are no evidence")
	}
	groups := KinOf(x.Take(order), take(y, order)).Groups()
	for i, row := range order {
		if first := slices.Index(order, row); groups[i] != groups[first] || groups[i] > 129 {
			t.Fatalf("row %d is in group %d, its copy in %d", i, groups[i], groups[first])
		}
	}
}

// One row that is there many times is unusual, but Once leaves it: customers who bought nothing are
// such rows too. In no other kind of table does chance look like it.
func TestOneRowManyTimes(t *testing.T) {
	for name, kind := range chanceTables {
		r, unusual, found := rand.New(rand.NewPCG(4, 4)), 0, 0
		for range 100 {
			x, y := drawn(71, kind(r))
			if k := KinOf(x); k.Sets < fewSets && k.Unusual(k.Most) {
				unusual++
			}
			order := slices.Concat(r.Perm(71), slices.Repeat([]int{3}, 29))
			k := KinOf(x.Take(order), take(y, order))
			if k.Sets < fewSets && k.Once() != nil {
				t.Fatalf("%s: copies of one row are left out", name)
			}
			if k.Sets >= fewSets || k.Unusual(k.Most) {
				found++
			}
		}
		t.Logf("%s: %d of 100 by chance, with copies %d", name, unusual, found)
		if name != "customers who bought nothing" && unusual > 1 {
			t.Errorf("%s: %d of 100 tables are unusual", name, unusual)
		}
	}
	x, y := drawn(71, func() func() []float64 {
		r := rand.New(rand.NewPCG(8, 8))
		return func() []float64 {
			return []float64{r.NormFloat64(), float64(r.IntN(3)), r.NormFloat64(), r.NormFloat64()}
		}
	}())
	order := slices.Concat(rand.New(rand.NewPCG(1, 1)).Perm(71), slices.Repeat([]int{3}, 29))
	if k := KinOf(x.Take(order)); !k.Unusual(k.Most) || k.Sets != 1 || k.Repeats != 29 {
		t.Errorf("one row 30 times among 100: %d sets, %d repeats", k.Sets, k.Repeats)
	}
	if k := KinOf(x.Take(order), take(y, order)); !k.Unusual(k.Most) || k.Once() != nil {
		t.Error("with the target")
	}
}

func take(y []float64, rows []int) (some []float64) {
	for _, row := range rows {
		some = append(some, y[row])
	}
	return some
}

// rowsOf lists the hashes of the rows that count, nil for all, in order.
func rowsOf(x matrix.Matrix, y []float64, counted []bool) (hashes []uint64) {
	for i, h := range KinOf(x, y).hashes {
		if counted == nil || counted[i] {
			hashes = append(hashes, h)
		}
	}
	slices.Sort(hashes)
	return hashes
}
