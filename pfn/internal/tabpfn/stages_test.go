package tabpfn

import (
	"encoding/json"
	"math"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/internal/matrix"
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
	Borders         []float64       `json:"borders"`
	Cancelled       int             `json:"cancelled"`
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
	Categorical   []int         `json:"categorical"`
	Mean          float64       `json:"mean"`
	Deviation     float64       `json:"deviation"`
	Members       []stageMember `json:"members"`
	Probabilities [][]float64   `json:"probabilities"`
}

// stageFile is testdata/stages.json, written by scripts/export/tabpfn/fixtures.py.
type stageFile struct {
	Borders     []float64 `json:"borders"`
	Fingerprint struct {
		Seed        uint64     `json:"seed"`
		Context     [][]number `json:"context"`
		Queries     [][]number `json:"queries"`
		ContextHash []float64  `json:"context_hash"`
		QueryHash   []float64  `json:"query_hash"`
	} `json:"fingerprint"`
	Cases []stageCase `json:"cases"`
}

func readStages(t *testing.T) stageFile {
	t.Helper()
	data, err := os.ReadFile("testdata/stages.json")
	if err != nil {
		t.Fatal(err)
	}
	var f stageFile
	if err := json.Unmarshal(data, &f); err != nil {
		t.Fatal(err)
	}
	return f
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

// flags marks the listed columns.
func flags(n int, listed []int) []bool {
	out := make([]bool, n)
	for _, j := range listed {
		out[j] = true
	}
	return out
}

func (c *stageCase) schema() Schema {
	declared := flags(len(c.X[0]), c.Declared)
	return Schema{Encoded: declared, Declared: declared}
}

// table is the table as the user gave it: the reference's comes after the move of the declared
// columns to the front.
func (c *stageCase) table(rows [][]number) matrix.Matrix {
	moved := matrixOf(rows)
	order := slices.Concat(c.Declared, others(moved.Cols, c.Declared))
	out := matrix.New(moved.Rows, moved.Cols)
	for at, j := range order {
		for i := range out.Rows {
			out.Row(i)[j] = moved.Row(i)[at]
		}
	}
	return out
}

func (c *stageCase) fit(borders []float64) *Transformer {
	return Fit(c.table(c.X), c.Y, c.schema(), Preset{Members: len(c.Members), Temperature: 0.9,
		Borders: narrow(borders)})
}

// branchOf is the branch of a pipeline whose members read all columns.
func (t *Transformer) branchOf(p Pipeline) branch { return t.branches[t.shared(p, nil)] }

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
	} else {
		t.Logf("%s: off by %.2g", stage, gap)
	}
}

// eachCase runs a check as a subtest for every table.
func eachCase(t *testing.T, check func(*testing.T, *stageCase, *Transformer)) {
	f := readStages(t)
	for i := range f.Cases {
		c := &f.Cases[i]
		t.Run(c.Name, func(t *testing.T) { check(t, c, c.fit(f.Borders)) })
	}
}

func TestMembersAndLayout(t *testing.T) {
	eachCase(t, func(t *testing.T, c *stageCase, got *Transformer) {
		for i, m := range c.Members {
			g, want := got.Members[i], Member{m.Pipeline, m.PowerTarget, nil, m.Seed}
			if !reflect.DeepEqual(g, want) {
				t.Errorf("member %d: %+v, want %+v", i, g, m)
			}
			if !slices.Equal(got.steps[i].permutation, m.Permutation) {
				t.Errorf("member %d: permutation %v, want %v", i, got.steps[i].permutation,
					m.Permutation)
			}
		}
		l := fitLayout(c.table(c.X), c.schema())
		if len(l.codes) > len(c.Categorical) {
			t.Errorf("categorical %v, want those of %v that vary", l.codes, c.Categorical)
		}
		agree(t, "target", []float64{got.Target.Mean, got.Target.SD},
			[]float64{c.Mean, c.Deviation})
	})
}

func TestReshaped(t *testing.T) {
	eachCase(t, func(t *testing.T, c *stageCase, got *Transformer) {
		for _, m := range c.Members {
			if m.Steps == nil {
				continue
			}
			want := m.Steps["reshaped"]
			for name, rows := range map[string][2][][]number{
				"context": {c.X, want.Context}, "queries": {c.Queries, want.Queries},
			} {
				out := got.branchOf(m.Pipeline).apply(got.layout.apply(c.table(rows[0])))
				agree(t, string(m.Pipeline)+" "+name, out.Data, matrixOf(rows[1]).Data)
			}
		}
	})
}

