package pfnamp

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/drift"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/tabular"
)

// TestQuestionFields asks with every field out of range: the error is an *OptionError that names
// the field.
func TestQuestionFields(t *testing.T) {
	f := fit(t, opened(t, "testdata/tiny-surface"), FitOptions{Target: "y"})
	chains := []Posterior{Limit}
	wrong := map[string][]Question{
		"Functionals": {{Functionals: []amp.Functional{nil}},
			{Functionals: []amp.Functional{amp.Quantile{Level: 2}}, Posteriors: chains},
			{Functionals: []amp.Functional{amp.Shortfall{Level: 1}}, Posteriors: chains},
			{Functionals: []amp.Functional{amp.Probability{Lo: 3, Hi: 2}}, Posteriors: chains}},
		"Level":       {{Level: 1}, {Level: -0.5}, {Level: math.NaN()}},
		"Interval":    {{Interval: 9, Posteriors: chains}},
		"Posteriors":  {{Posteriors: []Posterior{Limit, Limit}}, {Posteriors: []Posterior{"own"}}},
		"Predictive":  {{Predictive: "wide"}},
		"ConformalBy": {{ConformalBy: "town"}},
		"Label":       {{Label: []amp.Statistic{nil}}},
		"Samples":     {{Samples: -1}, {Samples: MostSamples + 1}},
		"Shift":       {{Shift: &drift.Weights{}}},
		"Missing":     {{Missing: "somehow"}},
		"Chains":      {{Chains: 1, Posteriors: chains}, {Chains: -3, Posteriors: chains}},
		"Steps":       {{Steps: -1, Posteriors: chains}},
		"Rho":         {{Rho: 2, Posteriors: chains}, {Rho: math.NaN(), Posteriors: chains}},
		"Beta":        {{Beta: 0.3, Posteriors: chains}, {Beta: math.NaN(), Posteriors: chains}},
		"Workers":     {{Workers: -1}},
	}
	free := []string{"Seed", "Errors", "AllowNew"} // any value; NaN where there are none
	for field := range reflect.TypeFor[Question]().Fields() {
		if wrong[field.Name] == nil && !slices.Contains(free, field.Name) {
			t.Errorf("no question has a wrong %s", field.Name)
		}
	}
	_, err := Learn(nil, models.Manifest{}, FitOptions{Subsample: 1})
	if option, ok := errors.AsType[*OptionError](err); !ok || option.Field != "Subsample" {
		t.Errorf("a subsample of 1: %v", err)
	}
	for field, questions := range wrong {
		for _, q := range questions {
			p, err := f.Ask(t.Context(), q)
			if err == nil {
				p.Close()
			}
			option, ok := errors.AsType[*OptionError](err)
			if _, of := errors.AsType[*tabular.Error](err); !ok || of || option.Field != field {
				t.Errorf("%s: %+v: %T %v", field, q, err, err)
			}
		}
	}
}
