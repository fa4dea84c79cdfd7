package amp

import "math"

// cut is the number of standard deviations beyond which H_ρ counts as 0 or 1: Φ(-8) = 6e-16.
const cut = 8.0

// knotCount is the number of standardised positions at which a kernel tabulates its map.
const knotCount = 15

// knotAt returns the standardised positions t of the knots: dense where H_ρ rises.
func knotAt() [knotCount]float64 {
	return [...]float64{-cut, -5.5, -4, -3, -2.25, -1.5, -0.75, 0, 0.75, 1.5, 2.25, 3, 4, 5.5, cut}
}

// law is what all kernels of one rank posterior share.
type law struct {
	*normal
	rho, width float64 // ρ and √(1-ρ²)
	inv        float64 // 1/√(1-ρ²)
	knots      [knotCount]float64
}

func newLaw(rho float64) *law {
	width := math.Sqrt((1 - rho) * (1 + rho))
	return &law{normal: standardNormal(), rho: rho, width: width, inv: 1 / width, knots: knotAt()}
}

// kernel is one step of the recursion in rank space, the increasing map of [0, 1] onto itself
//
//	T(g) = (1-α) g + α H_ρ(g, v).
//
// In z = Φ^-1(g) the second term is α Φ(t) with t = (z - ρ Φ^-1(v)) / √(1-ρ²). Where |t| >= cut, T and
// its inverse are straight lines; between, T is tabulated at the knots (value and slope), which gives
// the inverse a start good to about three digits, finished by a fourth-order Newton-type iteration
// inside the bracket of the two knots.
type kernel struct {
	alpha, keep float64 // α and 1-α
	v, centre   float64 // v and ρ Φ^-1(v)
	knots       int     // number of knots in use: 0 while only the map itself is needed
	value       [knotCount]float64
	slope       [knotCount]float64 // dz/dT at the knot
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
		h, dh := l.at(t)
		g, dg := l.at(k.centre + l.width*t)
		k.value[i] = k.keep*g + k.alpha*h
		k.slope[i] = 1 / (k.keep*dg + k.alpha*l.inv*dh)
	}
}

// apply returns T(g) for g in [0, 1].
func (k *kernel) apply(l *law, g float64) float64 {
	switch {
	case l.rho == 0 || k.alpha == 0:
		return g
	case l.rho == 1:
		if g >= k.v {
			return k.keep*g + k.alpha
		}
		return k.keep * g
	}
	h, _ := l.at((normalQuantile(g) - k.centre) * l.inv)
	return k.keep*g + k.alpha*h
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

// invertStep is the inverse for ρ = 1, where T jumps by α at v.
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
	i := 0
	for half := knotCount / 2; half > 0; half = (half + 1) / 2 {
		if j := i + half; j < knotCount-1 && k.value[j] <= w {
			i = j
		}
		if half == 1 {
			break
		}
	}
	lo, hi := k.centre+l.width*l.knots[i], k.centre+l.width*l.knots[i+1]
	z := hermite((w-k.value[i])/(k.value[i+1]-k.value[i]), lo, hi,
		k.slope[i]*(k.value[i+1]-k.value[i]), k.slope[i+1]*(k.value[i+1]-k.value[i]))
	return k.polish(l, w, z, [2]float64{lo, hi})
}

// hermite is the cubic through (0, a) and (1, b) with slopes da and db there.
func hermite(s, a, b, da, db float64) float64 {
	r := 1 - s
	return r*r*(a*(1+2*s)+da*s) + s*s*(b*(1+2*r)-db*r)
}

// polish iterates on f(z) = (1-α) Φ(z) + α Φ(t) - w from z inside the bracket. With δ = -f/f', the
// step is the series of the inverse function to third order,
//
//	δ - f″/(2f′) δ² + [f″²/(2f′²) - f‴/(6f′)] δ³,
//
// replaced by bisection when it leaves the bracket. It returns Φ of the root.
func (k *kernel) polish(l *law, w, z float64, in [2]float64) float64 {
	if !(z > in[0] && z < in[1]) {
		z = (in[0] + in[1]) / 2
	}
	var g float64
	for range 100 {
		t := (z - k.centre) * l.inv
		cdf, pdf := l.at(z)
		h, dh := l.at(t)
		g = cdf
		f := k.keep*cdf + k.alpha*h - w
		if f > 0 {
			in[1] = z
		} else {
			in[0] = z
		}
		a, b := k.keep*pdf, k.alpha*dh*l.inv
		bt := b * t * l.inv
		r := 1 / (a + b)
		d := -f * r
		f2 := -(a*z + bt) * r * 0.5
		f3 := (a*(z*z-1) + b*l.inv*l.inv*(t*t-1)) * r * (1. / 6)
		size := math.Abs(d) * math.Max(l.inv, math.Abs(f2))
		d *= 1 - d*(f2-d*(2*f2*f2-f3))
		next := z + d
		if size < 1e-3 {
			return cdf + pdf*d*(1-d*(z*0.5-d*(z*z-1)*(1./6)))
		}
		if !(next > in[0] && next < in[1]) {
			next = (in[0] + in[1]) / 2
		}
		if next == z || in[1]-in[0] < 1e-15*math.Abs(z) {
			break
		}
		z = next
	}
	return g
}
