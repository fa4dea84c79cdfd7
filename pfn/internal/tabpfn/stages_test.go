package tabpfn

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/yeojohnson"
)

// stageTolerance is how far a stage may be from the reference, relative to max(1, |reference|).
// Lambdas are searched to 1.5e-8, singular vectors agree to about 1e-12, the vectors are written
// with 9 digits.
const stageTolerance = 1e-5

// number reads null as NaN.
type number float64

func (n *number) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*n = number(math.NaN())
		return nil
	}
	return json.Unmarshal(data, (*float64)(n))
}

// pair is a matrix of the context rows and of the query rows.
type pair struct {
	Context [][]number `json:"context"`
	Queries [][]number `json:"queries"`
}

// stageMember is one member of the reference.
type stageMember struct {
	Seed            uint64          `json:"seed"`
	Pipeline        Pipeline        `json:"pipeline"`
	PowerTarget     bool            `json:"power_target"`
	Permutation     []int           `json:"permutation"`
	Steps           map[string]pair `json:"steps"`
	Y               []float64       `json:"y"`
	Logits          [][]float64     `json:"logits"`
	Translated      [][]float64     `json:"translated"`
	TranslatedFixed [][]float64     `json:"translated_fixed"`
}

// stageCase is one table and what the reference makes of it.
type stageCase struct {
	Name          string        `json:"name"`
	X             [][]number    `json:"x"`
	Y             []float64     `json:"y"`
	Queries       [][]number    `json:"queries"`
	Declared      []int         `json:"declared"`
	Mean          float64       `json:"mean"`
	Deviation     float64       `json:"deviation"`
	Members       []stageMember `json:"members"`
	Probabilities [][]float64   `json:"probabilities"`
}

// stageFile is testdata/stages.json, or an element of testdata/stages8.json, written by
// scripts/export/tabpfn/fixtures.py: a recipe, if it is of package 8.4.0, and what the reference
// makes of tables with it.
type stageFile struct {
	Norms       []string       `json:"norms"`
	Recipe      *models.Recipe `json:"recipe"`
	Borders     []float64      `json:"borders"`
	Fingerprint struct {
		Seed        uint64     `json:"seed"`
		Context     [][]number `json:"context"`
		Queries     [][]number `json:"queries"`
		ContextHash []float64  `json:"context_hash"`
		QueryHash   []float64  `json:"query_hash"`
	} `json:"fingerprint"`
	Cases []stageCase `json:"cases"`
}

// readStages reads both files, that of package 2.0.9 first.
func readStages(t *testing.T) []stageFile {
	t.Helper()
	all, newer := make([]stageFile, 1), []stageFile(nil)
	readJSON(t, "testdata/stages.json", &all[0])
	readJSON(t, "testdata/stages8.json", &newer)
	return append(all, newer...)
}

