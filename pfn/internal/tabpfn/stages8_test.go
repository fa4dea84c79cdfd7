package tabpfn

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/yeojohnson"
)

// newStages is an element of testdata/stages8.json, written by scripts/export/tabpfn/fixtures.py: a
// recipe and what the reference makes of tables with it.
type newStages struct {
	Norms  []string      `json:"norms"`
	Recipe models.Recipe `json:"recipe"`
	stageFile
}

func readNewStages(t *testing.T) []newStages {
	t.Helper()
	data, err := os.ReadFile("testdata/stages8.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []newStages
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func (s *newStages) recipe() *Recipe { return &Recipe{&s.Recipe, s.Norms} }

func (s *newStages) fit(c *stageCase) *Transformer {
	return Fit(matrixOf(c.X), c.Y, c.schema(), Preset{Members: len(c.Members), Temperature: 0.9,
		FixedCDF: true, Borders: narrow(s.Borders), Recipe: s.recipe()})
}

// eachNewCase runs a check as a subtest for every recipe and table.
func eachNewCase(t *testing.T, check func(*testing.T, *stageCase, *Transformer)) {
	all := readNewStages(t)
	for i := range all {
		for k := range all[i].Cases {
			c := &all[i].Cases[k]
			t.Run(fmt.Sprintf("recipe %d/%s", i, c.Name), func(t *testing.T) {
				got := all[i].fit(c)
				if got == nil {
					t.Fatal("no column varies")
				}
				check(t, c, got)
			})
		}
	}
}

func TestNewMembersAndLayout(t *testing.T) {
	eachNewCase(t, func(t *testing.T, c *stageCase, got *Transformer) {
		for i, m := range c.Members {
			g, want := got.Members[i], Member{m.Pipeline, m.PowerTarget, nil, m.Seed}
			if !reflect.DeepEqual(g, want) {
				t.Errorf("member %d: %+v, want %+v", i, g, m)
			}
			if !slices.Equal(got.Permutation(i), m.Permutation) {
				t.Errorf("member %d: permutation %v, want %v", i, got.Permutation(i),
					m.Permutation)
			}
		}
		var categorical []int
		for _, k := range got.layout.codes {
			categorical = append(categorical, got.layout.columns[k])
		}
		for _, j := range categorical {
			if !slices.Contains(c.Categorical, j) {
				t.Errorf("categorical %v, want those of %v that vary", categorical, c.Categorical)
			}
		}
		agree(t, "target", []float64{got.Target.Mean, got.Target.SD},
			[]float64{c.Mean, c.Deviation})
	})
}

func TestNewFeatures(t *testing.T) {
	eachNewCase(t, func(t *testing.T, c *stageCase, got *Transformer) {
		tables := []matrix.Matrix{matrixOf(c.X), matrixOf(c.Queries)}
		made := [][][]float32{got.Context(tables[0]), got.Queries(tables[1])}
		for i, m := range c.Members {
			if m.Steps == nil {
				continue
			}
			b := got.branches[got.steps[i].branch]
			reshaped, shuffled := m.Steps["reshaped"], m.Steps["shuffled"]
			for k, want := range [][2][][]number{{reshaped.Context, shuffled.Context},
				{reshaped.Queries, shuffled.Queries}} {
				name := fmt.Sprintf("%s %d", m.Pipeline, k)
				agree(t, name+" reshaped", b.apply(got.layout.apply(tables[k])).Data,
					matrixOf(want[0]).Data)
				agree(t, name+" shuffled", widen(made[k][i]), matrixOf(want[1]).Data)
			}
		}
	})
}

func TestNewTargetAndBorders(t *testing.T) {
	eachNewCase(t, func(t *testing.T, c *stageCase, got *Transformer) {
		for i, m := range c.Members {
			if m.Y == nil {
				continue
			}
			agree(t, "y", widen(got.Labels(i)), m.Y)
			if !m.PowerTarget {
				continue
			}
			p := fitPower(got.Target.Standardize(c.Y), true)
			borders, cancelled, ok := mapBorders(got.preset.Borders, p)
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

func TestNewProbabilities(t *testing.T) {
	eachNewCase(t, func(t *testing.T, c *stageCase, got *Transformer) {
		for row, want := range c.Probabilities {
			var logits [][]float32
			for _, m := range c.Members {
				logits = append(logits, narrow(m.Logits[row]))
				mass := make([]float64, len(want))
				got.bars[m.PowerTarget].add(mass, narrow(m.Logits[row]), 0.9, 1)
				agree(t, "translated", mass, m.Translated[row])
			}
			agree(t, "probabilities", got.Combine(logits), want)
		}
	})
}

func TestRowHash(t *testing.T) {
	for _, s := range readNewStages(t)[:1] {
		f := s.Fingerprint
		context, queries := matrixOf(f.Context), matrixOf(f.Queries)
		h := rowHash{uint64(context.Rows * context.Cols)}
		got := h.context(context).Column(nil, context.Cols)
		if !slices.Equal(got, f.ContextHash) {
			t.Errorf("context %v, want %v", got, f.ContextHash)
		}
		if got = h.query(queries).Column(nil, queries.Cols); !slices.Equal(got, f.QueryHash) {
			t.Errorf("queries %v, want %v", got, f.QueryHash)
		}
		if h.query(context).Column(nil, context.Cols)[4] != f.ContextHash[0] {
			t.Error("a query row has another hash than the first context row like it")
		}
	}
}

func TestNewQueriesDoNotInfluenceEachOther(t *testing.T) {
	eachNewCase(t, func(t *testing.T, c *stageCase, got *Transformer) {
		queries := matrixOf(c.Queries)
		whole := got.Queries(queries)
		for r := range queries.Rows {
			alone := got.Queries(queries.Span(r, r+1))
			for m, w := range whole {
				if n := got.Width(m); !sameBits(alone[m], w[r*n:(r+1)*n]) {
					t.Errorf("member %d, row %d differs alone", m, r)
				}
			}
		}
	})
}

func TestSeedsOfNewMembers(t *testing.T) {
	// tabpfn 8.4.0: pipeline_seeds of TabPFNRegressor(n_estimators=n, random_state=r) after fit
	r := &Recipe{&models.Recipe{Targets: []string{"none", "safepower"}}, []string{"a", "b"}}
	for _, c := range []struct {
		count int
		seed  uint64
		seeds []uint64
	}{
		{8, 0, []uint64{1752122620, 857981325, 990714370, 740045261, 427426810, 1088409149,
			506485341, 948567543}},
		{2, 42, []uint64{1557144107, 657162207}},
	} {
		members, _ := r.members(Preset{Members: c.count, Seed: c.seed})
		var seeds []uint64
		for _, m := range members {
			seeds = append(seeds, m.Seed)
		}
		if !slices.Equal(seeds, c.seeds) {
			t.Errorf("%d members, seed %d: %v, want %v", c.count, c.seed, seeds, c.seeds)
		}
		if m := members[1]; c.count == 2 && (m.Pipeline != "a" || !m.PowerTarget) {
			t.Errorf("the second of 2 members is %+v, want the second pair", m)
		}
	}
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
	r := readNewStages(t)[0].recipe()
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
