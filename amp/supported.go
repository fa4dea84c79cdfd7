package amp

import (
	"math"
)

// PPD returns the distribution of T(Y) for a Y with the distribution ppd. Its methods CRPS and
// LogDensity need those of ppd. CRPS scores T(Y). LogDensity is the log density of Y, because T(Y)
// may have none.
func (s Support) PPD(ppd PPD) PPD {
	if s.Any() {
		return ppd
	}
	if s.twoValued() {
		return newTwoPoint(s, ppd)
	}
	return supportedPPD{s, ppd}
}

// supportedPPD is the distribution of T(Y).
type supportedPPD struct {
	support Support
	PPD
}

func (d supportedPPD) CDF(y float64) float64 {
	switch t := d.support.latent(y); {
	case math.IsInf(t, -1):
		return 0
	case math.IsInf(t, 1):
		return 1
	default:
		return d.PPD.CDF(t)
	}
}

func (d supportedPPD) Quantile(p float64) float64 { return d.support.Value(d.PPD.Quantile(p)) }

func (d supportedPPD) Quantiles(dst, p []float64) {
	Quantiles(d.PPD, dst, p)
	for i, v := range dst {
		dst[i] = d.support.Value(v)
	}
}

// Mean averages a tail that is cut off at tailLevels levels, unless the tail is lighter than
// lightestTail.
const (
	tailLevels   = 64
	lightestTail = 1e-9
)

// Mean implements [PPD]. It ignores that rounding moves the mean, always by less than ½ and mostly
// by far less:
//
//	E min{max{Y, Min}, Max} = E Y + ∫_0^F(Min) (Min - Q(p)) dp - ∫_F(Max)^1 (Q(p) - Max) dp.
func (d supportedPPD) Mean() float64 {
	mean := d.PPD.Mean()
	if d.support.HasMin {
		mean += d.cut(0, d.PPD.CDF(d.support.Min), d.support.Min)
	}
	if d.support.HasMax {
		mean += d.cut(d.PPD.CDF(d.support.Max), 1, d.support.Max)
	}
	return d.support.clamp(mean)
}

// cut returns the integral of end - Q(p) over the levels between from and to.
func (d supportedPPD) cut(from, to, end float64) float64 {
	if !(to-from > lightestTail) {
		return 0
	}
	sum, step := 0.0, (to-from)/tailLevels
	for i := range tailLevels {
		sum += (end - d.PPD.Quantile(from+(float64(i)+0.5)*step)) * step
	}
	return sum
}

// crpsLevels is the number of equally likely values of T(Y) in the CRPS.
const crpsLevels = 512

// CRPS returns the continuous ranked probability score of T(Y) at the outcome y, E|T-y| -
// E|T-T'|/2, from equally likely quantiles.
func (d supportedPPD) CRPS(y float64) float64 {
	var p, q [crpsLevels]float64
	for i := range p {
		p[i] = (float64(i) + 0.5) / crpsLevels
	}
	d.Quantiles(q[:], p[:])
	sum := 0.0
	for i, v := range q {
		sum += math.Abs(v-y) - (2*p[i]-1)*v
	}
	return sum / crpsLevels
}

// LogDensity returns the log density of Y, or NaN if ppd has none.
func (d supportedPPD) LogDensity(y float64) float64 {
	if dense, ok := d.PPD.(interface{ LogDensity(float64) float64 }); ok {
		return dense.LogDensity(y)
	}
	return math.NaN()
}

// supportedOwn is a model's posterior of the distribution of T(Y).
type supportedOwn struct {
	support Support
	own     Own
}

// Of implements [Own]. If only two values are possible, every functional follows from the mean, and
// Of returns nil if the model has no posterior of the mean.
func (o supportedOwn) Of(f Functional) Marginal {
	if !o.support.twoValued() {
		return f.supported(o.support, o.own)
	}
	if mean := o.own.Of(Mean{}); mean != nil {
		return f.twoPoint(o.support, mean)
	}
	return nil
}

// marginal is a [Marginal] by its functions. point returns its own point estimate; nil if it has
// none.
type marginal struct {
	quantile func(tau float64) float64
	point    func() float64
}

func (m marginal) Quantile(tau float64) float64 { return m.quantile(tau) }

// certain is the posterior that has only one value.
func certain(value float64) Marginal {
	return marginal{func(float64) float64 { return value }, func() float64 { return value }}
}

// mapped returns the posterior of by(θ) for a posterior m of θ, with by increasing; nil if m is
// nil.
func mapped(m Marginal, by func(float64) float64) Marginal {
	if m == nil {
		return nil
	}
	out := marginal{quantile: func(tau float64) float64 { return by(m.Quantile(tau)) }}
	if point := pointOf(m); point != nil {
		out.point = func() float64 { return by(point()) }
	}
	return out
}

// pointOf returns the point estimate of a posterior, nil if it has none of its own.
func pointOf(m Marginal) func() float64 {
	switch m := m.(type) {
	case marginal:
		return m.point
	case interface{ Point() float64 }:
		return m.Point
	}
	return nil
}

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

func (d twoPoint) CDF(y float64) float64 {
	return d.support.within(Probability{math.Inf(-1), y}, d.upper)
}

func (d twoPoint) Quantile(p float64) float64 { return d.support.step(p, d.upper) }

func (d twoPoint) Quantiles(dst, p []float64) {
	for i, level := range p {
		dst[i] = d.Quantile(level)
	}
}

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
