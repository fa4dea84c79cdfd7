package pfn

import (
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/models"
)

// tinyClassifier is the folder of a classifier of random weights, whose golden vectors are what
// tabicl 2.2.0 computes with them. Made with
//
//	python -m scripts.export.tabicl.make_checkpoint --size tiny --task classification --half \
//	    --out tiny.ckpt
//	python -m scripts.export_onnx --family tabicl --checkpoint tiny.ckpt \
//	    --out testdata/tabicl-classes --name tabicl-classes --version 1 \
//	    --description 'Classifier of the TabICLv2 architecture with random weights, for tests.' \
//	    --licence LICENSE --spdx Apache-2.0 --notice '' \
//	    --weights 'random numbers of scripts/export/tabicl/make_checkpoint.py --size tiny
//	        --task classification --half'
var tinyClassifier = filepath.Join("..", "testdata", "tabicl-classes")

func classifierBundle(t testing.TB) *models.Bundle {
	t.Helper()
	b, err := models.Load(tinyClassifier)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// openClassifier loads it until the end of the test.
func openClassifier(t testing.TB, opt Options) *Model {
	t.Helper()
	opt.Library = orttest.Library(t)
	m, err := Open(classifierBundle(t), opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

// classTable is a table with K classes.
func classTable(seed uint64, rows, cols, classes int) Training {
	t := synthetic(seed, rows, cols)
	sorted := slices.Sorted(slices.Values(t.Y))
	for i, y := range t.Y {
		at, _ := slices.BinarySearch(sorted, y)
		t.Y[i] = float64(at * classes / rows)
	}
	return t
}

func predictClasses(t testing.TB, c *Context, x Matrix) []distr.Classes {
	t.Helper()
	rows, err := c.PredictClasses(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// Gates beside the package: members, classes and what the network reads exactly or to float32,
// its logits and the probabilities to the rounding of float32.
func TestClassifierAgreesWithThePackage(t *testing.T) {
	checkPackage(t, classifierBundle(t), 6)
}

// checkPackage replays golden vectors of the package, of so many cases.
func checkPackage(t *testing.T, b *models.Bundle, cases int) {
	t.Helper()
	gates := map[string]float64{
		"members": 0, "network": 1e-5, "result: probabilities": 2e-6,
	}
	report, err := Verify(t.Context(), b, Options{Library: orttest.Library(t)})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Cases) != cases || !report.OK() {
		t.Fatalf("%d cases, OK %v", len(report.Cases), report.OK())
	}
	for _, c := range report.Cases {
		if len(c.Parts) != len(gates) {
			t.Errorf("%s: %d parts of %d", c.Name, len(c.Parts), len(gates))
		}
		for _, s := range c.Parts {
			if gate, ok := gates[s.Name]; !ok || !(s.MaxDiff <= gate) {
				t.Errorf("%s: %s differs by %.2g > %.2g", c.Name, s.Name, s.MaxDiff, gate)
			}
		}
	}
}

// Verify sees a mistake in every part.
func TestVerifyClassesFindsMistakes(t *testing.T) {
	m := openClassifier(t, Options{Refit: true})
	checkMistakes(t, m, 0, map[string]func(*goldenCase){
		"members":               func(g *goldenCase) { slices.Reverse(g.Members[0].Classes) },
		"network":               func(g *goldenCase) { g.Stages.Logits[1][0][0] += 1e-3 },
		"result: probabilities": func(g *goldenCase) { g.Expect.Probabilities[0][0] += 1e-3 },
	})
}

// Probabilities have the sum 1, and a row's do not depend on the other rows or on threads.
func TestClassProbabilities(t *testing.T) {
	train, query := classTable(1, 60, 5, 4), synthetic(2, 90, 5).X
	query.Data[3] = math.NaN()
	c := fit(t, openClassifier(t, Options{Threads: 2}), train)
	if c.Classes() != 4 || c.Members() != 8 || c.Marginal() || c.Degenerate() {
		t.Errorf("%d classes, %d members", c.Classes(), c.Members())
	}
	rows := predictClasses(t, c, query)
	for i, p := range rows {
		sum := 0.0
		for _, v := range p {
			sum += v
			if !(v > 0 && v < 1) {
				t.Errorf("row %d: %v", i, p)
			}
		}
		if len(p) != 4 || math.Abs(sum-1) > 1e-12 || p[p.Best()] != slices.Max(p) {
			t.Errorf("row %d: %v", i, p)
		}
		alone := predictClasses(t, c, subset(query, []int{i}))[0]
		if i%9 == 0 && !slices.Equal(alone, p) {
			t.Errorf("row %d: %v alone, %v among others", i, alone, p)
		}
	}
	if slices.Equal(rows[0], rows[1]) {
		t.Error("rows do not differ")
	}
	other := fit(t, openClassifier(t, Options{Threads: 4}), train)
	for i, p := range predictClasses(t, other, query) {
		if !slices.Equal(p, rows[i]) {
			t.Fatalf("row %d: %v with 4 threads, %v with 2", i, p, rows[i])
		}
	}
	if got := predictClasses(t, c, Matrix{}); len(got) != 0 {
		t.Errorf("%d distributions of no rows", len(got))
	}
}

func TestClassesState(t *testing.T) {
	m := openClassifier(t, Options{Refit: true})
	flat := classTable(3, 25, 4, 3)
	for i := range flat.X.Data {
		flat.X.Data[i] = 1
	}
	query := synthetic(2, 9, 4).X
	for name, train := range map[string]Training{"varied": classTable(1, 40, 4, 5), "flat": flat} {
		c := fit(t, m, train)
		data := saved(t, c, "note")
		again, err := restore(m, data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want, got := predictClasses(t, c, query), predictClasses(t, again, query)
		for i := range want {
			if !slices.Equal(want[i], got[i]) {
				t.Fatalf("%s: row %d differs", name, i)
			}
		}
		if again.Classes() != c.Classes() || again.Marginal() != c.Marginal() {
			t.Errorf("%s: %d classes", name, again.Classes())
		}
	}
}

// Where no feature varies every class has its share of the context.
func TestClassShares(t *testing.T) {
	train := Training{X: Matrix{Rows: 4, Cols: 1, Data: []float64{7, 7, 7, 7}},
		Y: []float64{1, 0, 1, 1}}
	c := fit(t, openClassifier(t, Options{}), train)
	got := predictClasses(t, c, Matrix{Rows: 2, Cols: 1, Data: []float64{1, 2}})
	if !c.Marginal() || !slices.Equal(got[1], distr.Classes{0.25, 0.75}) || got[1].Best() != 1 {
		t.Errorf("%v", got)
	}
}

func TestClassifierRefuses(t *testing.T) {
	m := openClassifier(t, Options{Refit: true})
	x := Matrix{Rows: 4, Cols: 1, Data: []float64{1, 2, 3, 4}}
	for want, y := range map[string][]float64{
		"context row 1: the target is 0.5, but tabicl-classes 1 needs a class": {0, 0.5, 1, 1},
		"context row 0: the target is -1":                                      {-1, 0, 1, 1},
		"context row 2: the target is 9":                                       {0, 1, 9, 1},
		"no row has the class 1, but a row has 2":                              {0, 2, 0, 2},
		"the context has 1 class: model tabicl-classes 1 takes 2 to 10":        {0, 0, 0, 0},
		"the target is NaN":                                                    {0, math.NaN(), 1, 1},
	} {
		if _, err := m.Fit(t.Context(), Training{X: x, Y: y}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want %q", y, err, want)
		}
	}
	var limit *LimitError
	_, err := m.Fit(t.Context(), classTable(1, 33, 2, 11))
	if !errors.As(err, &limit) || limit.Got != 11 || !strings.Contains(limit.Hint(), "merge") ||
		!strings.Contains(limit.Hint(), "exported again") {
		t.Errorf("11 classes: %v", err)
	}
	var task *TaskError
	c := fit(t, m, classTable(1, 33, 2, 10))
	if _, err := c.Predict(t.Context(), synthetic(1, 2, 2).X); !errors.As(err, &task) {
		t.Errorf("Predict: %v", err)
	}
	regression := fit(t, embedded(t), synthetic(1, 20, 2))
	_, err = regression.PredictClasses(t.Context(), synthetic(1, 2, 2).X)
	if !errors.As(err, &task) || !strings.Contains(task.Hint(), "classification") {
		t.Errorf("PredictClasses: %v", err)
	}
	if regression.Classes() != 0 {
		t.Errorf("%d classes of a regression", regression.Classes())
	}
	c.Close()
	if _, err := c.PredictClasses(t.Context(), synthetic(1, 2, 2).X); !errors.Is(err, ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}
