package pfnamp

import (
	"context"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/internal/must"
)

// hasInterval is a summary with what it is of.
type hasInterval struct {
	amp.Summary
	level float64
}

// surfaceOf is a network's own posterior of all functionals of a distribution: as wide as its unit.
func surfaceOf(d *distr.Quantiles) *amp.Surface {
	s := &amp.Surface{Label: d, Surface: distr.Surface{Levels: []float64{0.1, 0.5, 0.9}, Scale: 1.2,
		PosteriorLevels: []float64{0.05, 0.5, 0.95}}}
	for _, u := range s.Levels {
		q := d.Quantile(u)
		s.Quantiles = append(s.Quantiles, []float64{q - d.Scale, q, q + d.Scale})
	}
	mean := d.Mean()
	s.Mean = []float64{mean - d.Scale, mean, mean + d.Scale}
	return s
}

// everyInterval prepares all functionals under all posteriors at levels up to the highest.
func everyInterval(t *testing.T) []hasInterval {
	var all []hasInterval
	ranks := &amp.Ranks{Sampler: amp.Sampler{Chains: 400, Steps: 50, Seed: 1}}
	methods := []amp.Method{amp.Chains{Kind: amp.PaperPosterior, Ranks: ranks},
		amp.Chains{Kind: amp.LimitPosterior, Ranks: ranks}, amp.Direct{}}
	for _, method := range methods {
		for _, f := range []amp.Functional{amp.Mean{}, amp.Quantile{Level: 0.5},
			amp.Quantile{Level: 0.2}} {
			for _, kind := range []amp.IntervalKind{amp.EqualTailed, amp.HighestDensity} {
				for _, level := range []float64{0.9, 0.999, amp.MaxLevel} {
					s, err := method.Prepare(context.Background(), amp.Shape{Rows: 100, Features: 3},
						amp.Spec{Functional: f, Level: level, Interval: kind})
					must.Succeed(t, err)
					all = append(all, hasInterval{s, level})
				}
			}
		}
	}
	return all
}

// TestEveryIntervalContainsItsPoint summarises distributions of every shape in units from the
// smallest to the largest that a target may have: limits are finite and contain the point, which
// for a quantile is within the predictive interval too.
func TestEveryIntervalContainsItsPoint(t *testing.T) {
	summaries := everyInterval(t)
	rapid.Check(t, func(t *rapid.T) {
		knots := rapid.SliceOfN(rapid.Float64Range(-4, 4), 9, 40).Draw(t, "knots")
		slices.Sort(knots)
		scale := math.Pow(10, rapid.Float64Range(-290, 299).Draw(t, "unit"))
		tails := rapid.Float64Range(0.01, 10)
		d := &distr.Quantiles{Knots: knots, Left: tails.Draw(t, "left"), Right: tails.Draw(t, "right"),
			Scale: scale, Location: scale * rapid.SampledFrom([]float64{0, 1, -1e3, 1e9}).Draw(t, "offset")}
		if math.Abs(d.Location) > 1e300 {
			d.Location = 0
		}
		for _, s := range summaries {
			e := s.Estimate(amp.Prediction{PPD: d, Own: surfaceOf(d)})
			if !(e.Hi-e.Lo < math.Inf(1)) || e.Lo > e.Point || e.Point > e.Hi {
				t.Fatalf("%v, level %v: %g not in [%g, %g]", s.Functional(), s.level, e.Point, e.Lo, e.Hi)
			}
			lo, hi := amp.PredictiveInterval(d, s.level)
			if math.IsInf(hi-lo, 0) || !(lo <= d.Quantile(0.5) && d.Quantile(0.5) <= hi) {
				t.Fatalf("level %v: predictive interval [%g, %g]", s.level, lo, hi)
			}
		}
	})
}
