package pfn

import (
	"fmt"
	"math"

	"github.com/pfnamp/pfnamp/models"
)

// medianExpect is the averaged posterior of the noise-free median of every query row. It is nil
// unless the manifest has Direct.
type medianExpect struct {
	Knots     [][]float64 `json:"knots"`      // [M][Direct.Levels], standardised
	BetaLeft  []float64   `json:"beta_left"`  // [M], standardised
	BetaRight []float64   `json:"beta_right"` // [M], standardised
	Quantiles [][]float64 `json:"quantiles"`  // [M][L] at quantile_levels, units of the target
}

// checkMedian compares the lengths of the vectors of the second output, which must be there if
// and only if the manifest has one.
func (c *quantileCase) checkMedian(direct *models.Direct) error {
	median := c.Expect.Median
	if direct == nil {
		if c.Stages.Medians != nil || median != nil {
			return fmt.Errorf("there are vectors of a direct output, which the manifest lacks")
		}
		return nil
	}
	if c.Stages.Medians == nil || median == nil {
		return fmt.Errorf("stages.median_quantiles or expect.median is missing, " +
			"but the manifest has a direct output")
	}
	m := len(c.XTest)
	return firstWrong([]part{
		{"stages.median_quantiles",
			hasShape3(c.Stages.Medians, [3]int{len(c.Members), m, direct.Levels})},
		{"expect.median.knots", hasShape(median.Knots, m, direct.Levels)},
		{"expect.median.beta_left", len(median.BetaLeft) == m},
		{"expect.median.beta_right", len(median.BetaRight) == m},
		{"expect.median.quantiles", hasShape(median.Quantiles, m, len(c.Expect.QuantileLevels))},
	})
}

// medians compares the posteriors of the median as distributions compares those of the label.
func (r *replayed) medians(stage string, posteriors []*Quantiles, sd float64) {
	e, tolerance := r.golden.Expect.Median, resultTolerance+r.grain
	var knots, tails, quantiles float64
	for i, d := range posteriors {
		knots = math.Max(knots, difference(d.Knots, e.Knots[i]))
		tails = math.Max(tails, difference([]float64{d.Left, d.Right},
			[]float64{e.BetaLeft[i], e.BetaRight[i]}))
		for k, p := range r.golden.Expect.QuantileLevels {
			quantiles = math.Max(quantiles, math.Abs(d.Quantile(p)-e.Quantiles[i][k])/sd)
		}
	}
	r.add(stage+": median's knots", knots, tolerance)
	r.add(stage+": median's tails", tails, tolerance)
	r.add(stage+": median's quantiles", quantiles, tolerance)
}