func readJSON(t *testing.T, file string, v any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func matrixOf(rows [][]number) matrix.Matrix {
	m := matrix.Matrix{Rows: len(rows), Cols: len(rows[0])}
	for _, row := range rows {
		for _, v := range row {
			m.Data = append(m.Data, float64(v))
		}
	}
	return m
}

// table is the table as the user gave it: that of package 2.0.9 comes after the move of the
// declared columns to the front.
func (f *stageFile) table(c *stageCase, rows [][]number) matrix.Matrix {
	moved := matrixOf(rows)
	if f.Recipe != nil {
		return moved
	}
	order := slices.Concat(c.Declared, others(moved.Cols, c.Declared))
	out := matrix.New(moved.Rows, moved.Cols)
	for at, j := range order {
		for i := range out.Rows {
			out.Row(i)[j] = moved.Row(i)[at]
		}
	}
	return out
}

// fit fits a case; fixed is the right share of a bar, which package 8.4.0 has.
func (f *stageFile) fit(c *stageCase, fixed bool) *Transformer {
	declared := make([]bool, len(c.X[0]))
	for _, j := range c.Declared {
		declared[j] = true
	}
	p := Preset{Members: len(c.Members), Temperature: 0.9, FixedCDF: fixed || f.Recipe != nil,
		Borders: narrow(f.Borders)}
	if f.Recipe != nil {
		p.Recipe = &Recipe{f.Recipe, f.Norms}
	}
	return Fit(f.table(c, c.X), c.Y, Schema{Encoded: declared, Declared: declared}, p)
}

// worst is the largest |got - want|/max(1, |want|), +Inf if one is missing and the other is not.
func worst(got, want []float64) float64 {
	if len(got) != len(want) {
		return math.Inf(1)
	}
	var most float64
	for i, w := range want {
		if math.IsNaN(w) != math.IsNaN(got[i]) {
			return math.Inf(1)
		}
		if !math.IsNaN(w) {
			most = math.Max(most, math.Abs(got[i]-w)/math.Max(1, math.Abs(w)))
		}
	}
	return most
}

// agree fails if a stage is too far off.
func agree(t *testing.T, stage string, got, want []float64) {
	t.Helper()
	if gap := worst(got, want); !(gap <= stageTolerance) {
		t.Errorf("%s: off by %g (%d values, want %d)", stage, gap, len(got), len(want))
	}
}

// Members, what they read, their targets and what their logits become are those of the reference.
func TestStages(t *testing.T) {
	for k, f := range readStages(t) {
		for i := range f.Cases {
			t.Run(fmt.Sprintf("file %d/%s", k, f.Cases[i].Name), func(t *testing.T) {
				checkStages(t, &f, &f.Cases[i])
			})
		}
	}
}

func checkStages(t *testing.T, f *stageFile, c *stageCase) {
	got, fixed := f.fit(c, false), f.fit(c, true)
	agree(t, "target", []float64{got.Target.Mean, got.Target.SD}, []float64{c.Mean, c.Deviation})
	context, asked := got.Context(f.table(c, c.X)), f.table(c, c.Queries)
	queries := got.Queries(asked)
	for i, m := range c.Members {
		g := got.Members[i]
		if g.Pipeline != m.Pipeline || g.PowerTarget != m.PowerTarget || g.Seed != m.Seed ||
			!slices.Equal(got.Permutation(i), m.Permutation) {
			t.Errorf("member %d: %+v, order %v, want %+v", i, g, got.Permutation(i), m)
		}
		if m.Steps != nil {
			want := m.Steps["shuffled"]
			agree(t, string(m.Pipeline)+" context", widen(context[i]), matrixOf(want.Context).Data)
			agree(t, string(m.Pipeline)+" queries", widen(queries[i]), matrixOf(want.Queries).Data)
		}
		if m.Y != nil {
			agree(t, "y", widen(got.Labels(i)), m.Y)
		}
		for row, logits := range m.Logits {
			mass := make([]float64, len(logits))
			got.bars[m.PowerTarget].add(mass, narrow(logits), 0.9, 1)
			agree(t, "translated", mass, m.Translated[row])
			if row < len(m.TranslatedFixed) {
				clear(mass)
				fixed.bars[m.PowerTarget].add(mass, narrow(logits), 0.9, 1)
				agree(t, "translated, fixed", mass, m.TranslatedFixed[row])
			}
		}
	}
	for row, want := range c.Probabilities {
		var logits [][]float32
		for _, m := range c.Members {
			logits = append(logits, narrow(m.Logits[row]))
		}
		agree(t, "probabilities", got.Combine(logits), want)
	}
	for r := range asked.Rows {
		for m, alone := range got.Queries(asked.Span(r, r+1)) {
			if n := got.Width(m); !sameBits(alone, queries[m][r*n:(r+1)*n]) {
				t.Errorf("member %d, row %d differs alone", m, r)
			}
		}
	}
}

func TestFingerprint(t *testing.T) {
	for k, s := range readStages(t)[:2] {
		f := s.Fingerprint
		context, queries := matrixOf(f.Context), matrixOf(f.Queries)
		hash := []fingerprint{newSaltedHash(f.Seed), rowHash{uint64(len(context.Data))}}[k]
		got := hash.context(context).Column(nil, context.Cols)
		if !slices.Equal(got, f.ContextHash) {
			t.Errorf("context %v, want %v", got, f.ContextHash)
		}
		if got = hash.query(queries).Column(nil, queries.Cols); !slices.Equal(got, f.QueryHash) {
			t.Errorf("queries %v, want %v", got, f.QueryHash)
		}
		if k == 1 && hash.query(context).Column(nil, context.Cols)[4] != f.ContextHash[0] {
			t.Error("a query row has another hash than the first context row like it")
		}
	}
}

func widen(values []float32) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = float64(v)
	}
	return out
}

