package pfnamp

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pfnamp/pfnamp/folds"
	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/tabular"
	"github.com/pfnamp/pfnamp/warning"
)

// repeatedRows are rows of a table, with a name and a class in every row.
func repeatedRows(t *testing.T, order []int) *tabular.Table {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	var all, list []map[string]any
	for i := range 60 {
		x, z := r.NormFloat64(), r.NormFloat64()
		all = append(all, map[string]any{"x": x, "z": z, "y": 2*x - z + r.NormFloat64(),
			"class": []string{"a", "b"}[r.IntN(2)], "name": fmt.Sprint("n", i)})
	}
	for _, row := range order {
		list = append(list, all[row])
	}
	return tableOf(t, "t.csv", list)
}

// A model reads a table whose rows are there several times as it reads the table itself, to the
// bit: numbers and classes, with a subsample too, whatever the order and the seed.
func TestCopiesAreReadOnce(t *testing.T) {
	plain := matrix.Upto(60)
	for target, m := range map[string]models.Manifest{"y": manifestOf(t, "testdata/tiny"),
		"class": manifestOf(t, "testdata/tabicl-classes")} {
		for _, subsample := range []int{0, 40} {
			opt := FitOptions{Target: target, Subsample: subsample, Seed: 3}
			want := learn(t, repeatedRows(t, plain), m, opt)
			for name, order := range map[string][]int{
				"twice":     slices.Concat(plain, plain),
				"4 times":   slices.Repeat(plain, 4),
				"each row":  slices.Sorted(slices.Values(slices.Repeat(plain, 3))),
				"some rows": slices.Concat(plain, plain[7:22], plain[9:30]),
			} {
				got := learn(t, repeatedRows(t, order), m, opt)
				if !slices.Equal(got.Data.X.Data, want.Data.X.Data) ||
					!slices.Equal(got.Data.Y, want.Data.Y) || got.Target.Rows != 60 ||
					!slices.Equal(got.Schema.FeatureNames(), want.Schema.FeatureNames()) {
					t.Errorf("%s, %s: %d rows of %v", target, name, got.Data.X.Rows,
						got.Schema.FeatureNames())
				}
				if !warned(got, warning.RepeatedOf("t.csv", len(order)-60, len(order))) {
					t.Errorf("%s: %v", name, got.Warnings)
				}
			}
		}
	}
}

// Copies that are kept are in one fold, and Strict refuses them.
func TestCopiesAreKept(t *testing.T) {
	tiny := manifestOf(t, "testdata/tiny")
	order := slices.Sorted(slices.Values(slices.Repeat(matrix.Upto(60), 3)))
	kept := learn(t, repeatedRows(t, order), tiny,
		FitOptions{Target: "y", Ignore: []string{"name"}, KeepRepeated: true})
	if kept.Data.X.Rows != 180 {
		t.Fatal(kept)
	}
	parts, err := kept.Splits.Plan(folds.Plan{Count: 5, Strata: make([]int, 180)}).Folds()
	must.Succeed(t, err)
	for _, part := range parts {
		for _, row := range part.Held {
			y := kept.Data.Y
			if slices.ContainsFunc(part.Read, func(r int) bool { return y[r] == y[row] }) {
				t.Fatalf("copies of row %d are on both sides", row)
			}
		}
	}
	_, err = Learn(repeatedRows(t, order), tiny,
		FitOptions{Target: "y", Ignore: []string{"name"}, Strict: true})
	if e, ok := errors.AsType[*tabular.Error](err); !ok || e.Row != 2 ||
		!strings.Contains(e.Msg, "like 120 of 180 rows") {
		t.Error(err)
	}
}

