package distr

import (
	"math"
	"slices"
	"sort"
)

// Limits of the scale of the exponential tails, in standardised units.
const (
	minTailScale = 0.01
	maxTailScale = 100
	maxTailKnots = 20 // knots that a tail is fitted to
)

// Quantiles is a predictive distribution given by Q quantiles with exponential tails.
//
// In standardised units the knots q_1 <= ... <= q_Q are the quantiles at the levels a_i = i/(Q+1).
// Between knots the quantile function is linear in the level. Beyond them
//
//	Q(a) = q_1 + Left ln(a/a_1)               for a < a_1
//	Q(a) = q_Q - Right ln((1-a)/(1-a_Q))      for a > a_Q
//
// Values in units of the target are y = Location + Scale q. The tails are never cut off, so the
// inverse of the CDF is exact at every level, and all moments belong to this one distribution.
// Equal knots are an atom. The tails beyond a_1 and a_Q are extrapolation: for an exact normal
// distribution with Q = 999 the quantile at 0.0001 is -3.90, not -3.72.
//
// Scale 0 means the point mass at Location. Do not change fields while a distribution is in use.
// Methods are safe for concurrent use.
//
// Source: the quantile distribution of soda-inria/tabicl, without its bounds on segment widths and
// on levels.
type Quantiles struct {
	Knots    []float64 // Q standardised quantiles, ascending, Q >= 2
	Left     float64   // scale of the left tail, standardised, > 0
	Right    float64   // scale of the right tail, standardised, > 0
	Location float64   // mean of the training target
	Scale    float64   // standard deviation of the training target, >= 0
}

// NewQuantiles turns raw quantiles, in place, into a standardised distribution. It sorts them,
// because they may cross, and fits the tails. All values must be finite.
func NewQuantiles(raw []float64) *Quantiles {
	slices.Sort(raw)
	q := len(raw)
	k := max(min(maxTailKnots, q/4), 1)
	right := make([]float64, k)
	for i := range right {
		right[i] = -raw[q-1-i] // the right tail is the left tail of -Y
	}
	return &Quantiles{Knots: raw, Left: tailScale(raw[:k], q), Right: tailScale(right, q), Scale: 1}
}

// tailScale fits the scale of a left tail to the lowest knots by least squares of the knot on the
// logarithm of its level,
//
//	|cov(q_i, ln a_i) / var(ln a_i)|,  a_i = i/(levels+1),
//
// clamped to [0.01, 100].
func tailScale(knots []float64, levels int) float64 {
	k := float64(len(knots))
	var meanKnot, meanLog float64
	for i, q := range knots {
		meanKnot += q / k
		meanLog += math.Log(float64(i+1)/float64(levels+1)) / k
	}
	var cov, variance float64
	for i, q := range knots {
		d := math.Log(float64(i+1)/float64(levels+1)) - meanLog
		cov += (q - meanKnot) * d / k
		variance += d * d / k
	}
	if variance == 0 {
		return minTailScale
	}
	return min(max(math.Abs(cov/variance), minTailScale), maxTailScale)
}

// Average returns the distribution whose quantile function is the weighted mean of the members'
// quantile functions (Vincent averaging). The result has the same form, because the quantile
// function is linear in the knots and the tail scales. All members have the same number of knots.
// Weights sum to one.
func Average(members []*Quantiles, weights []float64) *Quantiles {
	avg := &Quantiles{Knots: make([]float64, len(members[0].Knots)), Scale: 1}
	for b, m := range members {
		w := weights[b]
		for i, q := range m.Knots {
			avg.Knots[i] += w * q
		}
		avg.Left += w * m.Left
		avg.Right += w * m.Right
	}
	for i := 1; i < len(avg.Knots); i++ { // rounding must not break the order
		avg.Knots[i] = max(avg.Knots[i], avg.Knots[i-1])
	}
	return avg
}

// Point returns the distribution of a constant target y.
func Point(y float64, levels int) *Quantiles {
	return &Quantiles{Knots: make([]float64, levels), Left: minTailScale, Right: minTailScale,
		Location: y}
}

// level returns a_i of the knot with index i = 0..Q-1.
func (d *Quantiles) level(i int) float64 { return float64(i+1) / float64(len(d.Knots)+1) }