func TestEncodedAndShuffled(t *testing.T) {
	eachCase(t, func(t *testing.T, c *stageCase, got *Transformer) {
		for i, m := range c.Members {
			if m.Steps == nil {
				continue
			}
			reshaped, shuffled := m.Steps["reshaped"], m.Steps["shuffled"]
			encoded, ok := m.Steps["encoded"]
			if !ok {
				encoded = reshaped
			}
			s := got.plan.fitSteps(got.Members[i], matrixOf(reshaped.Context),
				got.branchOf(m.Pipeline).reshaper.categorical(), false)
			name := string(m.Pipeline)
			agree(t, name+" encoded context", s.encode(matrixOf(reshaped.Context)).Data,
				matrixOf(encoded.Context).Data)
			agree(t, name+" encoded queries", s.encode(matrixOf(reshaped.Queries)).Data,
				matrixOf(encoded.Queries).Data)
			agree(t, name+" shuffled", s.apply(matrixOf(reshaped.Queries), false).Data,
				matrixOf(shuffled.Queries).Data)
		}
	})
}

func TestPipelinesEndToEnd(t *testing.T) {
	eachCase(t, func(t *testing.T, c *stageCase, got *Transformer) {
		context, queries := got.Context(c.table(c.X)), got.Queries(c.table(c.Queries))
		for i, m := range c.Members {
			if m.Steps == nil {
				continue
			}
			want := m.Steps["shuffled"]
			agree(t, string(m.Pipeline)+" context", widen(context[i]), matrixOf(want.Context).Data)
			agree(t, string(m.Pipeline)+" queries", widen(queries[i]), matrixOf(want.Queries).Data)
			if got.Width(i) != len(want.Context[0]) {
				t.Errorf("width %d, want %d", got.Width(i), len(want.Context[0]))
			}
		}
	})
}

func TestTargetAndBorders(t *testing.T) {
	eachCase(t, func(t *testing.T, c *stageCase, got *Transformer) {
		for i, m := range c.Members {
			if m.Y == nil {
				continue
			}
			agree(t, "y", widen(got.Labels(i)), m.Y)
			if !m.PowerTarget {
				continue
			}
			borders, cancelled, ok := mapBorders(got.preset.Borders,
				fitPower(got.Target.Standardize(c.Y), false))
			if !ok {
				t.Fatal("no border is left")
			}
			agree(t, "borders", widen(borders), m.Borders)
			if n := count(cancelled); n != m.Cancelled {
				t.Errorf("%d bars cancelled, want %d", n, m.Cancelled)
			}
		}
	})
}

func TestTranslated(t *testing.T) {
	eachCase(t, func(t *testing.T, c *stageCase, got *Transformer) {
		fixed := c.fitFixed(got)
		for _, m := range c.Members {
			for row, logits := range m.Logits {
				mass := make([]float64, len(logits))
				got.bars[m.PowerTarget].add(mass, narrow(logits), 0.9, 1)
				agree(t, "translated", mass, m.Translated[row])
				if row < len(m.TranslatedFixed) {
					mass = make([]float64, len(logits))
					fixed.bars[m.PowerTarget].add(mass, narrow(logits), 0.9, 1)
					agree(t, "translated, fixed", mass, m.TranslatedFixed[row])
				}
			}
		}
	})
}

// fitFixed is fit with the right share of a bar.
func (c *stageCase) fitFixed(like *Transformer) *Transformer {
	p := like.preset
	p.FixedCDF = true
	return Fit(c.table(c.X), c.Y, c.schema(), p)
}

func TestCombined(t *testing.T) {
	eachCase(t, func(t *testing.T, c *stageCase, got *Transformer) {
		for row, want := range c.Probabilities {
			var logits [][]float32
			for _, m := range c.Members {
				logits = append(logits, narrow(m.Logits[row]))
			}
			agree(t, "probabilities", got.Combine(logits), want)
		}
	})
}

func TestFingerprint(t *testing.T) {
	f := readStages(t).Fingerprint
	hash := newSaltedHash(f.Seed)
	context, queries := matrixOf(f.Context), matrixOf(f.Queries)
	got := hash.context(context).Column(nil, context.Cols)
	if !slices.Equal(got, f.ContextHash) {
		t.Errorf("context %v, want %v", got, f.ContextHash)
	}
	if got = hash.query(queries).Column(nil, queries.Cols); !slices.Equal(got, f.QueryHash) {
		t.Errorf("queries %v, want %v", got, f.QueryHash)
	}
}

func widen(values []float32) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = float64(v)
	}
	return out
}

func count(flags []bool) int {
	n := 0
	for _, f := range flags {
		if f {
			n++
		}
	}
	return n
}
