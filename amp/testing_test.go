package amp

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat"

	"github.com/pfnamp/pfnamp/internal/must"
)

// draw runs a sampler that cannot fail.
func draw(tb testing.TB, s Sampler) *RankPosterior {
	tb.Helper()
	p, err := s.Draw(tb.Context())
	must.Succeed(tb, err)
	return p
}

// conjugate returns the rates 1/(M+k), for which ρ = 1 makes the recursion a Pólya urn, times a
// factor that makes up for the spread of the steps beyond the last one.
func conjugate(m float64, steps int) FixedSchedule {
	rates, finite := make(FixedSchedule, steps), 0.0
	for k := range rates {
		rates[k] = 1 / (m + float64(k+1))
		finite += rates[k] * rates[k]
	}
	c := math.Sqrt(mathext.Zeta(2, m+1) / finite)
	for k := range rates {
		rates[k] *= c
	}
	return rates
}

// summarizer prepares a summary that cannot fail.
func summarizer(tb testing.TB, p *RankPosterior, spec Spec) *Summarizer {
	tb.Helper()
	s, err := p.Summarizer(tb.Context(), spec)
	must.Succeed(tb, err)
	return s
}

// normalPPD is the normal distribution.
type normalPPD struct{ mu, sd float64 }

func (p normalPPD) CDF(y float64) float64      { return 0.5 * math.Erfc(-(y-p.mu)/p.sd/math.Sqrt2) }
func (p normalPPD) Quantile(q float64) float64 { return p.mu + p.sd*normalQuantile(q) }
func (p normalPPD) Mean() float64              { return p.mu }

// uniformPPD is the uniform distribution on [0, 1]: quantiles are ranks.
type uniformPPD struct{}

func (uniformPPD) CDF(y float64) float64      { return math.Max(0, math.Min(1, y)) }
func (uniformPPD) Quantile(q float64) float64 { return q }
func (uniformPPD) Mean() float64              { return 0.5 }

// pointPPD is a point mass.
type pointPPD float64

func (p pointPPD) CDF(y float64) float64 {
	if y < float64(p) {
		return 0
	}
	return 1
}
func (p pointPPD) Quantile(float64) float64 { return float64(p) }
func (p pointPPD) Mean() float64            { return float64(p) }

// knotPPD has knots at the levels i/(Q+1), straight lines between and exponential tails with the
// given scales beyond: the shape of the PPDs of quantile-regression networks.
type knotPPD struct {
	knots       []float64
	left, right float64
}

func (p knotPPD) level(i int) float64 { return float64(i+1) / float64(len(p.knots)+1) }

func (p knotPPD) Quantile(q float64) float64 {
	last := len(p.knots) - 1
	switch pos := q*float64(last+2) - 1; {
	case pos <= 0:
		return p.knots[0] + p.left*math.Log(math.Max(q, 1e-6)/p.level(0))
	case pos >= float64(last):
		return p.knots[last] - p.right*math.Log(math.Max(1-q, 1e-6)/(1-p.level(last)))
	default:
		i := int(pos)
		return p.knots[i] + (pos-float64(i))*(p.knots[i+1]-p.knots[i])
	}
}

func (p knotPPD) Quantiles(dst, levels []float64) {
	for i, q := range levels {
		dst[i] = p.Quantile(q)
	}
}

func (p knotPPD) CDF(y float64) float64 { return bisect(p.Quantile, y) }

func (p knotPPD) Mean() float64 {
	last := len(p.knots) - 1
	step := p.level(0)
	sum := step * (p.knots[0] - p.left + p.knots[last] + p.right)
	for i := range last {
		sum += step * (p.knots[i] + p.knots[i+1]) / 2
	}
	return sum
}

// knotsOf reads a knotPPD off another distribution.
func knotsOf(n int, quantile func(float64) float64) knotPPD {
	p := knotPPD{left: 0.3, right: 0.3}
	for i := range n {
		p.knots = append(p.knots, quantile(float64(i+1)/float64(n+1)))
	}
	return p
}

// kolmogorov returns P(√n D > x) in the limit, n D² = x².
func kolmogorov(x float64) float64 {
	if x < 0.2 {
		return 1
	}
	sum, sign := 0.0, 1.0
	for k := 1.0; k < 100; k++ {
		sum += sign * math.Exp(-2*k*k*x*x)
		sign = -sign
	}
	return math.Max(0, math.Min(1, 2*sum))
}

// ksOne is the p-value of the one-sample Kolmogorov-Smirnov test. It sorts x.
func ksOne(x []float64, cdf func(float64) float64) float64 {
	slices.Sort(x)
	n, d := float64(len(x)), 0.0
	for i, v := range x {
		f := cdf(v)
		d = max(d, f-float64(i)/n, float64(i+1)/n-f)
	}
	return kolmogorov(math.Sqrt(n) * d)
}

// ksTwo is the p-value of the two-sample Kolmogorov-Smirnov test. It sorts x and y.
func ksTwo(x, y []float64) float64 {
	slices.Sort(x)
	slices.Sort(y)
	n, m := float64(len(x)), float64(len(y))
	return kolmogorov(math.Sqrt(n*m/(n+m)) * stat.KolmogorovSmirnov(x, nil, y, nil))
}

// Ranks returns a copy of the ranks U_1..U_N of the forward samples of chain b, ascending. The
// forward samples at a query row with PPD P_0 are P_0^-1(U_k).
func (p *RankPosterior) Ranks(b int) []float64 {
	n := p.Steps()
	return append([]float64(nil), p.ranks[b*n:(b+1)*n]...)
}

// G returns G_N(u) of chain b for u in [0, 1]: the chain's last predictive distribution at a row
// with PPD P_0 is G_N(P_0(y)).
func (p *RankPosterior) G(b int, u float64) float64 {
	var step kernel
	for i, alpha := range p.rates {
		step.set(p.law, alpha, p.drawn[b*p.Steps()+i])
		u = step.apply(p.law, u)
	}
	return u
}

// GInverse returns G_N^-1(w) of chain b for w in [0, 1].
func (p *RankPosterior) GInverse(b int, w float64) float64 {
	var step kernel
	for i := p.Steps() - 1; i >= 0; i-- {
		step.set(p.law, p.rates[i], p.drawn[b*p.Steps()+i])
		step.tabulate(p.law)
		w = step.invert(p.law, w)
	}
	return w
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

// Chains returns B.
func (p *RankPosterior) Chains() int { return p.chains }
