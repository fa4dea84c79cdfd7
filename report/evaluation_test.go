package report

import (
	"math"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/internal/must"
)

// The verdict says what the intervals of its figures leave no doubt about, and no more.
func TestEvaluationVerdict(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		coverage, lo, hi float64
		labels           int
		gain, least      float64 // over ridge regression, and the lower limit
		want             []string
	}{
		{0.85, 0.826, 0.872, 945, 3, 1, []string{
			"The model is better than ridge regression: its CRPS is 30 instead of 33 (95 % interval of " +
				"the difference 1 to 5).",
			"The 90 % predictive intervals contain 85 % of 945 labels (95 % interval 83 % to 87 %): too " +
				"narrow; `pfnamp predict --predictive conformal` widens them as far as they need."}},
		{0.88, 0.77, 0.95, 60, 3, -1, []string{
			"The model is not clearly better than ridge regression: its CRPS is 30 instead of 33, which " +
				"may be chance (95 % interval of the difference -1 to 7).",
			"contain 88 % of 60 labels (95 % interval 77 % to 95 %): no sign of miscalibration."}},
		{0.97, 0.95, 0.98, 945, -3, -7, []string{
			"The model is not better than ridge regression, so it is not worth its cost on this table: " +
				"its CRPS is 30 instead of 27 (95 % interval of the difference -7 to 1).",
			"): wider than necessary."}},
		{0.9, 0.7, 1, 20, -3, -5, []string{"The model is worse than ridge regression, so it is not " +
			"worth its cost on this table: its CRPS is 30 instead of 27 (95 % interval of the difference " +
			"-5 to -1).", "too few labels to say more"}},
		{0.9, 0.8, 1, 60, 3, nan, []string{"One split cannot show whether the model is better than " +
			"ridge regression: its CRPS is 30 instead of 33."}},
	} {
		e := Evaluation{Unit: 10, Labels: c.labels, Asked: Asked{Target: "y", Level: 0.9}}
		add := func(method, metric string, v float64) {
			e.Results = append(e.Results, evaluate.Result{Measure: evaluate.Measure{Method: method,
				Metric: metric, Value: evaluate.Number(v)}})
		}
		add(evaluate.MethodPPD, "crps", 3)
		add(evaluate.BaselineRidge, "crps", 3+c.gain/10)
		add(evaluate.MethodPPD, "crps_below_ridge", c.gain/10)
		add(evaluate.MethodPPD, "crps_below_ridge_lo", c.least/10)
		add(evaluate.MethodPPD, "crps_below_ridge_hi", (2*c.gain-c.least)/10)
		add(evaluate.MethodPPD, "coverage", c.coverage)
		add(evaluate.MethodPPD, "coverage_lo", c.lo)
		add(evaluate.MethodPPD, "coverage_hi", c.hi)
		verdict := strings.Join(e.verdict(), "\n")
		must.Hold(t, c, verdict, c.want...)
	}
}
