package pfnamp

import (
	"math"
	"testing"

	"github.com/pfnamp/pfnamp/internal/rows"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// A column that does not vary changes no interval of chains, whose learning rate depends on the
// number of features, and a state answers as the table does.
func TestConstantColumnChangesNoInterval(t *testing.T) {
	m := opened(t, "")
	q := Question{Posteriors: []Posterior{Paper, Limit}, Chains: 80}
	rows := make([]map[string]any, 40)
	for i := range rows {
		rows[i] = map[string]any{"a": float64(i), "y": math.Sin(float64(i) / 7)}
	}
	var widths [2]float64
	for k := range widths {
		f := fitRows(t, m, "rows", rows, FitOptions{Target: "y"})
		widths[k] = 0
		for _, e := range ask(t, prepare(t, f, q), rows[:5]).Posteriors[0].Estimates[0] {
			widths[k] += e.Hi - e.Lo
		}
		if got := varying(f.schema, f.scales); got != 1 {
			t.Errorf("%d features vary, want 1", got)
		}
		for i := range rows {
			rows[i]["constant"] = 3.0
		}
	}
	if math.Abs(widths[1]/widths[0]-1) > 1e-6 {
		t.Errorf("widths %v", widths)
	}
}

// Features that do not vary say nothing of a row: numbers without a spread, categories of one
// value, empty columns. The matrix counts as the scales do.
func TestVarying(t *testing.T) {
	x := pfn.Matrix{Rows: 3, Cols: 4, Data: []float64{
		1, 7, math.NaN(), 0,
		2, 7, math.NaN(), 1,
		math.NaN(), math.NaN(), math.NaN(), 1}}
	columns := make([]tabular.Column, 4)
	columns[3].Categories = []string{"a", "b"}
	scales := rows.Scales(x, []bool{false, false, false, true})
	if n, m := varying(&tabular.Schema{Columns: columns}, scales), x.Varying(); n != 2 || m != 2 {
		t.Errorf("%d and %d of the features vary, want 2", n, m)
	}
	columns[3].Categories = []string{"a"}
	if n := varying(&tabular.Schema{Columns: columns[1:]}, scales[1:]); n != 1 {
		t.Errorf("%d features of a table without one, want 1", n)
	}
}
