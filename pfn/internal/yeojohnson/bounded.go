package yeojohnson

import "math"

// MinimizeWithin searches a local minimum of f between two bounds by golden sections and parabolas.
// f may return Inf.
//
// Source: Brent, "Algorithms for Minimization Without Derivatives" (1973), chapter 5, in the form
// of Forsythe, Malcolm and Moler, "Computer Methods for Mathematical Computations" (1977), fmin;
// the tolerances are those of scipy.optimize.fminbound(xtol=1.48e-8), so that the same points are
// visited.
func MinimizeWithin(f func(float64) float64, low, high float64) float64 {
	const evaluations, absolute = 500, 1.48e-8
	golden := 0.5 * (3 - math.Sqrt(5))
	s := search{a: low, b: high}
	s.x = low + golden*(high-low)
	s.w, s.v = s.x, s.x
	s.fx = f(s.x)
	s.fw, s.fv = s.fx, s.fx
	for range evaluations - 1 {
		middle := 0.5 * (s.a + s.b)
		tolerance := math.Sqrt(2.2e-16)*math.Abs(s.x) + absolute/3
		if !(math.Abs(s.x-middle) > 2*tolerance-0.5*(s.b-s.a)) {
			break
		}
		u := s.next(middle, tolerance, golden)
		fu := f(u)
		s.record(u, fu, fu <= s.fx)
	}
	return s.x
}
