//go:build !race

// How right treatment effects are, by many predictions.
// The race detector makes them slow and finds nothing there: `make test` runs them without it.

package explain

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// patient is a row: the older get the drug more often, and fare worse; the drug adds 2.
type patient struct {
	Age, Weight float64
	Drug        bool
	Y           *float64
}

func patients(n int, confounding float64) []patient {
	random := rand.New(rand.NewPCG(7, 7))
	rows := make([]patient, n)
	for i := range rows {
		r := patient{Age: random.NormFloat64(), Weight: random.NormFloat64()}
		r.Drug = random.Float64() < 1/(1+math.Exp(-confounding*r.Age))
		y := -3*r.Age + random.NormFloat64()
		if r.Drug {
			y += 2
		}
		r.Y = &y
		rows[i] = r
	}
	return rows
}

// The adjusted difference is the effect of the drug, where that of the raw means has another sign.
func TestTreatment(t *testing.T) {
	event, err := amp.ParseFunctionals("mean,p>0")
	must.Succeed(t, err)
	p := population(t, patients(150, 1), pfnamp.Question{Chains: 200, Functionals: event})
	folds := 0
	got, err := NewTreatment(t.Context(), p.predictor, opened(t, "classifier"), "Drug",
		func(n int) { folds = n })
	must.Succeed(t, err)
	adjusted := got.Effects[Adjusted].Estimate(0, 0.9, amp.EqualTailed)
	if adjusted.Lo > 2 || adjusted.Hi < 2 || adjusted.Hi-adjusted.Lo > 2 || folds != TreatmentFolds {
		t.Errorf("%+v, %d folds", adjusted, folds)
	}
	if raw := got.Effects[Raw].Points[0]; raw > 1 {
		t.Errorf("raw difference %.2f", raw)
	}
	if chance := got.Effects[Adjusted].Points[1]; chance < 0.05 || chance > 0.5 {
		t.Errorf("the drug makes the event more probable by %.2f", chance)
	}
	if got.Arms != [2]string{"false", "true"} || got.Rows[0]+got.Rows[1] != 150 ||
		!got.Overlap.Holds() {
		t.Errorf("%v, %v, %.3f outside", got.Arms, got.Rows, got.Overlap.Outside)
	}
}

// helped is a patient whom a drug helps by 4 if a woman, and not at all if a man.
type helped struct {
	Age      float64
	Sex, Few string
	Drug     bool
	Y        *float64
}

// The effect of a drug differs between groups; groups with few rows in an arm have none.
func TestTreatmentByGroup(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 8))
	rows := make([]helped, 160)
	for i := range rows {
		r := helped{Age: random.NormFloat64(), Sex: []string{"f", "m"}[i%2], Few: "no"}
		r.Drug = random.Float64() < 0.5
		y := r.Age + 0.5*random.NormFloat64()
		if r.Drug && r.Sex == "f" {
			y += 4
		}
		if i < 12 {
			r.Few = "yes"
		}
		r.Y = &y
		rows[i] = r
	}
	p := population(t, rows, pfnamp.Question{Chains: 200})
	all, err := NewTreatment(t.Context(), p.predictor, opened(t, "classifier"), "Drug", func(int) {})
	must.Succeed(t, err)
	groups, err := all.By("Sex")
	if err != nil || len(groups) != 2 || groups[0].Value != "f" || groups[1].Value != "m" {
		t.Fatalf("%+v, %v", groups, err)
	}
	for k, want := range []float64{4, 0} {
		e := groups[k].Effect.Estimate(0, 0.95, amp.EqualTailed)
		if e.Lo > want || e.Hi < want || e.Hi-e.Lo > 1.2 {
			t.Errorf("%s: %+v, want %v", groups[k].Effect.Name, e, want)
		}
		if n := groups[k].Rows; n[0]+n[1] != 80 {
			t.Errorf("%s: %v rows", groups[k].Value, n)
		}
	}
	must.Succeed(t, CheckTreatmentGroups(p.predictor.Fitted(), "Drug", "Few"))
	few, err := all.By("Few")
	if err != nil || len(few) != 2 || few[0].Effect.Points == nil || few[1].Effect.Points != nil {
		t.Errorf("%+v, %v", few, err)
	}
	for name, want := range map[string]string{"Age": "it has 160 values",
		"Drug": "the treatment itself", "Sx": `nearest: "Sex"`} {
		_, err := all.By(name)
		must.Fail(t, name, err, want)
		before := CheckTreatmentGroups(p.predictor.Fitted(), "Drug", name)
		if !reflect.DeepEqual(before, err) {
			t.Errorf("%s: %v before the effect is computed", name, before)
		}
	}
}

// Arms that cannot be compared are refused, with what to do.
func TestTreatmentRefused(t *testing.T) {
	p := population(t, patients(80, 60), pfnamp.Question{Chains: 50})
	for name, want := range map[string]string{"Drug": "the two arms have no comparable rows",
		"Weight": "the column has 80 values", "Drgu": `nearest: "Drug"`} {
		_, err := NewTreatment(t.Context(), p.predictor, opened(t, "classifier"), name, func(int) {})
		wrong, ok := errors.AsType[*tabular.Error](err)
		if !ok || !strings.Contains(err.Error(), want) || wrong.Hint == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	quantile, _ := amp.ParseFunctionals("q0.9")
	q := pfnamp.Question{Functionals: quantile}
	if err := CheckTreatment(q, p.predictor.Fitted().Schema(), pfn.Training{}, "Drug"); err == nil {
		t.Error("a quantile has an effect")
	}
}

// Yes and no exchanged turn the sign of an effect, exactly: which name comes first means nothing.
func TestTreatmentExchanged(t *testing.T) {
	var effects [2]amp.Estimate
	for k, names := range [][2]string{{"no", "yes"}, {"yes", "no"}} {
		var rows []map[string]any
		for _, r := range patients(80, 1) {
			name := names[0]
			if r.Drug {
				name = names[1]
			}
			rows = append(rows, map[string]any{"Age": r.Age, "Drug": name, "Y": *r.Y})
		}
		p := population(t, rows, pfnamp.Question{Chains: 100})
		got, err := NewTreatment(t.Context(), p.predictor, opened(t, "classifier"), "Drug", func(int) {})
		must.Succeed(t, err)
		effects[k] = got.Effects[Adjusted].Estimate(0, 0.9, amp.EqualTailed)
	}
	a, b := effects[0], effects[1]
	if math.Abs(a.Point+b.Point)+math.Abs(a.Lo+b.Hi)+math.Abs(a.Hi+b.Lo) > 1e-6 {
		t.Errorf("%+v, and exchanged %+v", a, b)
	}
}

// Rows of a group get one weight, so an arm has no more information than it has groups.
func TestWeightsOfGroups(t *testing.T) {
	weights, rows := make([]float64, 6), make([]outcome, 6)
	for i := range rows {
		rows[i].cluster = 1 + i/3
	}
	dirichlet(weights, rows, 1, 2)
	if weights[0] != weights[2] || weights[0] == weights[3] {
		t.Errorf("weights %v", weights)
	}
}
