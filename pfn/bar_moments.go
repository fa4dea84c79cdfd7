package pfn

import "math"

// Mean returns the expectation, from the midpoints of bars and the means of tails.
func (d *Bars) Mean() float64 {
	left, right, last := d.left(), d.right(), len(d.Mass)-1
	sum := left.mass*(left.start-left.mean()) + right.mass*(right.start+right.mean())
	for i := 1; i < last; i++ {
		sum += d.Mass[i] * d.middle(i)
	}
	return sum
}

// middle returns the midpoint of a bar.
func (d *Bars) middle(i int) float64 {
	return d.Borders[i] + (d.Borders[i+1]-d.Borders[i])/2
}

// Variance returns the second central moment,
//
//	sum_i p_i (w_i^2/12 + (m_i - mean)^2),
//
// where a tail has the variance s^2 (1 - 2/pi) instead of w^2/12. Moments about the mean avoid
// cancellation.
func (d *Bars) Variance() float64 {
	center, last := d.Mean(), len(d.Mass)-1
	var sum float64
	add := func(mass, within, at float64) { sum += mass * (within + (at-center)*(at-center)) }
	left, right := d.left(), d.right()
	add(left.mass, left.variance(), left.start-left.mean())
	add(right.mass, right.variance(), right.start+right.mean())
	for i := 1; i < last; i++ {
		w := d.Borders[i+1] - d.Borders[i]
		add(d.Mass[i], w*w/12, d.middle(i))
	}
	return sum
}

// variance returns the variance of the distance from the start.
func (t tail) variance() float64 { return t.scale * t.scale * (1 - 2/math.Pi) }

// Mode returns the midpoint of the bar with the highest density. Like the reference implementation,
// it spreads the outer bars evenly.
func (d *Bars) Mode() float64 {
	best, most := 0, -1.0
	for i, p := range d.Mass {
		if density := p / (d.Borders[i+1] - d.Borders[i]); density > most {
			best, most = i, density
		}
	}
	return d.middle(best)
}

// CRPS returns the continuous ranked probability score of the distribution at the outcome y, the
// integral of (F(x) - 1{x >= y})^2 over x, in units of the target. Lower is better. It is exact: F
// is linear in a bar, and tail.score integrates F and F^2 of a tail.
func (d *Bars) CRPS(y float64) float64 {
	first, last := 0, len(d.Mass)-1
	var sum float64
	if d.Compat {
		sum = math.Max(d.Borders[0]-y, 0) + math.Max(y-d.Borders[last+1], 0)
	} else {
		left, right := d.left(), d.right()
		sum = left.score(left.start-y) + right.score(y-right.start)
		first, last = first+1, last-1
	}
	below := d.sums()
	for i := first; i <= last; i++ {
		sum += d.barScore(below, i, y)
	}
	return sum
}

// barScore integrates over bar i.
func (d *Bars) barScore(below []float64, i int, y float64) float64 {
	a, b, low, high := d.Borders[i], d.Borders[i+1], below[i], below[i+1]
	switch {
	case y >= b:
		return squareIntegral(b-a, low, high)
	case y <= a:
		return squareIntegral(b-a, 1-low, 1-high)
	}
	at := low + d.Mass[i]*(y-a)/(b-a)
	return squareIntegral(y-a, low, at) + squareIntegral(b-y, 1-at, 1-high)
}

// squareIntegral returns the integral of f^2 over a width, for f linear from f0 to f1.
func squareIntegral(width, f0, f1 float64) float64 { return width * (f0*f0 + f0*f1 + f1*f1) / 3 }

// score integrates over the tail for an outcome dist beyond its start, or before it if dist < 0.
// With t = distance/(s sqrt 2) the mass beyond t is F = p erfc(t):
//
//	int_t F = p s sqrt2 (exp(-t^2)/sqrt(pi) - t erfc(t))
//	int_t F^2 = p^2 s sqrt2 (2/sqrt(pi) exp(-t^2) erfc(t) - t erfc(t)^2 - sqrt(2/pi) erfc(t sqrt2))
func (t tail) score(dist float64) float64 {
	unit := t.scale * math.Sqrt2
	if dist <= 0 {
		return t.mass * t.mass * unit * squareTail(0)
	}
	at := dist / unit
	inside := at - 2*t.mass*(plainTail(0)-plainTail(at)) +
		t.mass*t.mass*(squareTail(0)-squareTail(at))
	return unit * (inside + t.mass*t.mass*squareTail(at))
}

// plainTail returns the integral of erfc from t to infinity.
func plainTail(t float64) float64 { return math.Exp(-t*t)/math.Sqrt(math.Pi) - t*math.Erfc(t) }

// squareTail returns the integral of erfc^2 from t to infinity.
func squareTail(t float64) float64 {
	c := math.Erfc(t)
	return 2/math.Sqrt(math.Pi)*math.Exp(-t*t)*c - t*c*c -
		math.Sqrt(2/math.Pi)*math.Erfc(t*math.Sqrt2)
}
