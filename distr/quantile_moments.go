package distr

import "math"

// Mean returns the expectation, the integral of the quantile function over all levels:
//
//	a_1 (q_1 - Left) + sum_i (a_{i+1} - a_i) (q_i + q_{i+1})/2 + (1 - a_Q) (q_Q + Right)
//
// in standardised units, with a_1 = 1 - a_Q = a_{i+1} - a_i = 1/(Q+1).
func (d *Quantiles) Mean() float64 { return d.original(d.mean()) }

// mean returns Mean in standardised units. The interior sum is the sum of all knots less half the
// ends.
func (d *Quantiles) mean() float64 {
	last := len(d.Knots) - 1
	sum := d.Right - d.Left + (d.Knots[0]+d.Knots[last])/2
	for _, q := range d.Knots {
		sum += q
	}
	return sum / float64(len(d.Knots)+1)
}

// Variance returns the second central moment. With knots r_i = q_i - mean it is
//
//	a_1 (r_1^2 - 2 Left r_1 + 2 Left^2) + sum_i da (r_i^2 + r_i r_{i+1} + r_{i+1}^2)/3
//	  + (1 - a_Q) (r_Q^2 + 2 Right r_Q + 2 Right^2)
//
// in standardised units. Moments about the mean avoid cancellation.
func (d *Quantiles) Variance() float64 {
	if d.Scale == 0 {
		return 0
	}
	center := d.mean()
	r := d.Knots[0] - center
	sum := r*r - 2*d.Left*r + 2*d.Left*d.Left
	for _, q := range d.Knots[1:] {
		next := q - center
		sum += (r*r + r*next + next*next) / 3
		r = next
	}
	sum += r*r + 2*d.Right*r + 2*d.Right*d.Right
	sd := d.Scale * math.Sqrt(sum/float64(len(d.Knots)+1))
	return sd * sd
}

// CRPS returns the continuous ranked probability score of the distribution at the outcome y, the
// integral of (F(x) - 1{x >= y})^2 over x, in units of the target. Lower is better. It is exact:
// with the quantile function and F = P(Y <= y),
//
//	CRPS = int_0^F 2a (y - Q(a)) da + int_F^1 2(1-a) (Q(a) - y) da.
//
// Source: Laio and Tamea, "Verification tools for probabilistic forecasts of continuous
// hydrological variables", Hydrol. Earth Syst. Sci. 11 (2007) 1267-1277.
func (d *Quantiles) CRPS(y float64) float64 {
	if d.Scale == 0 {
		return math.Abs(y - d.Location)
	}
	z, last := (y-d.Location)/d.Scale, len(d.Knots)-1
	sum := tailCRPS(d.level(0), d.Left, z-d.Knots[0]) +
		tailCRPS(d.level(0), d.Right, d.Knots[last]-z)
	for i := range last {
		sum += segmentCRPS(
			point{d.level(i), d.Knots[i] - z}, point{d.level(i + 1), d.Knots[i+1] - z})
	}
	return d.Scale * sum
}

// point is a level a, and the quantile there minus the outcome.
type point struct{ a, q float64 }

// segmentCRPS integrates over one segment of a piecewise linear quantile function. It splits the
// segment where the quantile passes the outcome.
func segmentCRPS(l, r point) float64 {
	switch {
	case r.q <= 0:
		return -2 * productIntegral(l, r)
	case l.q >= 0:
		return 2 * productIntegral(point{1 - r.a, r.q}, point{1 - l.a, l.q})
	}
	cut := point{l.a + (r.a-l.a)*(-l.q/(r.q-l.q)), 0}
	return segmentCRPS(l, cut) + segmentCRPS(cut, r)
}

// productIntegral returns the integral of a q(a) for q linear between two points, w (a0 q0 + a1
// q1)/3 + w (a0 q1 + a1 q0)/6.
func productIntegral(l, r point) float64 {
	w := r.a - l.a
	return w * ((l.a*l.q+r.a*r.q)/3 + (l.a*r.q+r.a*l.q)/6)
}

// tailCRPS integrates over a left tail of mass a and scale s, whose anchor lies dist below the
// outcome (above it if dist < 0). With F = a exp(dist/s) for dist < 0 the parts are
//
//	int 2a(y-Q) = a^2 dist + s a^2/2                      if dist >= 0, s F^2/2 otherwise
//	int 2(1-a)(Q-y) over [F, a] = [ -dist (2a - a^2) + 2s (a ln(a/a_1) - a)
//	                               - s (a^2 ln(a/a_1) - a^2/2) ]
func tailCRPS(a, s, dist float64) float64 {
	if dist >= 0 {
		return a*a*dist + s*a*a/2
	}
	f := a * math.Exp(dist/s)
	upper := -dist*(2*a-a*a) - 2*s*a + s*a*a/2
	lower := -dist*(2*f-f*f) + 2*(f*dist-s*f) - (f*f*dist - s*f*f/2)
	return s*f*f/2 + upper - lower
}
