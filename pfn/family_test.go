package pfn

import (
	"bytes"
	"errors"
	"maps"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/models"
)

// gates are tighter than the tolerances of Verify, for the fixtures of random weights on one
// machine: classes to the rounding of float32, bars to what the network's noise of 1e-5 makes of
// them.
var gates = map[string]map[string]float64{
	models.ClassHead: {"network": 1e-5, "result: probabilities": 2e-6},
	models.BarHead: {"result: probabilities": 1e-5, "result: quantiles": 1e-5,
		"result: mean": 1e-4},
}

// placesOfBundles has bundles in its folders. Of internal/tabicl/testdata/random, golden vectors
// are what tabicl 2.2.0 computes with random weights; made with
//
//	python -m scripts.export.tabicl.make_checkpoint --size tiny --half --out tiny.ckpt
//	python -m scripts.export_onnx --family tabicl --checkpoint tiny.ckpt \
//	    --out pfn/internal/tabicl/testdata/random --name tabicl-random --version 1 \
//	    --description 'Network of the TabICLv2 architecture with random weights, for tests.' \
//	    --licence LICENSE --spdx Apache-2.0 --notice '' \
//	    --weights 'random numbers of scripts/export/tabicl/make_checkpoint.py --size tiny --half'
var placesOfBundles = []string{"../testdata/*", "../models/*", "internal/tabicl/testdata/*"}

// TestEveryBundle does with every bundle of testdata and with the embedded ones all that can be
// done: golden vectors of the original packages, predictions, states and an estimate of memory.
// Every family that a manifest may name has bundles here.
func TestEveryBundle(t *testing.T) {
	if names := slices.Sorted(maps.Keys(families)); !slices.Equal(names, models.Families()) {
		t.Fatalf("families %v here, %v in manifests", names, models.Families())
	}
	seen := map[string]int{}
	for _, place := range placesOfBundles {
		folders, err := filepath.Glob(filepath.FromSlash(place + "/manifest.json"))
		if err != nil || len(folders) == 0 {
			t.Fatalf("%s: %d bundles, error %v", place, len(folders), err)
		}
		for _, path := range folders {
			t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
				m := openBundle(t, filepath.Dir(path))
				seen[m.bundle.Manifest.Family]++
				checkVectors(t, m.bundle, strings.Contains(place, "testdata"))
				if strings.Contains(place, "testdata") {
					checkStates(t, m)
				}
				estimate := func(rows, columns int) int64 {
					return m.footprint(demand{rows: rows, widths: []int{columns}, batch: 10, threads: 1})
				}
				if base := estimate(500, 10); estimate(1000, 10) <= base || estimate(500, 40) <= base {
					t.Errorf("%d bytes, not more for more rows or columns", base)
				}
			})
		}
	}
	if len(seen) != len(families) {
		t.Errorf("bundles of %v", seen)
	}
}

// checkVectors replays the golden vectors.
func checkVectors(t *testing.T, b *models.Bundle, gated bool) {
	report, err := Verify(t.Context(), b, Options{Library: orttest.Library(t)})
	if err != nil || !report.OK() {
		t.Errorf("%+v, error %v", report, err)
	}
	for _, c := range report.Cases {
		for _, p := range c.Parts {
			gate, ok := gates[b.Manifest.Head.Kind][p.Name]
			if gated && ok && b.Manifest.ClassPosterior == nil && !(p.MaxDiff <= gate) {
				t.Errorf("%s: %s differs by %.2g > %.2g", c.Name, p.Name, p.MaxDiff, gate)
			}
		}
	}
}

// checkStates saves contexts of tables of every kind. A restored one is described in the same way
// and answers with the same bits, and a row answers alone as among others.
func checkStates(t *testing.T, m *Model) {
	query := synthetic(6, 9, 4).X
	query.Data[2], query.Data[5] = -1, math.NaN()
	for name, train := range tablesFor(m) {
		c := fit(t, m, train)
		file := saved(t, c, "note")
		again := restored(t, m, file)
		rows := results(t, c, query)
		if !reflect.DeepEqual(results(t, again, query), rows) {
			t.Errorf("%s: a restored context answers otherwise", name)
		}
		described := func(c *Context) []any {
			return []any{c.Rows(), c.Columns(), c.ensemble.features(), c.Members(), c.Classes(),
				c.Degenerate(), c.Marginal()}
		}
		if !reflect.DeepEqual(described(again), described(c)) ||
			c.Degenerate() != (name == "constant") || c.Marginal() != (name == "flat") {
			t.Errorf("%s: %v, restored %v", name, described(c), described(again))
		}
		for _, i := range []int{0, 2, 8} {
			alone := results(t, c, query.Span(i, i+1))[0]
			if m.bundle.Manifest.Family == models.NoriFamily { // kernels of one row round otherwise
				want := rows[i].PPD.(*distr.Quantiles).Knots
				if difference(alone.PPD.(*distr.Quantiles).Knots, want) > 1e-5 {
					t.Errorf("%s: row %d differs alone", name, i)
				}
			} else if !reflect.DeepEqual(alone, rows[i]) {
				t.Errorf("%s: row %d is %v alone, %v among others", name, i, alone, rows[i])
			}
		}
		for i, r := range rows {
			checkRow(t, m, name, i, r)
		}
		var state *StateError
		for _, cut := range []int{len(file) - 1, len(file) - 40, len(file) / 2} {
			if _, err := restore(m, file[:cut]); !errors.As(err, &state) {
				t.Errorf("%s: cut to %d of %d bytes: %v", name, cut, len(file), err)
			}
		}
		broken := bytes.Clone(file)
		broken[len(broken)-60] ^= 1
		if _, err := restore(m, broken); !errors.As(err, &state) {
			t.Errorf("%s: one bit changed: %v", name, err)
		}
	}
}

