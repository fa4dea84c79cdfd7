package amp

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/mathext"
)

// cut is the number of standard deviations beyond which H_ρ counts as 0 or 1: Φ(-8) = 6e-16.
const cut = 8.0

// knotCount is the number of standardised positions at which a kernel tabulates its map.
const knotCount = 15

// law is what all kernels of one rank posterior share.
type law struct {
	*normal
	rho, width float64 // ρ and √(1-ρ²)
	inv        float64 // 1/√(1-ρ²)
	knots      [knotCount]float64
	rise       [knotCount]float64 // Φ at the knots
	steepness  [knotCount]float64 // φ at the knots, over √(1-ρ²)
}

// newLaw returns the law for ρ in [0, 1]. The knots are dense where H_ρ rises.
func newLaw(rho float64) *law {
	width := math.Sqrt((1 - rho) * (1 + rho))
	l := &law{normal: standardNormal(), rho: rho, width: width, inv: 1 / width}
	l.knots = [...]float64{
		-cut, -5.5, -4, -3, -2.25, -1.5, -0.75, 0, 0.75, 1.5, 2.25, 3, 4, 5.5, cut,
	}
	for i, t := range l.knots {
		h, dh := l.at(t)
		l.rise[i], l.steepness[i] = h, dh*l.inv
	}
	return l
}

// kernel is one step of the recursion in rank space, the increasing map of [0, 1] onto itself
//
//	T(g) = (1-α) g + α H_ρ(g, v).
//
// In z = Φ^-1(g) the second term is α Φ(t) with t = (z - ρ Φ^-1(v)) / √(1-ρ²). Where |t| >= cut, T
// and its inverse are straight lines. Between, value and slope of T are tabulated at the knots.
// This table gives the inverse a start with about three correct digits. A fourth-order Newton-type
// iteration inside the bracket of two knots finishes it.
type kernel struct {
	alpha, keep float64                // α and 1-α
	v, centre   float64                // v and ρ Φ^-1(v)
	value       [knotCount + 1]float64 // T at the knots, and Inf
	slope       [knotCount]float64     // dz/dT at the knots
}

// set prepares k as the step with learning rate alpha at the drawn rank v in (0, 1).
func (k *kernel) set(l *law, alpha, v float64) {
	k.alpha, k.keep, k.v = alpha, 1-alpha, v
	k.centre = l.rho * normalQuantile(v)
}

// tabulate fills the knots of k, which invert needs.
func (k *kernel) tabulate(l *law) {
	if l.rho == 0 || l.rho == 1 || k.alpha == 0 || k.alpha == 1 {
		return
	}
	for i, t := range l.knots {
		g, dg := l.at(k.centre + l.width*t)
		k.value[i] = k.keep*g + k.alpha*l.rise[i]
		k.slope[i] = 1 / (k.keep*dg + k.alpha*l.steepness[i])
	}
	k.value[knotCount] = math.Inf(1)
}

// invert returns T^-1(w) for w in [0, 1], after tabulate.
func (k *kernel) invert(l *law, w float64) float64 {
	switch {
	case l.rho == 0 || k.alpha == 0:
		return w
	case l.rho == 1:
		return k.invertStep(w)
	case k.alpha == 1:
		g, _ := l.at(k.centre + l.width*normalQuantile(w))
		return g
	case w <= k.value[0]:
		return w / k.keep
	case w >= k.value[knotCount-1]:
		return math.Max(0, math.Min(1, (w-k.alpha)/k.keep))
	}
	return k.solve(l, w)
}

// invertStep returns the inverse for ρ = 1, where T jumps by α at v.
func (k *kernel) invertStep(w float64) float64 {
	switch {
	case w < k.keep*k.v:
		return w / k.keep
	case w > k.keep*k.v+k.alpha:
		return math.Min(1, (w-k.alpha)/k.keep)
	}
	return k.v
}

// solve finds T^-1(w) strictly between the first and the last knot.
func (k *kernel) solve(l *law, w float64) float64 {
	i := k.segment(w)
	in := [2]float64{k.centre + l.width*l.knots[i], k.centre + l.width*l.knots[i+1]}
	below, rise := k.value[i], k.value[i+1]-k.value[i]
	z := hermite((w-below)/rise, in, [2]float64{k.slope[i] * rise, k.slope[i+1] * rise})
	next, g, _, done := k.step(l, w, z)
	if done {
		return g
	}
	return k.safeguarded(l, w, next, in)
}

// segment returns i such that value[i] <= w < value[i+1], by bisection without branches, because
// the processor would mispredict them. Non-negative numbers are ordered like their bits. The sign
// of a difference of bits becomes the mask that clears a stride.
func (k *kernel) segment(w float64) int {
	bits, i := int64(math.Float64bits(w)), 0
	for stride := (knotCount + 1) / 2; stride > 0; stride /= 2 {
		behind := bits - int64(math.Float64bits(k.value[(i+stride)&knotCount]))
		i += stride &^ int(behind>>63)
	}
	return i
}

