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
	const evaluations = 500
	s := interval{search{a: low, b: high}}
	s.x = low + s.golden()*(high-low)
	s.w, s.v = s.x, s.x
	s.fx = f(s.x)
	s.fw, s.fv = s.fx, s.fx
	for range evaluations - 1 {
		middle := 0.5 * (s.a + s.b)
		tolerance := s.tolerance()
		if !(math.Abs(s.x-middle) > 2*tolerance-0.5*(s.b-s.a)) {
			break
		}
		if !(math.Abs(s.last) > tolerance && s.parabola(middle, tolerance)) {
			s.section(middle, s.golden())
		}
		u := s.x + towards(s.step)*math.Max(math.Abs(s.step), tolerance)
		s.record(u, f(u))
	}
	return s.x
}

// interval is a search between bounds instead of inside a bracket.
type interval struct{ search }

// golden returns the smaller part of a golden section.
func (s *interval) golden() float64 { return 0.5 * (3 - math.Sqrt(5)) }

// tolerance is how far from x a new point must be.
func (s *interval) tolerance() float64 {
	const absolute = 1.48e-8
	return math.Sqrt(2.2e-16)*math.Abs(s.x) + absolute/3
}

// towards returns the sign of a step, 1 for none.
func towards(step float64) float64 {
	if step < 0 {
		return -1
	}
	return 1
}

// record stores the value at u. Unlike search.record, it discards NaN.
func (s *interval) record(u, fu float64) {
	if fu <= s.fx {
		if u >= s.x {
			s.a = s.x
		} else {
			s.b = s.x
		}
		s.v, s.fv, s.w, s.fw, s.x, s.fx = s.w, s.fw, s.x, s.fx, u, fu
		return
	}
	if u < s.x {
		s.a = u
	} else {
		s.b = u
	}
	switch {
	case fu <= s.fw || s.w == s.x:
		s.v, s.fv, s.w, s.fw = s.w, s.fw, u, fu
	case fu <= s.fv || s.v == s.x || s.v == s.w:
		s.v, s.fv = u, fu
	}
}
