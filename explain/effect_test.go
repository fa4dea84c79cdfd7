package explain

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/internal/must"
)

// line is a row of y = 3a + 0b + 2 [town is York] + noise.
type line struct {
	A, B float64
	Town string
	Y    *float64
}

// lines are n of them.
func lines(n int) []line {
	random := rand.New(rand.NewPCG(1, 2))
	rows := make([]line, n)
	for i := range rows {
		r := line{A: random.NormFloat64(), B: random.NormFloat64(), Town: []string{"Bath", "York"}[i%2]}
		y := 3*r.A + 2*float64(i%2) + 0.3*random.NormFloat64()
		r.Y = &y
		rows[i] = r
	}
	return rows
}

// population is that of a table under the embedded model.
func population(t *testing.T, rows any, q pfnamp.Question) *Population {
	t.Helper()
	f := fitted(t, "", rows)
	p, err := f.Prepare(t.Context(), q)
	must.Succeed(t, err)
	all, err := NewPopulation(p, 0)
	must.Succeed(t, err)
	return all
}

// effect is that of columns in a population.
func effect(t *testing.T, p *Population, points int, columns ...string) *Effect {
	t.Helper()
	e, err := p.Effect(t.Context(), points, columns...)
	must.Succeed(t, err)
	return e
}

// The effect of a column of a linear table is its line, that of a column that plays no part is
// flat, and that of a category is its step; bands hold what they should, and the numerical error is
// small.
func TestEffectsOfALinearTable(t *testing.T) {
	p := population(t, lines(120), pfnamp.Question{Chains: 400})
	if text, err := json.Marshal(effect(t, p, 0, "Town")); err != nil ||
		!strings.Contains(string(text), `{"Text":"York","Number":0,"Plain":false}`) {
		t.Errorf("as JSON: %v, %s", err, text)
	}
	for name, slope := range map[string]float64{"A": 3, "B": 0} {
		e := effect(t, p, 0, name)
		last := len(e.Points) - 1
		from, to := e.Points[0].Values[0].Number, e.Points[last].Values[0].Number
		change := e.Changes[0]
		if want := slope * (to - from); change.Lo > want || change.Hi < want ||
			change.Hi-change.Lo > 1.2 {
			t.Errorf("%s changes by %+v, want %.2f", name, change, want)
		}
		rows := 0
		for _, point := range e.Points {
			v := point.Estimates[0]
			rows += point.Rows
			if !(v.BandLo <= v.Lo && v.Lo <= v.Point && v.Point <= v.Hi && v.Hi <= v.BandHi) {
				t.Errorf("%s: %+v is not in order", name, v)
			}
			if v.Error > precision*(v.Hi-v.Lo) || e.Rows < rowsAtOnce*leastBatches {
				t.Errorf("%s: numerical error %g of %+v, %d rows", name, v.Error, v, e.Rows)
			}
		}
		if rows != 120 {
			t.Errorf("%s: %d rows are near the points", name, rows)
		}
	}
	town := effect(t, p, 0, "Town")
	step := town.Points[1].Estimates[0].Point - town.Points[0].Estimates[0].Point
	if math.Abs(step-2) > 0.3 || len(town.Points) != 2 {
		t.Errorf("a step of %.2f between %d towns", step, len(town.Points))
	}
	if c := town.Changes[0]; c.From != 0 || c.To != 1 || c.Point != step { // from the lowest
		t.Errorf("the change between two towns is %+v, want %g", c, step)
	}
}

// Values that few rows have are not compared.
func TestChangesAreSupported(t *testing.T) {
	table := lines(60)
	for i := range 2 {
		table[i].A = 9
	}
	p := population(t, table, pfnamp.Question{Chains: 50})
	e := effect(t, p, 0, "A")
	last := len(e.Points) - 1
	if e.Points[last].Values[0].Number != 9 || e.Points[last].Rows != 2 {
		t.Fatalf("the last point is %+v", e.Points[last])
	}
	if c := e.Changes[0]; c.To == last {
		t.Errorf("%+v compares a value of 2 rows", c)
	}
}

// The effect of a pair at all rows agrees with the effects alone, as the table is additive.
func TestPairOfColumns(t *testing.T) {
	p := population(t, lines(60), pfnamp.Question{Chains: 50})
	e := effect(t, p, 4, "A", "Town")
	if len(e.Points) != 8 || e.Points[0].Values[1].Text != "Bath" ||
		e.Points[1].Values[1].Text != "York" {
		t.Fatalf("%d points", len(e.Points))
	}
	rows := 0
	for i := 0; i < len(e.Points); i += 2 {
		step := e.Points[i+1].Estimates[0].Point - e.Points[i].Estimates[0].Point
		if math.Abs(step-2) > 0.6 {
			t.Errorf("at %s the towns differ by %.2f", e.Points[i].Values[0].Text, step)
		}
		rows += e.Points[i].Rows + e.Points[i+1].Rows
	}
	if rows != 60 {
		t.Errorf("%d rows are near the points", rows)
	}
}

// Regression on a control that is known for all rows gives the average over all of them exactly
// where the answers are linear in it, with no error.
func TestRegressionEstimate(t *testing.T) {
	s := newSums(1, 2)
	control := []float64{1, 2, 5}
	for _, c := range control {
		s.points[0] = append(s.points[0], 3+2*c)
		s.draws[0][0] += 2 * c
		s.draws[0][1] += 6 + 2*c
	}
	a := s.average(0, control, 4, 10) // the mean of the control over all 10 rows
	if math.Abs(a.point-11) > 1e-12 || a.error > 1e-6 || math.Abs(a.draws[0]-8) > 1e-12 {
		t.Errorf("%+v", a)
	}
	if whole := s.average(0, control, 8./3, 3); whole.error != 0 ||
		math.Abs(whole.point-25./3) > 1e-12 {
		t.Errorf("all rows: %+v", whole)
	}
}

// Batches are parts of the rows: together all of them, each spread over the order.
func TestBatches(t *testing.T) {
	p := &Population{order: matrix.Upto(103)}
	var all []int
	for k := range 8 {
		rows := p.batch(k, 8)
		if len(rows) < 12 || rows[0] >= 8 || rows[len(rows)-1] < 95 {
			t.Errorf("batch %d is %v", k, rows)
		}
		all = append(all, rows...)
	}
	slices.Sort(all)
	if len(all) != 103 || !slices.Equal(all, p.order) {
		t.Errorf("%v", all)
	}
}

// A point far from all rows is thin: of two columns that are the same, one is changed.
func TestSupport(t *testing.T) {
	rows := lines(80)
	for i := range rows {
		rows[i].B = rows[i].A
	}
	p := population(t, rows, pfnamp.Question{Chains: 50})
	e := effect(t, p, 0, "A")
	middle := e.Points[len(e.Points)/2]
	if first := e.Points[0]; !first.Thin() || middle.Support <= first.Support {
		t.Errorf("support %.2f at the end, %.2f in the middle", first.Support, middle.Support)
	}
	if town := effect(t, p, 0, "Town"); town.Points[0].Thin() {
		t.Errorf("towns: %+v", town.Points)
	}
}