// hermite returns the cubic through (0, end[0]) and (1, end[1]) with the given slopes there.
func hermite(s float64, end, slope [2]float64) float64 {
	r := 1 - s
	return r*r*(end[0]*(1+2*s)+slope[0]*s) + s*s*(end[1]*(1+2*r)-slope[1]*r)
}

// step moves z towards the root of f(z) = (1-α) Φ(z) + α Φ(t) - w. With δ = -f/f', it adds the
// series of the inverse function to third order,
//
//	δ - f″/(2f′) δ² + [f″²/(2f′²) - f‴/(6f′)] δ³.
//
// done reports that the next step would not change g, which is Φ of the root.
func (k *kernel) step(l *law, w, z float64) (next, g, f float64, done bool) {
	t := (z - k.centre) * l.inv
	cdf, pdf := l.at(z)
	h, dh := l.at(t)
	f = k.keep*cdf + k.alpha*h - w
	a, b := k.keep*pdf, k.alpha*dh*l.inv
	bt := b * t * l.inv
	r := 1 / (a + b)
	d := -f * r
	f2 := -(a*z + bt) * r * 0.5
	f3 := (a*(z*z-1) + b*l.inv*l.inv*(t*t-1)) * r * (1. / 6)
	done = math.Abs(d)*l.inv < 1e-3 && math.Abs(d*f2) < 1e-3
	d *= (1 - d*f2) + d*d*(2*f2*f2-f3)
	g = cdf + pdf*d*((1-d*z*0.5)+d*d*(z*z-1)*(1./6))
	return z + d, g, f, done
}

// safeguarded iterates from z in the bracket, bisecting where a step would leave it.
func (k *kernel) safeguarded(l *law, w, z float64, in [2]float64) float64 {
	lo, hi := in[0], in[1]
	if !(z > lo && z < hi) {
		z = (lo + hi) / 2
	}
	for range 100 {
		next, g, f, done := k.step(l, w, z)
		if done {
			return g
		}
		if f > 0 {
			hi = z
		} else {
			lo = z
		}
		if !(next > lo && next < hi) {
			next = (lo + hi) / 2
		}
		if next == z || next == lo || next == hi {
			break
		}
		z = next
	}
	g, _ := l.at(z)
	return g
}

// The table of the standard normal distribution has a node every 1/64 on [-16, 16). Its size is
// a power of two, so that an index masked with tableMask needs no bounds check.
const (
	tableSize  = 2048
	tableMask  = tableSize - 1
	tableRes   = 64.0
	tableBound = 15.9
)

// normal tabulates Φ and φ at its nodes; between nodes x = x0 + δ, |δ| <= 1/128, the Taylor
// series
//
//	Φ(x0+δ) = Φ(x0) + φ(x0) δ [1 - He1 δ/2 + He2 δ²/6 - He3 δ³/24 + He4 δ⁴/120]
//
// with the Hermite polynomials He_k(x0) leaves an absolute error below 4e-16 + 2e-15 and a
// relative error below 1e-9 for x > -9 (tested against math.Erfc). A normal is immutable.
type normal struct {
	cdfAt, pdfAt [tableSize]float64
}

// standardNormal returns the shared table, built on first use (0.1 ms).
var standardNormal = sync.OnceValue(newNormal)

func newNormal() *normal {
	t := new(normal)
	for i := range t.cdfAt {
		x := float64(i)/tableRes - tableSize/(2*tableRes)
		t.cdfAt[i] = normalCDF(x)
		t.pdfAt[i] = math.Exp(-x*x/2) / math.Sqrt(2*math.Pi)
	}
	return t
}

// at returns Φ(x) and φ(x).
func (t *normal) at(x float64) (cdf, pdf float64) {
	if !(x > -tableBound && x < tableBound) {
		if x > 0 {
			return 1, 0
		}
		return 0, 0
	}
	i := int(x*tableRes+(tableSize/2+0.5)) & tableMask
	a := float64(i)/tableRes - tableSize/(2*tableRes)
	d := x - a
	f := t.pdfAt[i]
	q, d2 := a*a, d*d
	h2, h3, h4 := q-1, a*(q-3), q*(q-6)+3
	ad, h3d, h4d := a*d, h3*d, d2*d2*h4
	cdf = t.cdfAt[i] + f*d*((1-ad*(1./2))+d2*(h2*(1./6)-h3d*(1./24))+h4d*(1./120))
	pdf = f * ((1 - ad) + d2*(h2*(1./2)-h3d*(1./6)) + h4d*(1./24))
	return cdf, pdf
}

// normalQuantile returns Φ^-1(p), accurate to about 1e-15 relative to p (Wichura 1988, AS 241);
// Φ^-1(0) = -Inf and Φ^-1(1) = Inf.
func normalQuantile(p float64) float64 {
	switch {
	case p <= 0:
		return math.Inf(-1)
	case p >= 1:
		return math.Inf(1)
	}
	return mathext.NormalQuantile(p)
}

// normalCDF returns Φ(z).
func normalCDF(z float64) float64 { return 0.5 * math.Erfc(-z/math.Sqrt2) }
