package tabpfn

import "math"

// minimizeWithin searches a local minimum of f between two bounds by golden sections and parabolas.
// f may return Inf.
//
// Source: Brent, "Algorithms for Minimization Without Derivatives" (1973), chapter 5, in the form
// of Forsythe, Malcolm and Moler, "Computer Methods for Mathematical Computations" (1977), fmin;
// the tolerances are those of scipy.optimize.fminbound(xtol=1.48e-8), so that the same points are
// visited.
func minimizeWithin(f func(float64) float64, low, high float64) float64 {
	const evaluations = 500
	s := interval{a: low, b: high}
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
			s.last = s.b - s.x
			if s.x >= middle {
				s.last = s.a - s.x
			}
			s.step = s.golden() * s.last
		}
		u := s.x + towards(s.step)*math.Max(math.Abs(s.step), tolerance)
		s.record(u, f(u))
	}
	return s.x
}

// interval is the state of the search: the ends, the three best points, the last step and the one
// before it.
type interval struct {
	a, b       float64
	x, w, v    float64
	fx, fw, fv float64
	step, last float64
}

// golden is the smaller part of a golden section.
func (s *interval) golden() float64 { return 0.5 * (3 - math.Sqrt(5)) }

// tolerance is how far from x a new point must be.
func (s *interval) tolerance() float64 {
	const absolute = 1.48e-8
	return math.Sqrt(2.2e-16)*math.Abs(s.x) + absolute/3
}

// towards is the sign of a step, 1 for none.
func towards(step float64) float64 {
	if step < 0 {
		return -1
	}
	return 1
}

// parabola takes the step to the vertex through the three best points, if that is inside the
// interval and less than half of the step before the last one away.
func (s *interval) parabola(middle, tolerance float64) bool {
	r := (s.x - s.w) * (s.fx - s.fv)
	q := (s.x - s.v) * (s.fx - s.fw)
	p := (s.x-s.v)*q - (s.x-s.w)*r
	q = 2 * (q - r)
	if q > 0 {
		p = -p
	}
	q = math.Abs(q)
	before := s.last
	s.last = s.step
	if !(math.Abs(p) < math.Abs(0.5*q*before) && p > q*(s.a-s.x) && p < q*(s.b-s.x)) {
		return false
	}
	s.step = p / q
	if u := s.x + s.step; u-s.a < 2*tolerance || s.b-u < 2*tolerance {
		s.step = tolerance * towards(middle-s.x)
	}
	return true
}

// record takes in the value at u.
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
