package tabicl

import "math"

// lambdaTolerance is the absolute accuracy of minimize.
const lambdaTolerance = 1.48e-8

// search is the state of a bounded minimisation: the bracket [lo, hi], the three best points in
// order, and the last two steps.
type search struct {
	lo, hi                float64
	best, second, third   float64
	fBest, fSecond, fThrd float64
	step, lastStep        float64
}

// minimize returns a local minimum of f inside [lo, hi] by golden sections and parabolas.
//
// Source: Forsythe, Malcolm and Moler, "Computer Methods for Mathematical Computations" (1977),
// function FMIN after Brent; the order of operations is that of scipy.optimize.fminbound.
func minimize(f func(float64) float64, lo, hi float64) float64 {
	golden := 0.5 * (3 - math.Sqrt(5))
	s := search{lo: lo, hi: hi}
	s.best = lo + golden*(hi-lo)
	s.second, s.third = s.best, s.best
	s.fBest = f(s.best)
	s.fSecond, s.fThrd = s.fBest, s.fBest
	for range 500 {
		middle := 0.5 * (s.lo + s.hi)
		tol := math.Sqrt(2.2e-16)*math.Abs(s.best) + lambdaTolerance/3
		if math.Abs(s.best-middle) <= 2*tol-0.5*(s.hi-s.lo) {
			break
		}
		if !s.parabola(middle, tol) {
			s.lastStep = s.hi - s.best
			if s.best >= middle {
				s.lastStep = s.lo - s.best
			}
			s.step = golden * s.lastStep
		}
		x := s.best + math.Copysign(max(math.Abs(s.step), tol), s.step)
		s.record(x, f(x))
	}
	return s.best
}

// parabola proposes the minimum of the parabola through the three best points, and reports
// whether it is acceptable: inside the bracket and less than half the step before last.
func (s *search) parabola(middle, tol float64) bool {
	if math.Abs(s.lastStep) <= tol {
		return false
	}
	r := (s.best - s.second) * (s.fBest - s.fThrd)
	q := (s.best - s.third) * (s.fBest - s.fSecond)
	p := (s.best-s.third)*q - (s.best-s.second)*r
	q = 2 * (q - r)
	if q > 0 {
		p = -p
	}
	q = math.Abs(q)
	r, s.lastStep = s.lastStep, s.step
	if !(math.Abs(p) < math.Abs(0.5*q*r) && p > q*(s.lo-s.best) && p < q*(s.hi-s.best)) {
		return false
	}
	s.step = p / q
	if x := s.best + s.step; x-s.lo < 2*tol || s.hi-x < 2*tol {
		s.step = math.Copysign(tol, middle-s.best)
	}
	return true
}

// record shrinks the bracket around the better of the best point and a new one.
func (s *search) record(x, fx float64) {
	if fx <= s.fBest {
		if x >= s.best {
			s.lo = s.best
		} else {
			s.hi = s.best
		}
		s.third, s.fThrd = s.second, s.fSecond
		s.second, s.fSecond = s.best, s.fBest
		s.best, s.fBest = x, fx
		return
	}
	if x < s.best {
		s.lo = x
	} else {
		s.hi = x
	}
	switch {
	case fx <= s.fSecond || s.second == s.best:
		s.third, s.fThrd = s.second, s.fSecond
		s.second, s.fSecond = x, fx
	case fx <= s.fThrd || s.third == s.best || s.third == s.second:
		s.third, s.fThrd = x, fx
	}
}
