package report

import (
	"math"
	"testing"

	"github.com/pfnamp/pfnamp/evaluate"
)

// The interval of a coverage is that of as many trials as rows, or two standard errors over the
// parts; that of a difference counts that parts share rows.
func TestJudge(t *testing.T) {
	type number = evaluate.Number
	at := func(method, metric string, part int, v number) evaluate.Result {
		return evaluate.Result{Params: []evaluate.Param{{Name: "fold", Value: part}},
			Measure: evaluate.Measure{Method: method, Metric: metric, Value: v, N: 189}}
	}
	parts := func(coverage, first number, gains ...number) (all []evaluate.Result) {
		for i, gain := range gains {
			share := coverage
			if i == 0 {
				share = first
			}
			all = append(all, at(evaluate.MethodPPD, "crps", i, 1),
				at(evaluate.MethodPPD, "coverage", i, share),
				at(evaluate.BaselineRidge, "crps", i, 1+gain))
		}
		return all
	}
	for _, c := range []struct {
		parts         []evaluate.Result
		figure        string
		value, lo, hi float64
	}{
		{parts(0.85, 0.85, 1, 2, 3, 4, 5), "coverage", 0.85, 0.8257, 0.8722},
		{parts(0.9, 0.65, 1, 2, 3, 4, 5), "coverage", 0.85, 0.75, 0.95},
		// S = 1.5811, t = 2.7764 with 4 degrees of freedom, √(1/5 + 1/4) = 0.67082
		{parts(0.9, 0.9, 1, 2, 3, 4, 5), "crps_below_ridge", 3, 0.0552, 5.9448},
		{parts(0.9, 0.9, 1), "crps_below_ridge", 1, math.NaN(), math.NaN()},
	} {
		all := evaluate.Pool(c.parts)
		judged := append(all, Judge(c.parts, all, 945, 0.25)...)
		for suffix, want := range map[string]float64{"": c.value, "_lo": c.lo, "_hi": c.hi} {
			got, ok := evaluate.Find(judged, evaluate.MethodPPD, "", c.figure+suffix)
			v := float64(got.Value)
			same := math.Abs(v-want) < 1e-3 || math.IsNaN(want) && math.IsNaN(v)
			if !ok || !same {
				t.Errorf("%s%s is %+v, want %v", c.figure, suffix, got, want)
			}
		}
	}
}
