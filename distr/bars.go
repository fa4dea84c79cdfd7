package distr

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/mathext"
)

// Bars is a predictive distribution of K bars. Between the borders b_i and b_{i+1} the density is
// Mass[i]/(b_{i+1} - b_i). The two outer bars are half-normal tails instead,
//
//	density p_0 h(b_1 - y; s_0) for y < b_1,  h(d; s) = 2/(s sqrt(2 pi)) exp(-d^2/(2 s^2)),
//
// and likewise above b_{K-1}, with scales that put half of their mass inside the outer bar: s =
// w/0.67449 for a bar of width w.
//
// The reference implementation contradicts itself in the outer bars. Its density and moments have
// the tails, but its distribution function and quantiles spread the outer bars evenly and end at
// the outermost borders. Compat reproduces that. Without Compat everything has the tails, so that
// all methods describe one distribution.
//
// Do not change borders and masses while a distribution is in use. Methods are safe for concurrent
// use.
//
// Source: Müller, Hollmann, Pineda Arango, Grabocka and Hutter, "Transformers Can Do Bayesian
// Inference", ICLR 2022 (Riemann distribution); FullSupportBarDistribution of PriorLabs/TabPFN.
type Bars struct {
	Borders []float64 // K+1 borders in units of the target, strictly ascending, K >= 2
	Mass    []float64 // K probabilities that sum to 1
	Compat  bool

	below []float64 // result of sums, nil without NewBars
}

var _ PPD = (*Bars)(nil)

// halfNormalQuartile is the median of a half-normal distribution of scale 1.
const halfNormalQuartile = 0.6744897501960817

// NewBars makes a distribution from masses that need not sum to 1. It keeps the borders without a
// copy.
func NewBars(borders, mass []float64, compat bool) *Bars {
	var sum float64
	for _, p := range mass {
		sum += p
	}
	for i := range mass {
		mass[i] /= sum
	}
	d := &Bars{Borders: borders, Mass: mass, Compat: compat}
	d.below = d.sums()
	return d
}

// sums returns the K+1 probabilities below the borders, with all bars closed.
func (d *Bars) sums() []float64 {
	if d.below != nil {
		return d.below
	}
	below := make([]float64, len(d.Borders))
	for i, p := range d.Mass {
		below[i+1] = min(below[i]+p, 1)
	}
	below[len(d.Mass)] = 1
	return below
}

// tail is an outer bar: its mass, the scale of the half-normal, and its start.
type tail struct{ mass, scale, start float64 }

func (d *Bars) left() tail {
	return tail{d.Mass[0], (d.Borders[1] - d.Borders[0]) / halfNormalQuartile, d.Borders[1]}
}

func (d *Bars) right() tail {
	k := len(d.Mass)
	return tail{d.Mass[k-1], (d.Borders[k] - d.Borders[k-1]) / halfNormalQuartile, d.Borders[k-1]}
}

// beyond returns the mass further than dist from the start of the tail.
func (t tail) beyond(dist float64) float64 { return t.mass * math.Erfc(dist/t.scale/math.Sqrt2) }

// reach returns the inverse of beyond. It returns 0 if mass is the mass of the tail or, by
// rounding, more, and +Inf if mass is 0, also for a tail without mass.
func (t tail) reach(mass float64) float64 {
	if !(mass > 0) {
		return math.Inf(1)
	}
	return -t.scale * mathext.NormalQuantile(min(mass/t.mass, 1)/2)
}

// logDensity returns the logarithm of the density at dist from the start.
func (t tail) logDensity(dist float64) float64 {
	z := dist / t.scale
	return math.Log(t.mass/t.scale) + 0.5*math.Log(2/math.Pi) - z*z/2
}

func (t tail) mean() float64 { return t.scale * math.Sqrt(2/math.Pi) }

// bar returns the index i with b_i < y <= b_{i+1}, or the nearest one.
func (d *Bars) bar(y float64) int {
	i := sort.SearchFloat64s(d.Borders, y) - 1
	return min(max(i, 0), len(d.Mass)-1)
}

// CDF returns P(Y <= y).
func (d *Bars) CDF(y float64) float64 {
	if math.IsNaN(y) {
		return math.NaN()
	}
	i := d.bar(y)
	if !d.Compat && i == 0 {
		t := d.left()
		return t.beyond(t.start - y)
	}
	if !d.Compat && i == len(d.Mass)-1 {
		t := d.right()
		return 1 - t.beyond(y-t.start)
	}
	share := (y - d.Borders[i]) / (d.Borders[i+1] - d.Borders[i])
	below := d.sums()
	return min(below[i]+d.Mass[i]*min(max(share, 0), 1), below[i+1])
}

// Quantile returns the least y with CDF(y) >= p; p outside [0, 1] gives NaN. Quantile(0) and
// Quantile(1) are -Inf and +Inf, or the outermost borders if Compat.
func (d *Bars) Quantile(p float64) float64 {
	if !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	last := len(d.Mass) - 1
	below := d.sums()
	i := min(sort.SearchFloat64s(below[1:], p), last)
	if !d.Compat && i == 0 {
		t := d.left()
		return t.start - t.reach(p)
	}
	if !d.Compat && (i == last || p == 1) {
		t := d.right()
		return t.start + t.reach(1-p)
	}
	share := 0.0
	if d.Mass[i] > 0 {
		share = min(max((p-below[i])/d.Mass[i], 0), 1)
	}
	return d.Borders[i] + (d.Borders[i+1]-d.Borders[i])*share
}

// Density returns the density at y; at a border, the density of the bar below.
func (d *Bars) Density(y float64) float64 { return math.Exp(d.LogDensity(y)) }

// LogDensity returns the logarithm of Density, without underflow in the tails.
func (d *Bars) LogDensity(y float64) float64 {
	if math.IsNaN(y) {
		return math.NaN()
	}
	switch i := d.bar(y); i {
	case 0:
		t := d.left()
		return t.logDensity(t.start - y)
	case len(d.Mass) - 1:
		t := d.right()
		return t.logDensity(y - t.start)
	default:
		return math.Log(d.Mass[i] / (d.Borders[i+1] - d.Borders[i]))
	}
}

// Mean returns the expectation, from the midpoints of bars and the means of tails.
func (d *Bars) Mean() float64 {
	left, right, last := d.left(), d.right(), len(d.Mass)-1
	sum := left.mass*(left.start-left.mean()) + right.mass*(right.start+right.mean())
	for i := 1; i < last; i++ {
		sum += d.Mass[i] * d.middle(i)
	}
	return sum
}

func (d *Bars) middle(i int) float64 { return d.Borders[i] + (d.Borders[i+1]-d.Borders[i])/2 }

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

func (t tail) variance() float64 { return t.scale * t.scale * (1 - 2/math.Pi) }

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
