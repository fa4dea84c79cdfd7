package pfn

import "math"

// Shortest returns the shortest interval [lo, hi] that holds the share level of the distribution,
// the first one of equals. It returns NaN if level is outside (0, 1). With the quantile function Q
// it minimises Q(a+level) - Q(a) over 0 < a < 1-level. That width is linear in a while both ends
// are between knots, and convex while one is in a tail. So at the minimum an end is a knot, or one
// is in a tail and both have the same density:
//
//	a = Left/s           lower end in the tail, upper end on a segment of slope s = dQ/da
//	1-a-level = Right/s  upper end in the tail, lower end on a segment of slope s
//	a = (1-level) Left/(Left+Right)         both ends in the tails
func (d *Quantiles) Shortest(level float64) (lo, hi float64) {
	if !(level > 0 && level < 1) {
		return math.NaN(), math.NaN()
	}
	best := shortest{d: d, level: level, width: math.Inf(1)}
	n := float64(len(d.Knots) + 1)
	best.try((1 - level) * d.Left / (d.Left + d.Right))
	for i, q := range d.Knots {
		best.try(d.level(i))
		best.try(d.level(i) - level)
		if i > 0 && q > d.Knots[i-1] {
			slope := (q - d.Knots[i-1]) * n
			best.try(d.Left / slope)
			best.try(1 - level - d.Right/slope)
		}
	}
	return d.Quantile(best.at), d.Quantile(best.at + level)
}

// shortest is the best interval so far.
type shortest struct {
	d         *Quantiles
	level     float64
	at, width float64 // lower tail probability, width in standardised units
}

// try compares the best interval with that of the lower tail probability a; a may be any number.
func (s *shortest) try(a float64) {
	if !(a > 0 && a+s.level < 1) {
		return
	}
	width := s.d.quantile(a+s.level) - s.d.quantile(a)
	if width < s.width || width == s.width && a < s.at {
		s.at, s.width = a, width
	}
}
