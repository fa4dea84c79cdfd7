package tabicl

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

var shareTrends = []string{Kernel, NoTrend, Linear}

// classesOf cuts a target into classes of nearly equal size.
func classesOf(y []float64, classes int) []float64 {
	sorted := slices.Sorted(slices.Values(y))
	out := make([]float64, len(y))
	for i, v := range y {
		rank, _ := slices.BinarySearch(sorted, v)
		out[i] = float64(rank * classes / len(y))
	}
	return out
}

// A context row's share is the ridge regression without the row, but for the means of all rows.
func TestSharesLeaveOneRowOut(t *testing.T) {
	z, target := linearTable(40, 2, 0.5)
	y := classesOf(target, 2)
	shares, columns, _ := fitShares(Linear, z, y, 2)
	if columns.Cols != 1 {
		t.Fatalf("%d columns of two classes", columns.Cols)
	}
	a, b := minus(z.Column(nil, 0), average(z.Column(nil, 0))), minus(z.Column(nil, 1), average(z.Column(nil, 1)))
	mean := average(y)
	centred := minus(y, mean)
	penalty := penaltyOf(shares.Weights[0], a, b, y)
	for _, i := range []int{0, 11, 39} {
		w := twoSlopes(without(a, i), without(b, i), without(centred, i), penalty)
		want := mean + w[0]*a[i] + w[1]*b[i]
		if got := columns.Data[i]; math.Abs(got-want) > 1e-9 {
			t.Errorf("row %d: share %g, without the row %g", i, got, want)
		}
	}
}

// The shares of rows whose features say nothing do not tell their classes: a mean without the row would
// tell all of them, with a correlation of -1.
func TestSharesKeepSecrets(t *testing.T) {
	for k := range 6 {
		kind, classes := kinds[k%2], []int{2, 3, 10}[k/2]
		z, _ := linearTable(300, 3, 0)
		_, noise := linearTable(300, 4, 9)
		y := classesOf(noise, classes)
		_, columns, _ := fitShares(kind, z, y, classes)
		for k := range columns.Cols {
			indicator := make([]float64, len(y))
			for i, class := range y {
				if int(class) == k+classes-columns.Cols {
					indicator[i] = 1
				}
			}
			if r := stat.Correlation(columns.Column(nil, k), indicator, nil); math.Abs(r) > 0.5 {
				t.Errorf("%s, %d classes, column %d: correlation %.2f with the class", kind, classes, k, r)
			}
		}
	}
}

// Shares of classes that are told apart by a line order the rows; the sum of all is nearly one, since
// every class has a penalty of its own.
func TestSharesOfClasses(t *testing.T) {
	z, target := linearTable(200, 3, 0.1)
	y := classesOf(target, 3)
	shares, columns, _ := fitShares(Linear, z, y, 3)
	for _, c := range []matrix.Matrix{columns, shares.at(z)} {
		right := 0
		for i := range y {
			row, sum := c.Row(i), 0.0
			for _, v := range row {
				sum += v
			}
			if math.Abs(sum-1) > 0.2 {
				t.Errorf("row %d: shares %g", i, row)
			}
			if (row[2] > row[0]) == (y[i] == 2) || y[i] == 1 {
				right++
			}
		}
		if right < 190 {
			t.Errorf("%d of 200 rows are on the right side", right)
		}
	}
}

// Members of a classifier with trends are plain or read shares of the classes, of at most ten.
func TestShareMembers(t *testing.T) {
	z, target := linearTable(60, 3, 0.3)
	for _, c := range []struct {
		classes int
		widths  []int
	}{{2, []int{4, 3, 4, 4}}, {3, []int{6, 3, 6, 6}}, {10, []int{13, 3, 13, 13}}, {11, []int{3, 3, 3, 3}}} {
		preset := Preset{Members: 4, Norms: bothNorms, Seed: 1, Threshold: 4, Classes: c.classes,
			Diagonal: true, Trends: shareTrends}
		transformer, lesson := Fit(z, make([]bool, 3), classesOf(target, c.classes), preset)
		queries := transformer.Queries(z)
		for b, m := range transformer.Members {
			width := c.widths[b]
			if len(m.Permutation) != width || len(lesson.Rows[b]) != 60*width || len(queries[b]) != 60*width {
				t.Errorf("%d classes, member %d: width %d, want %d", c.classes, b, len(m.Permutation), width)
			}
			if plain := width == 3; plain != slices.Equal(lesson.Rows[b], queries[b]) {
				t.Errorf("%d classes, member %d reads context rows as queries: %t", c.classes, b, !plain)
			}
		}
	}
}

