package yeojohnson

import "math"

// Minimize searches a local minimum of f, starting from -2 and 2, and reports whether it found
// points that enclose one. f may return NaN or Inf.
//
// Source: Brent, "Algorithms for Minimization Without Derivatives" (1973), chapter 5; the steps,
// the tolerances and the treatment of NaN are those of scipy.optimize.brent, so that the minimum
// agrees far below its tolerance of 1.48e-8.
func Minimize(f func(float64) float64) (x float64, ok bool) {
	b, ok := findBracket(f, -2, 2)
	if !ok {
		return 0, false
	}
	return b.shrink(f), true
}

// bracket holds three points, the middle one lowest.
type bracket struct{ xa, xb, xc, fa, fb, fc float64 }

const (
	golden       = 1.618034
	growLimit    = 110
	maxExpansion = 1000
)

// findBracket walks downhill from two points, by parabolas and golden steps, until f rises.
func findBracket(f func(float64) float64, xa, xb float64) (bracket, bool) {
	k := bracket{xa: xa, xb: xb, fa: f(xa), fb: f(xb)}
	if k.fa < k.fb {
		k.xa, k.xb, k.fa, k.fb = k.xb, k.xa, k.fb, k.fa
	}
	k.xc = k.xb + golden*(k.xb-k.xa)
	k.fc = f(k.xc)
	for n := 0; k.fc < k.fb; n++ {
		if n > maxExpansion {
			return k, false
		}
		if k.expand(f) {
			break
		}
	}
	return k, k.valid()
}

// expand makes one step downhill and reports whether the minimum is enclosed.
func (k *bracket) expand(f func(float64) float64) bool {
	w, next := k.vertex(), k.xc+golden*(k.xc-k.xb)
	limit := k.xb + growLimit*(k.xc-k.xb)
	switch {
	case (w-k.xc)*(k.xb-w) > 0:
		fw := f(w)
		if fw < k.fc {
			k.xa, k.xb, k.fa, k.fb = k.xb, w, k.fb, fw
			return true
		}
		if fw > k.fb {
			k.xc, k.fc = w, fw
			return true
		}
	case (w-limit)*(limit-k.xc) >= 0:
		next = limit
	case (w-limit)*(k.xc-w) > 0:
		next = w
		if fw := f(w); fw < k.fc {
			k.xb, k.xc, k.fb, k.fc = k.xc, w, k.fc, fw
			next = k.xc + golden*(k.xc-k.xb)
		}
	}
	k.xa, k.xb, k.xc = k.xb, k.xc, next
	k.fa, k.fb, k.fc = k.fb, k.fc, f(next)
	return false
}

// vertex returns the minimum of the parabola through the three points.
func (k *bracket) vertex() float64 {
	const least = 1e-21
	t1 := (k.xb - k.xa) * (k.fb - k.fc)
	t2 := (k.xb - k.xc) * (k.fb - k.fa)
	denominator := 2 * (t2 - t1)
	if math.Abs(t2-t1) < least {
		denominator = 2 * least
	}
	return k.xb - ((k.xb-k.xc)*t2-(k.xb-k.xa)*t1)/denominator
}

// valid reports whether three finite points in order enclose a minimum.
func (k *bracket) valid() bool {
	lowest := k.fb < k.fc && k.fb <= k.fa || k.fb < k.fa && k.fb <= k.fc
	ordered := k.xa < k.xb && k.xb < k.xc || k.xc < k.xb && k.xb < k.xa
	return lowest && ordered && !math.IsInf(k.xa+k.xc, 0)
}

// search is the state of the minimisation inside [a, b]: the three best points, in order, the
// last step and the one before it.
type search struct {
	a, b       float64
	x, w, v    float64
	fx, fw, fv float64
	step, last float64
}

// shrink narrows the bracket by parabolas and golden sections.
func (k *bracket) shrink(f func(float64) float64) float64 {
	const tolerance, least = 1.48e-8, 1e-11
	s := search{a: min(k.xa, k.xc), b: max(k.xa, k.xc), x: k.xb, w: k.xb, v: k.xb,
		fx: k.fb, fw: k.fb, fv: k.fb}
	for range 500 {
		tol := tolerance*math.Abs(s.x) + least
		middle := 0.5 * (s.a + s.b)
		if math.Abs(s.x-middle) < 2*tol-0.5*(s.b-s.a) {
			break
		}
		u := s.next(middle, tol, 0.3819660)
		fu := f(u)
		s.record(u, fu, !(fu > s.fx))
	}
	return s.x
}

// next returns the next point, at least tol from the best one: by a parabola or, by this fraction,
// in the larger part of the bracket.
func (s *search) next(middle, tol, fraction float64) float64 {
	if math.Abs(s.last) <= tol || !s.parabola(middle, tol) {
		s.last = s.b - s.x
		if s.x >= middle {
			s.last = s.a - s.x
		}
		s.step = fraction * s.last
	}
	return s.x + math.Copysign(max(math.Abs(s.step), tol), s.step+0)
}

// parabola steps to the vertex through the three best points if that is inside the bracket and
// less than half the step before the last one away.
func (s *search) parabola(middle, tol float64) bool {
	t1 := (s.x - s.w) * (s.fx - s.fv)
	t2 := (s.x - s.v) * (s.fx - s.fw)
	p := (s.x-s.v)*t2 - (s.x-s.w)*t1
	t2 = 2 * (t2 - t1)
	if t2 > 0 {
		p = -p
	}
	t2 = math.Abs(t2)
	before := s.last
	s.last = s.step
	inside := p > t2*(s.a-s.x) && p < t2*(s.b-s.x)
	if !inside || !(math.Abs(p) < math.Abs(0.5*t2*before)) {
		return false
	}
	s.step = p / t2
	if u := s.x + s.step; u-s.a < 2*tol || s.b-u < 2*tol {
		s.step = tol
		if middle-s.x < 0 {
			s.step = -tol
		}
	}
	return true
}

// record stores the value at u. The searches differ in whether NaN is best.
func (s *search) record(u, fu float64, best bool) {
	switch {
	case best:
		if u >= s.x {
			s.a = s.x
		} else {
			s.b = s.x
		}
		s.v, s.fv, s.w, s.fw, s.x, s.fx = s.w, s.fw, s.x, s.fx, u, fu
		return
	case u < s.x:
		s.a = u
	default:
		s.b = u
	}
	if fu <= s.fw || s.w == s.x {
		s.v, s.fv, s.w, s.fw = s.w, s.fw, u, fu
	} else if fu <= s.fv || s.v == s.x || s.v == s.w {
		s.v, s.fv = u, fu
	}
}
