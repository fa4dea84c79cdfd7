package tabpfn

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/internal/must"
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

// stageMember is one member of the reference; what an earlier one has is not repeated.
type stageMember struct {
	Seed        uint64    `json:"seed"`
	Pipeline    Pipeline  `json:"pipeline"`
	PowerTarget bool      `json:"power_target"`
	Permutation []int     `json:"permutation"`
	Shuffled    *pair     `json:"shuffled"` // what the network reads
	Y           []float64 `json:"y"`
}

// stageCase is one table and what the reference makes of it.
type stageCase struct {
	Name      string        `json:"name"`
	X         [][]number    `json:"x"`
	Y         []float64     `json:"y"`
	Queries   [][]number    `json:"queries"`
	Declared  []int         `json:"declared"`
	Mean      float64       `json:"mean"`
	Deviation float64       `json:"deviation"`
	Members   []stageMember `json:"members"`
}

// stageFile is an element of testdata/stages.json, written by scripts.export.tabpfn.fixtures of
// commit 0144518d: a recipe that no bundle of testdata has, and what package 8.4.0 makes of tables
// with it.
type stageFile struct {
	Norms       []string       `json:"norms"`
	Recipe      *models.Recipe `json:"recipe"`
	Borders     []float64      `json:"borders"`
	Fingerprint struct {
		Context     [][]number `json:"context"`
		Queries     [][]number `json:"queries"`
		ContextHash []float64  `json:"context_hash"`
		QueryHash   []float64  `json:"query_hash"`
	} `json:"fingerprint"`
	Cases []stageCase `json:"cases"`
}

func readStages(t *testing.T) (files []stageFile) {
	t.Helper()
	readJSON(t, "testdata/stages.json", &files)
	return files
}

func readJSON(t *testing.T, file string, v any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	must.Succeed(t, err)
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

func (f *stageFile) fit(c *stageCase) *Transformer {
	declared := make([]bool, len(c.X[0]))
	for _, j := range c.Declared {
		declared[j] = true
	}
	return Fit(matrixOf(c.X), c.Y, declared,
		Preset{Members: len(c.Members), Borders: narrow(f.Borders), Norms: f.Norms,
			Parts: bars(models.TabPFN{CDF: models.CDFFixed, Recipe: f.Recipe})})
}

// bars is the part of a manifest of a network with bars.
func bars(t models.TabPFN) models.Parts {
	t.Temperature = 0.9
	return models.Parts{TabPFN: &t}
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

// Members, what they read and their targets are those of the reference.
func TestStages(t *testing.T) {
	for k, f := range readStages(t) {
		for i := range f.Cases {
			t.Run(fmt.Sprintf("recipe %d/%s", k, f.Cases[i].Name), func(t *testing.T) {
				checkStages(t, &f, &f.Cases[i])
			})
		}
	}
}

func checkStages(t *testing.T, f *stageFile, c *stageCase) {
	got, asked := f.fit(c), matrixOf(c.Queries)
	agree(t, "target", []float64{got.Target.Mean, got.Target.SD}, []float64{c.Mean, c.Deviation})
	context, queries := got.Context(matrixOf(c.X)), got.Queries(asked)
	for i, m := range c.Members {
		g := got.Members[i]
		if g.Pipeline != m.Pipeline || g.PowerTarget != m.PowerTarget || g.Seed != m.Seed ||
			!slices.Equal(got.Permutation(i), m.Permutation) {
			t.Errorf("member %d: %+v, order %v, want %+v", i, g, got.Permutation(i), m)
		}
		if m.Shuffled != nil {
			agree(t, string(m.Pipeline)+" context", widen(context[i]), matrixOf(m.Shuffled.Context).Data)
			agree(t, string(m.Pipeline)+" queries", widen(queries[i]), matrixOf(m.Shuffled.Queries).Data)
		}
		if m.Y != nil {
			agree(t, "y", widen(got.Labels(i)), m.Y)
		}
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
	f := readStages(t)[0].Fingerprint
	context, queries := matrixOf(f.Context), matrixOf(f.Queries)
	hash := rowHash{uint64(len(context.Data))}
	checkHash(t, hash, context, queries, f.ContextHash, f.QueryHash)
	if hash.query(context).Column(nil, context.Cols)[4] != f.ContextHash[0] {
		t.Error("a query row has another hash than the first context row like it")
	}
	// package 2.0.9: AddFingerprintFeatures of a member with this seed, of equal rows
	row := []float64{-0.8, 0.24, 0.38801261829652994, 0.23232323232323226, 1.5941003125722442}
	gaps := []float64{nan, 2.52, nan, 1, 4.760877408053679}
	context = matrix.Matrix{Rows: 4, Cols: 5, Data: slices.Concat(row, row, row, gaps)}
	queries = matrix.Matrix{Rows: 1, Cols: 5, Data: []float64{-0.4, 0.19, 0.5141955835962144,
		0.2154882154882155, 1.6389050789848452}}
	checkHash(t, newSaltedHash(1746484539), context, queries, []float64{0.712381942367,
		0.789489779647, 0.440849583701, 0.390378978623}, []float64{0.055386109306})
}

func checkHash(t *testing.T, f fingerprint, context, queries matrix.Matrix, want, asked []float64) {
	t.Helper()
	if got := f.context(context).Column(nil, context.Cols); !slices.Equal(got, want) {
		t.Errorf("context %v, want %v", got, want)
	}
	if got := f.query(queries).Column(nil, queries.Cols); !slices.Equal(got, asked) {
		t.Errorf("queries %v, want %v", got, asked)
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
			got = append(got, s(v))
		}
		if gap := worst(got, c[1]); gap > 1e-7 {
			t.Errorf("%s: %v, want %v", name, got, c[1])
		}
	}
	if z := fitSquash([]float64{0, 1, 2, 3}, 10)(1e100); math.Abs(z-10) > 1e-9 {
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
	r := &models.Recipe{Pipelines: []models.Pipeline{{Append: "no", MaxColumns: 1}},
		Targets: []string{"none"}, MaxCategories: 30, RowsToInfer: 100, FewestForNumber: 4}
	x, y := matrix.New(5, 9), []float64{1, 2, 3, 4, 5}
	p := Preset{Members: 8, Norms: []string{"a"}, Borders: []float32{-1, 0, 1},
		Parts: bars(models.TabPFN{Recipe: r})}
	if Fit(x, y, make([]bool, x.Cols), p) != nil {
		t.Error("a table without variation was accepted")
	}
	for i, v := range []float64{5, 3, 8, 1, 2} {
		x.Row(i)[4] = v
	}
	if got := Fit(x, y, make([]bool, x.Cols), p); got == nil || !got.Blind {
		t.Error("members that read one of nine columns are not blind")
	}
	r.Pipelines[0].MaxColumns = 9
	if got := Fit(x, y, make([]bool, x.Cols), p); got == nil || got.Blind || got.Width(0) != 1 {
		t.Error("members that read all columns are blind, or read more than the one that varies")
	}
}

func TestColumnsThatAMemberReads(t *testing.T) {
	// tabpfn 8.4.0: lengths of subsample_feature_indices with the pipelines of v2.5 and the hash
	r := &recipe{Pipelines: []models.Pipeline{
		{Append: "auto", Categories: "numeric", MaxColumns: 500},
		{Append: "no", Components: "svd_quarter_components", MaxColumns: 500}}}
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