// Shares survive a state, and damaged ones are refused.
func TestSharesState(t *testing.T) {
	z, target := linearTable(30, 3, 0.1)
	preset := Preset{Members: 3, Norms: bothNorms, Seed: 1, Threshold: 4, Classes: 3, Diagonal: true,
		Trends: shareTrends}
	transformer, _ := Fit(z, make([]bool, 3), classesOf(target, 3), preset)
	again := checkDamages(t, transformer, z.Cols, []func(*State){
		func(s *State) { s.Trends = nil },
		func(s *State) { s.Plain = nil },
		func(s *State) { s.Trends[Linear].Scale = 1 },
		func(s *State) { s.Kinds[0] = NoTrend },
		func(s *State) { s.Trends[Linear].Offsets = s.Trends[Linear].Offsets[1:] },
		func(s *State) { s.Trends[Linear].Offsets, s.Trends[Linear].Weights = nil, nil },
		func(s *State) { s.Trends[Kernel].Weights[1] = nil },
		func(s *State) { s.Trends[Kernel].Weights[1][0] = 1e200 },
		func(s *State) { s.Classes = nil },
		func(s *State) { s.Power.Divisor = s.Power.Divisor[1:] },
	})
	want, got := slices.Concat(transformer.Queries(z)...), slices.Concat(again.Queries(z)...)
	if !slices.Equal(got, want) {
		t.Error("the restored transformer differs")
	}
}

// checkDamages checks that every damage to a state is refused, and returns what an undamaged one restores.
func checkDamages(t *testing.T, tr *Transformer, columns int, damages []func(*State)) *Transformer {
	t.Helper()
	data, err := json.Marshal(tr.State())
	if err != nil {
		t.Fatal(err)
	}
	restored := func(damage func(*State)) (*Transformer, error) {
		var s State
		if err := json.Unmarshal(data, &s); err != nil {
			t.Fatal(err)
		}
		damage(&s)
		return Restore(s, columns)
	}
	for k, damage := range damages {
		if _, err := restored(damage); err == nil {
			t.Errorf("damage %d is not refused", k)
		}
	}
	again, err := restored(func(*State) {})
	if err != nil {
		t.Fatal(err)
	}
	return again
}

// With many rows members with a line read the kernel's shares if it leaves less.
func TestManyRowsHaveKernels(t *testing.T) {
	for _, c := range []struct {
		rows int
		bent bool
		want []string
	}{
		{manyRows, true, []string{Kernel, NoTrend, Kernel, Kernel}},
		{manyRows - 1, true, []string{Kernel, NoTrend, Linear, Kernel}},
		{manyRows, false, []string{Kernel, NoTrend, Linear, Kernel}},
	} {
		z, target := linearTable(c.rows, 2, 3)
		if c.bent {
			for i := range target {
				target[i] = math.Sin(3 * z.Row(i)[0])
			}
		}
		preset := Preset{Members: 4, Norms: bothNorms, Seed: 1, Threshold: 4, Classes: 2,
			Diagonal: true, Trends: shareTrends}
		transformer, _ := Fit(z, make([]bool, 2), classesOf(target, 2), preset)
		var trends []string
		for _, m := range transformer.Members {
			trends = append(trends, m.Trend)
		}
		if !slices.Equal(trends, c.want) {
			t.Errorf("%d rows, bent %t: %v, want %v", c.rows, c.bent, trends, c.want)
		}
		if restored, err := Restore(transformer.State(), 2); err != nil {
			t.Error(err)
		} else if got := restored.Queries(z); !slices.EqualFunc(got, transformer.Queries(z), slices.Equal) {
			t.Errorf("%d rows, bent %t: the restored one reads other numbers", c.rows, c.bent)
		}
	}
}
