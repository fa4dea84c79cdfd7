package tabpfn

import (
	"math"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/models"
)

// Literals were printed by SciPy 1.17 with the line beside them.

func TestShapiro(t *testing.T) {
	fibonacci := []float64{1, 2, 3, 5, 8, 13, 21, 34, 55, 89.5, -4}
	powers := make([]float64, 12)
	for i := range powers {
		powers[i] = math.Pow(float64(i), 1.5)
	}
	for _, c := range []struct {
		values []float64
		want   float64
	}{ // shapiro(x).statistic
		{fibonacci, 0.7914269574597533}, {powers, 0.9361930922378474},
		{slices.Repeat([]float64{float64(float32(0.1))}, 50), 1},
	} {
		if got := shapiroW(c.values); math.Abs(got-c.want) > 1e-7 {
			t.Errorf("W = %.9g, want %.9g", got, c.want)
		}
	}
	mean := 0.0
	for _, v := range fibonacci {
		mean += v / float64(len(fibonacci))
	}
	if got := thirdMoment(fibonacci, mean); math.Abs(got-1.7006953296502056) > 1e-12 {
		t.Errorf("third moment %.12g", got) // skew(x, bias=False)
	}
}

// The first rows decide about the normality of a column; where they are alike, nothing speaks
// against it.
func TestSortedColumn(t *testing.T) {
	values := make([]float64, 2*shapiroRows)
	for i := range shapiroRows {
		values[shapiroRows+i] = float64(i%41 - 20)
	}
	if got := shapeOf(values); got != plain {
		t.Errorf("shape %d, want %d", got, plain)
	}
}

func TestShapesOfColumns(t *testing.T) {
	n := 60
	column := func(of func(i int) float64) []float64 {
		values := make([]float64, n)
		for i := range values {
			values[i] = of(i)
		}
		return values
	}
	odd := func(i int) float64 { return float64(i%7) * 1e-4 }
	top := func(i int, high float64) float64 { // a quarter of the rows far above the others
		if i%4 == 0 {
			return high + odd(i) + float64(i)*1e-3
		}
		return odd(i) + float64(i)*1e-5
	}
	for name, c := range map[string]struct {
		values []float64
		want   shape
	}{
		"nine values": {column(func(i int) float64 { return float64(i % 9) }), plain},
		"a line":      {column(func(i int) float64 { return float64(i) }), plain},
		"heavy":       {column(func(i int) float64 { return math.Exp(float64(i)) }), heavy},
		"share":       {column(func(i int) float64 { return top(i, 0.9) }), share},
		"positive":    {column(func(i int) float64 { return top(i, 5) }), positive},
		"skewed":      {column(func(i int) float64 { return top(i, 5) - 1 }), skewed},
		"two humps": {column(func(i int) float64 { return float64(10*(i%2)) + float64(i)*1e-3 }),
			irregular},
		"nothing": {column(func(int) float64 { return math.NaN() }), plain},
	} {
		if got := shapeOf(c.values); got != c.want {
			t.Errorf("%s: shape %d, want %d", name, got, c.want)
		}
	}
}

// noriOf is the part of a manifest with these pipelines.
func noriOf(pipelines ...models.NoriPipeline) models.Parts {
	return models.Parts{Nori: &models.Nori{Pipelines: pipelines}}
}

// Members repeat the pipelines with other seeds. The first do not depend on how many follow.
func TestNoriMembers(t *testing.T) {
	p := Preset{Members: 3, Parts: noriOf(models.NoriPipeline{Subsampler: true, Products: 10,
		Transform: "quantile", Categories: true, Fingerprint: true, Shuffle: true},
		models.NoriPipeline{Transform: "none", Shuffle: true})}
	members := p.noriMembers()
	// random.seed(0); [random.randint(0, 10000) for _ in range(30)]
	want := seeds{products: 6890, transform: 4242, categories: 8376, fingerprint: 7961, shuffle: 6634}
	if members[0].nori.seeds != want || members[0].Pipeline != "quantile" ||
		members[2].Pipeline != "quantile" {
		t.Errorf("members %+v", members)
	}
	if members[1].nori.seeds.shuffle != 3578 || members[2].nori.seeds == want {
		t.Errorf("members %+v", members)
	}
}

// A context of more rows than a transform is fitted to; the reference draws 2,000 of them. A row
// with a category that the context lacks reads one more code, and huge numbers become float32.
func TestNoriRowsAndCodes(t *testing.T) {
	x := matrix.New(2300, 3)
	for i := range x.Rows {
		x.Row(i)[0] = math.Mod(float64(i)*0.61803398875, 1) * float64(1-2*(i%2))
		x.Row(i)[1] = float64(i % 3)
		x.Row(i)[2] = math.Exp(math.Mod(float64(i)*0.7548776662, 1) * 9)
	}
	made := Fit(x, nil, []bool{false, true, false}, Preset{Members: 1,
		Fingerprint: true, Parts: noriOf(models.NoriPipeline{Transform: "adaptive", Fingerprint: true})})
	query := matrix.Matrix{Rows: 2, Cols: 3, Data: []float64{0.5, noCategory, 1e300, 0.5, 3, 1e39}}
	got := made.Queries(query)[0]
	if width := made.Width(0); width != 4 || !slices.Equal(got[:3], got[width:width+3]) {
		t.Errorf("an unseen category is %v, the next code %v", got[:width], got[width:])
	}
	for i, v := range made.Context(x)[0] {
		if v-v != 0 {
			t.Fatalf("value %d is %g", i, v)
		}
	}
	plain := Preset{Members: 1, Parts: noriOf(models.NoriPipeline{Transform: "none"})}
	if Fit(matrix.New(5, 2), nil, make([]bool, 2), plain) != nil {
		t.Error("nothing varies, but there is a transformer")
	}
}

// policy is testdata/nori.json, written by scripts.export.nori.fixtures of commit 0144518d: the
// pipelines of nori-1-5, and what the reference makes of tables with them.
type policy struct {
	Pipelines []models.NoriPipeline `json:"pipelines"`
	Cases     []struct {
		Name    string     `json:"name"`
		X       [][]number `json:"x"`
		Queries [][]number `json:"queries"`
		Members []struct {
			Permutation []int      `json:"permutation"`
			Context     [][]number `json:"context"`
			Queries     [][]number `json:"queries"`
		} `json:"members"`
	} `json:"cases"`
}

// The reference rounds to float32, and its searches for powers end where a likelihood is flat.
const noriTolerance = 2e-6

func TestNoriStages(t *testing.T) {
	var p policy
	readJSON(t, "testdata/nori.json", &p)
	for _, c := range p.Cases {
		x, queries := matrixOf(c.X), matrixOf(c.Queries)
		made := Fit(x, nil, make([]bool, x.Cols),
			Preset{Members: len(c.Members), Parts: noriOf(p.Pipelines...)})
		context, asked := made.Context(x), made.Queries(queries)
		for i, m := range c.Members {
			if !slices.Equal(made.Permutation(i), m.Permutation) {
				t.Fatalf("%s, member %d: order %v, want %v", c.Name, i, made.Permutation(i), m.Permutation)
			}
			gap := max(worst(widen(context[i]), matrixOf(m.Context).Data),
				worst(widen(asked[i]), matrixOf(m.Queries).Data))
			if !(gap <= noriTolerance) {
				t.Errorf("%s, member %d: off by %g", c.Name, i, gap)
			}
		}
	}
}