func TestSquash(t *testing.T) {
	// examples of tabpfn.preprocessing.SquashingScaler
	for name, c := range map[string][2][]float64{
		"quartiles":       {{3, -1, nan, 2}, {0.49319696, -1.34164079, nan, 0}},
		"equal quartiles": {{0, 1, 1, 1, 2, nan}, {-0.9486833, 0, 0, 0, 0.9486833, nan}},
		"constant":        {{1, 1, 1, nan}, {0, 0, 0, nan}},
	} {
		s := fitSquash(c[0], 3)
		var got []float64
		for _, v := range c[0] {
			got = append(got, s.apply(v))
		}
		if gap := worst(got, c[1]); gap > 1e-7 {
			t.Errorf("%s: %v, want %v", name, got, c[1])
		}
	}
	if z := fitSquash([]float64{0, 1, 2, 3}, 10).apply(1e100); math.Abs(z-10) > 1e-9 {
		t.Errorf("a huge value becomes %g, want 10", z)
	}
}

func TestYeoJohnsonByPowers(t *testing.T) {
	for _, lambda := range []float64{-3, 0, 1e-17, 0.7, 1, 2, 5} {
		for _, x := range []float64{-3, -0.4, 0, 0.4, 3} {
			y, stable := yeoJohnson(x, lambda), yeojohnson.Transform(x, lambda)
			if math.Abs(y-stable) > 1e-9*math.Max(1, math.Abs(y)) {
				t.Errorf("lambda %g: %g goes to %g, by logarithms to %g", lambda, x, y, stable)
			}
			if back := unYeoJohnson(y, lambda); math.Abs(back-x) > 1e-9 {
				t.Errorf("lambda %g: %g goes to %g and back to %g", lambda, x, y, back)
			}
		}
	}
}

func TestColumnsOfAMemberThatDoNotVary(t *testing.T) {
	r := &Recipe{&models.Recipe{Pipelines: []models.Pipeline{{Append: "no", MaxColumns: 1}},
		Targets: []string{"none"}, MaxCategories: 30, RowsToInfer: 100, FewestForNumber: 4},
		[]string{"a"}}
	x, y := matrix.New(5, 9), []float64{1, 2, 3, 4, 5}
	p := Preset{Members: 8, Temperature: 1, Borders: []float32{-1, 0, 1}, Recipe: r}
	if Fit(x, y, Schema{}, p) != nil {
		t.Error("a table without variation was accepted")
	}
	for i, v := range []float64{5, 3, 8, 1, 2} {
		x.Row(i)[4] = v
	}
	if got := Fit(x, y, Schema{}, p); got == nil || !got.Blind() {
		t.Error("members that read one of nine columns are not blind")
	}
	r.Pipelines[0].MaxColumns = 9
	if got := Fit(x, y, Schema{}, p); got == nil || got.Blind() || got.Width(0) != 1 {
		t.Error("members that read all columns are blind, or read more than the one that varies")
	}
}

func TestColumnsThatAMemberReads(t *testing.T) {
	// tabpfn 8.4.0: lengths of subsample_feature_indices with the pipelines of v2.5 and the hash
	f := readStages(t)[1]
	r := &Recipe{f.Recipe, f.Norms}
	for _, c := range []struct{ rows, columns, quantile, squash int }{
		{30, 249, 249, 249}, {30, 250, 249, 250}, {1100, 400, 400, 399}, {1100, 401, 401, 399},
		{30, 499, 499, 495}, {30, 500, 499, 495},
	} {
		l := layout{kinds: make([]kind, c.columns)}
		for i, want := range []int{c.quantile, c.squash} {
			if got := r.mostInputs(ingredients(r.Pipelines[i]), l, c.rows, true); got != want {
				t.Errorf("%d columns, pipeline %d: %d, want %d", c.columns, i, got, want)
			}
		}
	}
}