// original maps a standardised value to units of the target.
func (d *Quantiles) original(z float64) float64 {
	if d.Scale == 0 {
		return d.Location
	}
	return d.Location + d.Scale*z
}

// Knot returns the knot with index i = 0..Q-1 in units of the target. CDF and densities compare
// with the same rounded values that Quantile returns, so they hit atoms exactly.
func (d *Quantiles) Knot(i int) float64 { return d.original(d.Knots[i]) }

// CDF returns P(Y <= y), right-continuous at atoms.
func (d *Quantiles) CDF(y float64) float64 {
	if math.IsNaN(y) {
		return math.NaN()
	}
	if d.Scale == 0 {
		if y >= d.Location {
			return 1
		}
		return 0
	}
	last := len(d.Knots) - 1
	if low := d.Knot(0); y < low {
		return d.level(0) * math.Exp((y-low)/d.Scale/d.Left)
	}
	if high := d.Knot(last); y >= high {
		return 1 - d.level(0)*math.Exp((high-y)/d.Scale/d.Right)
	}
	i := d.segment(y)
	low, high := d.Knot(i), d.Knot(i+1)
	return (float64(i+1) + (y-low)/(high-low)) / float64(last+2)
}

// segment returns the last index i with Knot(i) <= y, for Knot(0) <= y < Knot(Q-1); its segment
// has a positive width.
func (d *Quantiles) segment(y float64) int {
	return sort.Search(len(d.Knots), func(i int) bool { return d.Knot(i) > y }) - 1
}

// Quantile returns the least y with CDF(y) >= p. Quantile(0) is -Inf and Quantile(1) is +Inf,
// unless the distribution is a point mass; p outside [0, 1] gives NaN.
func (d *Quantiles) Quantile(p float64) float64 {
	if !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	n := float64(len(d.Knots) + 1)
	last := len(d.Knots) - 1
	switch pos := p * n; {
	case pos <= 1:
		return d.original(d.Knots[0] + d.Left*math.Log(pos))
	case pos >= float64(last+1):
		return d.original(d.Knots[last] - d.Right*min(math.Log((1-p)*n), 0))
	default:
		return d.original(interpolate(d.Knots, pos))
	}
}

// interpolate interpolates linearly between the knots; the first knot is at position 1, and 1 < pos
// < Q.
func interpolate(knots []float64, pos float64) float64 {
	i := int(pos)
	low, high := knots[i-1], knots[i]
	return low + (pos-float64(i))*(high-low)
}

// Density returns the density of the continuous part at y, right-continuous at knots. At a point
// mass or an atom it is +Inf.
func (d *Quantiles) Density(y float64) float64 { return math.Exp(d.LogDensity(y)) }

// LogDensity returns the logarithm of Density, without underflow in the tails.
func (d *Quantiles) LogDensity(y float64) float64 {
	switch {
	case math.IsNaN(y):
		return math.NaN()
	case d.Scale == 0 && y == d.Location:
		return math.Inf(1)
	case d.Scale == 0:
		return math.Inf(-1)
	}
	last, mass := len(d.Knots)-1, math.Log(d.level(0))
	if low := d.Knot(0); y < low {
		return mass + (y-low)/d.Scale/d.Left - math.Log(d.Left) - math.Log(d.Scale)
	}
	if high := d.Knot(last); y >= high {
		if y == high && y == d.Knot(last-1) {
			return math.Inf(1)
		}
		return mass - (y-high)/d.Scale/d.Right - math.Log(d.Right) - math.Log(d.Scale)
	}
	i := d.segment(y)
	if i > 0 && y == d.Knot(i) && y == d.Knot(i-1) {
		return math.Inf(1)
	}
	return mass - math.Log(d.Knot(i+1)-d.Knot(i))
}

// QuantilesOf returns the distribution with these quantiles at the levels i/(n+1). The values must
// be ascending and finite, and at least two. The tails are fitted to them.
func QuantilesOf(values []float64) *Quantiles {
	n := len(values)
	centre, scale := values[n/2], (values[n-1]-values[0])/4
	if !(scale > 0) {
		return Point(centre, n)
	}
	knots := make([]float64, n)
	for i, v := range values {
		knots[i] = (v - centre) / scale
	}
	d := NewQuantiles(knots)
	d.Location, d.Scale = centre, scale
	return d
}
