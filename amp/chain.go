package amp

import (
	"math/rand/v2"
	"slices"
)

// chain is the working memory of one rank chain: the kernels T_1..T_N of G_N = T_N ∘ … ∘ T_1.
type chain struct {
	law     *law
	kernels []kernel
}

func newChain(l *law, steps int) *chain {
	return &chain{law: l, kernels: make([]kernel, steps)}
}

// draw runs the chain on its random stream. It fills drawn with V_1..V_N, independent uniforms,
// and ranks with U_k = G_{k-1}^-1(V_k) in ascending order:
//
//	G_0(u) = u,  G_k(u) = (1-α_k) G_{k-1}(u) + α_k H_ρ(G_{k-1}(u), V_k).
//
// The forward sample of a query row with PPD P_0 is y_k = P_0^-1(U_k).
func (c *chain) draw(rates []float64, stream *rand.PCG, drawn, ranks []float64) {
	for k, alpha := range rates {
		v := uniform(stream)
		drawn[k] = v
		ranks[k] = c.inverse(k, v)
		c.kernels[k].set(c.law, alpha, v)
		c.kernels[k].tabulate(c.law)
	}
	slices.Sort(ranks)
}

// load sets the kernels of a chain drawn before.
func (c *chain) load(rates, drawn []float64) {
	for k, alpha := range rates {
		c.kernels[k].set(c.law, alpha, drawn[k])
		c.kernels[k].tabulate(c.law)
	}
}

// inverse returns G_k^-1(w).
func (c *chain) inverse(k int, w float64) float64 {
	for i := k - 1; i >= 0; i-- {
		w = c.kernels[i].invert(c.law, w)
	}
	return w
}

// inverseAll replaces every w of the list by G_N^-1(w).
func (c *chain) inverseAll(list []float64) {
	for i := len(c.kernels) - 1; i >= 0; i-- {
		k := &c.kernels[i]
		for j, w := range list {
			list[j] = k.invert(c.law, w)
		}
	}
}

// uniform draws from the open unit interval.
func uniform(stream *rand.PCG) float64 { return midpoint(stream.Uint64()) }

// midpoint returns the middle of one of 2^53 equal cells of the unit interval. Rounding moves the
// topmost cells; they stay below 1.
func midpoint(bits uint64) float64 {
	return min(largestRank, (float64(bits>>11)+0.5)*0x1p-53)
}

// stream returns the random stream of one chain, keyed by (seed, chain): neighbouring seeds and
// chains give unrelated streams, because both words of the generator's state are hashed.
func stream(seed uint64, chain int) *rand.PCG {
	h := mix(seed + 0x9e3779b97f4a7c15)
	return rand.NewPCG(mix(h^uint64(chain)), mix(h+mix(uint64(chain)+0xd1b54a32d192ed03)))
}

// mix returns the finaliser of SplitMix64 (Steele, Lea and Flood 2014), a bijection of the 64-bit
// words.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
