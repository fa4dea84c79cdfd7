package amp

import "math"

// twoValued reports whether only two labels are possible, Min and Max = Min + 1. Then the
// distribution has one parameter, P(Max) = mean - Min. The mean is decisive because a model of
// numbers gets it right; the shape of its continuous distribution between the two labels means
// nothing.
func (s Support) twoValued() bool { return s.Whole && s.HasMin && s.HasMax && s.Max == s.Min+1 }

// chance returns the probability of Max for a mean.
func (s Support) chance(mean float64) float64 { return s.clamp(mean) - s.Min }

// twoPoint is the distribution of a label with two possible values.
type twoPoint struct {
	supportedPPD // for CRPS and LogDensity
	upper        float64
}

// newTwoPoint returns the distribution with the mean of ppd cut to the range.
func newTwoPoint(s Support, ppd PPD) PPD {
	cut := supportedPPD{s, ppd}
	return twoPoint{cut, s.chance(cut.Mean())}
}

// CDF implements [PPD].
func (d twoPoint) CDF(y float64) float64 {
	return d.support.within(Probability{math.Inf(-1), y}, d.upper)
}

// Quantile implements [PPD].
func (d twoPoint) Quantile(p float64) float64 { return d.support.step(p, d.upper) }

// Quantiles implements [BatchPPD].
func (d twoPoint) Quantiles(dst, p []float64) {
	for i, level := range p {
		dst[i] = d.Quantile(level)
	}
}

// Mean implements [PPD].
func (d twoPoint) Mean() float64 { return d.support.Min + d.upper }

// CRPS returns (P(Max) - 1{y is Max})² at the possible outcomes y, and E|T-y| - E|T-T'|/2
// elsewhere.
func (d twoPoint) CRPS(y float64) float64 {
	p := d.upper
	return (1-p)*math.Abs(d.support.Min-y) + p*math.Abs(d.support.Max-y) - p*(1-p)
}

// within returns the probability of an event if Max has the probability upper.
func (s Support) within(event Probability, upper float64) float64 {
	p := 0.0
	if event.Lo < s.Min && event.Hi >= s.Min {
		p = 1 - upper
	}
	if event.Lo < s.Max && event.Hi >= s.Max {
		p += upper
	}
	return p
}

// step returns the quantile of level p if Max has the probability upper.
func (s Support) step(p, upper float64) float64 {
	if p <= 1-upper {
		return s.Min
	}
	return s.Max
}

// reversed returns the posterior of a decreasing function: quantile p is m's quantile 1-p.
func reversed(m Marginal) Marginal {
	if pointed, ok := m.(mappedPoint); ok {
		return reversedPoint{reversedMarginal{m}, pointed.Point()}
	}
	return reversedMarginal{m}
}

type reversedMarginal struct{ of Marginal }

func (r reversedMarginal) Quantile(p float64) float64 { return r.of.Quantile(1 - p) }

// reversedPoint is a reversedMarginal with a point estimate of its own.
type reversedPoint struct {
	reversedMarginal
	point float64
}

func (r reversedPoint) Point() float64 { return r.point }