// tablesFor are tables of 4 columns with missing cells and categories, with and without trees,
// without a feature that varies, and of a constant target or of more classes than outputs.
func tablesFor(m *Model) map[string]Training {
	mixed := synthetic(5, 60, 4)
	if m.Classifier() {
		mixed = classTable(5, 60, 4, 3)
	}
	for i := 0; i < len(mixed.X.Data); i += 7 {
		mixed.X.Data[i] = math.NaN()
	}
	for i := 2; i < len(mixed.X.Data); i += 4 {
		mixed.X.Data[i] = float64(i%3 - 1)
	}
	mixed.Categorical = []bool{false, false, true, false}
	flat := Training{X: Matrix{Rows: 60, Cols: 4, Data: make([]float64, 240)}, Y: mixed.Y}
	tables := map[string]Training{"mixed": mixed, "flat": flat, "trees": grown(mixed)}
	if m.bundle.Manifest.Hierarchical() {
		tables["many"] = classTable(5, 60, 4, m.bundle.Manifest.Head.Levels+4)
	}
	if !m.Classifier() {
		tables["constant"] = Training{X: synthetic(5, 60, 4).X, Y: slices.Repeat([]float64{2}, 60)}
	}
	return tables
}

// checkRow tests the laws of a row's answer.
func checkRow(t *testing.T, m *Model, table string, i int, r Result) {
	t.Helper()
	if (r.Own != nil) != m.Own() || (r.Classes != nil) != m.Classifier() {
		t.Errorf("%s, row %d: %+v", table, i, r)
	}
	switch own := r.Own.(type) {
	case *distr.Surface:
		checkOrder(t, own)
	case *distr.ClassPosterior:
		checkClassPosterior(t, r.Classes, own, 1e-10)
	}
	sum := floats.Sum(r.Classes)
	if m.Classifier() && math.Abs(sum-1) > 1e-12 || table == "constant" && r.PPD.Mean() != 2 {
		t.Errorf("%s, row %d: probabilities sum to %g, %+v", table, i, sum, r)
	}
}

// Verify sees a mistake in every part.
func TestVerifyFindsMistakes(t *testing.T) {
	for _, c := range []struct {
		folder  string
		damages map[string]func(*goldenCase)
	}{
		{"tabicl-classes", map[string]func(*goldenCase){
			"members":               func(g *goldenCase) { slices.Reverse(g.Members[0].Classes) },
			"network":               func(g *goldenCase) { g.Stages.Logits[1][0][0] += 1e-3 },
			"result: probabilities": func(g *goldenCase) { g.Expect.Probabilities[0] += 1e-3 },
		}},
		{"tabpfn-classes", map[string]func(*goldenCase){
			"members":               func(g *goldenCase) { slices.Reverse(g.Members[0].Classes) },
			"network":               func(g *goldenCase) { g.Members[1].Logits[0][0] += 0.1 },
			"result: probabilities": func(g *goldenCase) { g.Expect.Probabilities[0] += 1e-3 },
		}},
		{"tiny-surface", map[string]func(*goldenCase){
			"network: posterior": func(c *goldenCase) { c.Stages.Surface[1][0][6] -= 1e-2 },
			"result: posterior":  func(c *goldenCase) { c.Expect.Surface[9] -= 1e-2 },
		}},
		{"tiny-classes", map[string]func(*goldenCase){
			"network: posterior": func(c *goldenCase) { c.Stages.Posterior[1][0][5] -= 1e-2 },
			"result: posterior":  func(c *goldenCase) { c.Expect.Posterior[9] -= 1e-2 },
		}},
		// a list that is missing or too short is a mistake of its part
		{"tiny", map[string]func(*goldenCase){
			"network":           func(c *goldenCase) { c.Stages.Quantiles = nil },
			"result: knots":     func(c *goldenCase) { c.Expect.Knots = c.Expect.Knots[1:] },
			"result: tails":     func(c *goldenCase) { c.Expect.BetaLeft = nil },
			"result: mean":      func(c *goldenCase) { c.Expect.Mean = nil },
			"result: quantiles": func(c *goldenCase) { c.Expect.Quantiles = nil },
		}},
		{"tabpfn-tiny", map[string]func(*goldenCase){
			"network":               func(c *goldenCase) { c.Members[1].Logits = nil },
			"result: probabilities": func(c *goldenCase) { c.Expect.Probabilities = nil },
			"result: quantiles":     func(c *goldenCase) { c.Expect.Quantiles[0] = nil },
		}},
		{"nori-tiny", map[string]func(*goldenCase){
			"network":           func(c *goldenCase) { c.Members[1].Logits = nil },
			"result: quantiles": func(c *goldenCase) { c.Expect.Quantiles[0] = nil },
		}},
	} {
		m := openFolder(t, filepath.Join("..", "testdata", c.folder), Options{Refit: true,
			NoFingerprint: true})
		checkMistakes(t, m, c.damages)
	}
}
