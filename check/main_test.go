package check

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

func TestMain(m *testing.M) { orttest.Main(m, "") }

// houses are rows with a number, a category and a date, and the label price; every tenth row from
// the fifth on lacks its area. Areas are shifted.
func houses(seed uint64, n int, shift float64) []map[string]any {
	random := rand.New(rand.NewPCG(seed, 1))
	rows := make([]map[string]any, n)
	for i := range rows {
		area := 60 + 10*random.NormFloat64()
		rows[i] = map[string]any{"area": area + shift, "town": []string{"Bath", "York"}[random.IntN(2)],
			"price": 2*area + 5*random.NormFloat64(), "kind": []string{"flat",
				"house"}[random.IntN(2)]}
		if i%10 == 5 {
			rows[i]["area"] = nil
		}
	}
	return rows
}

// tableOf is a table of rows that cannot fail.
func tableOf(t *testing.T, name string, rows []map[string]any) *tabular.Table {
	t.Helper()
	table, err := pfnamp.Table(name, rows)
	must.Succeed(t, err)
	return table
}

// batchOf are rows as a batch.
func batchOf(t *testing.T, s *tabular.Schema, rows []map[string]any) Batch {
	t.Helper()
	b, err := Read(s, tableOf(t, "batch", rows))
	must.Succeed(t, err)
	return b
}

// schemaOf is what is learned of a labelled table, with its encoded rows.
func schemaOf(t *testing.T, rows []map[string]any) (*tabular.Schema, pfn.Training) {
	t.Helper()
	table := tableOf(t, "train", rows)
	s, err := tabular.Learn(table, tabular.SchemaOptions{Target: "price", Ignore: []string{"kind"}})
	must.Succeed(t, err)
	b := batchOf(t, s, rows)
	return s, pfn.Training{X: b.Matrix, Y: b.Labels, Categorical: s.Categorical()}
}

// shared are models that all tests use.
var shared = map[string]*pfn.Model{}

// fit reads houses with a bundle of testdata.
func fit(t *testing.T, bundle, target string, rows []map[string]any) *pfnamp.Fitted {
	t.Helper()
	other := map[string]string{"price": "kind", "kind": "price"}[target]
	return fitBy(t, bundle, rows, pfnamp.FitOptions{Target: target, Ignore: []string{other}})
}

// fitBy reads houses with a bundle of testdata and options.
func fitBy(
	t *testing.T, bundle string, rows []map[string]any, opt pfnamp.FitOptions,
) *pfnamp.Fitted {
	t.Helper()
	if shared[bundle] == nil {
		m, err := pfnamp.Open(filepath.Join("..", "testdata", bundle),
			pfn.Options{Library: orttest.Library(t), Refit: true})
		must.Succeed(t, err)
		shared[bundle] = m
	}
	f, err := pfnamp.Fit(t.Context(), shared[bundle], tableOf(t, "train", rows), opt)
	must.Succeed(t, err)
	t.Cleanup(func() { f.Close() })
	return f
}

// near fails where a figure is another one.
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-12) && fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}