// Rows that share features but not the target are noted, unless groups are named.
func TestSameFeatures(t *testing.T) {
	tiny := manifestOf(t, "testdata/tiny")
	r := rand.New(rand.NewPCG(5, 5))
	var list []map[string]any
	for person := range 20 {
		age := r.NormFloat64()
		for range 3 {
			list = append(list, map[string]any{"age": age, "person": fmt.Sprint(person % 20),
				"y": age + r.NormFloat64()})
		}
	}
	table := tableOf(t, "t.csv", list)
	found := func(opt FitOptions) bool {
		return warned(learn(t, table, tiny, opt), warning.SameFeaturesOf("t.csv", 60, 20, 60))
	}
	if !found(FitOptions{Target: "y"}) || found(FitOptions{Target: "y", Group: "person"}) {
		t.Error("rows of one person")
	}
	order := slices.Concat(slices.Repeat([]int{5}, 30), matrix.Upto(60))
	once := learn(t, repeatedRows(t, order), tiny, FitOptions{Target: "y"})
	if once.Target.Rows != 90 || !warned(once, warning.SameFeaturesOf("t.csv", 31, 1, 90)) {
		t.Error("one row 31 times")
	}
}

// Copies with noise are noted, unless they are kept, and Strict refuses them.
func TestNearCopies(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	var list []map[string]any
	for i := range 120 {
		at := float64(i % 40)
		list = append(list, map[string]any{"x": math.Sin(9*at) + r.NormFloat64()/1e4,
			"z": math.Sin(at*at) + r.NormFloat64()/1e4, "y": math.Sin(99 * at)})
	}
	table, tiny := tableOf(t, "t.csv", list), manifestOf(t, "testdata/tiny")
	kept := learn(t, table, tiny, FitOptions{Target: "y", KeepRepeated: true}).Warnings
	noted := learn(t, table, tiny, FitOptions{Target: "y"}).Warnings
	_, err := Learn(table, tiny, FitOptions{Target: "y", Strict: true})
	if len(kept) != 0 || len(noted) != 1 || noted[0].Kind != warning.SameFeatures ||
		!strings.HasPrefix(noted[0].Text, "the rows of t.csv come in sets of 3 that are nearly alike") ||
		err == nil {
		t.Error(kept, noted, err)
	}
}

// Copies but for one column, here a date with its calendar columns, are noted unless the column is
// kept. Without it they count once.
func TestCopiesButFor(t *testing.T) {
	tiny := manifestOf(t, "testdata/tiny")
	r := rand.New(rand.NewPCG(5, 5))
	var list []map[string]any
	for range 40 {
		x, y := r.NormFloat64(), r.NormFloat64()
		for copied := range 2 {
			day := time.Date(2024, time.Month(1+copied), 1+r.IntN(28), 0, 0, 0, 0, time.UTC)
			list = append(list, map[string]any{"x": x, "loaded": day, "y": y})
		}
	}
	table := tableOf(t, "t.csv", list)
	for _, c := range []struct {
		opt   FitOptions
		rows  int
		noted bool
	}{
		{FitOptions{Target: "y"}, 80, true},
		{FitOptions{Target: "y", KeepFeatures: []string{"loaded"}}, 80, false},
		{FitOptions{Target: "y", Ignore: []string{"loaded"}}, 40, false},
		{FitOptions{Target: "y", KeepRepeated: true}, 80, false},
	} {
		found := learn(t, table, tiny, c.opt)
		at := slices.IndexFunc(found.Warnings, func(w warning.Warning) bool {
			return w.Kind == warning.Copies
		})
		if found.Target.Rows != c.rows || at >= 0 != c.noted {
			t.Errorf("%+v: %d rows, warnings %v", c.opt, found.Target.Rows, found.Warnings)
		}
		if c.noted && (found.Warnings[at].Column != "loaded" ||
			!strings.HasPrefix(found.Warnings[at].Text, "80 of 80 rows of t.csv are copies")) {
			t.Errorf("%+v", found.Warnings[at])
		}
	}
	_, err := Learn(table, tiny, FitOptions{Target: "y", Strict: true})
	must.Fail(t, "strict", err, `all columns but "loaded"`)
}

// warned tells whether a training table has a warning.
func warned(t *Training, w warning.Warning) bool {
	return slices.ContainsFunc(t.Warnings, func(own warning.Warning) bool {
		return reflect.DeepEqual(own, w)
	})
}
