package amp

import "math"

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

// CDF implements [PPD].
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

// Quantile implements [PPD].
func (d supportedPPD) Quantile(p float64) float64 { return d.support.Value(d.PPD.Quantile(p)) }

// Quantiles implements [BatchPPD].
func (d supportedPPD) Quantiles(dst, p []float64) {
	quantiles(d.PPD, dst, p)
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

// certain is a posterior that has only one value.
type certain float64

func (c certain) Quantile(float64) float64 { return float64(c) }
func (c certain) Point() float64           { return float64(c) }

// mapped returns the posterior of by(θ) for a posterior m of θ, with by increasing; nil if m is
// nil.
func mapped(m Marginal, by func(float64) float64) Marginal {
	switch m := m.(type) {
	case nil:
		return nil
	case interface {
		Marginal
		Point() float64
	}:
		return mappedPoint{mappedMarginal{m, by}, m.Point()}
	}
	return mappedMarginal{m, by}
}

type mappedMarginal struct {
	of Marginal
	by func(float64) float64
}

func (m mappedMarginal) Quantile(p float64) float64 { return m.by(m.of.Quantile(p)) }

// mappedPoint is a mappedMarginal with a point estimate of its own.
type mappedPoint struct {
	mappedMarginal
	point float64
}

func (m mappedPoint) Point() float64 { return m.by(m.point) }
