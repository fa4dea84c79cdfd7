package amp

import (
	"context"
	"math"
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

// urns holds G_N of every chain for ρ = 1, exactly. Then a step is a step of a Pólya urn: with U_k
// = G_{k-1}^-1(V_k),
//
//	G_k(u) = (1-α_k) G_{k-1}(u) + α_k 1{U_k <= u},
//
// so that G_N(u) = c u + Σ_k w_k 1{U_k <= u} with c = Π_j (1-α_j) and w_k = α_k Π_{j>k} (1-α_j)
// (Blackwell and MacQueen 1973).
type urns struct {
	atoms  *sample   // U_1..U_N of every chain, ascending
	below  []float64 // chains × (N+1): weight of the first 0, 1, ... atoms
	spread float64   // c
}

// urns returns the urns of all chains, which it makes once.
func (p *RankPosterior) urns(ctx context.Context) (*urns, error) {
	return p.urn.of(LimitPosterior, func() (*urns, error) { return p.makeUrns(ctx) })
}

func (p *RankPosterior) makeUrns(ctx context.Context) (*urns, error) {
	n, ranks := p.Steps(), make([]float64, len(p.ranks))
	u := &urns{atoms: newSample(p.chains, ranks, nil, nil), spread: 1,
		below: make([]float64, p.chains*(n+1))}
	for _, alpha := range p.rates {
		u.spread *= 1 - alpha
	}
	return u, parallel(ctx, p.chains, p.workers, func() func(b int) {
		var one urn
		return func(b int) {
			one.draw(p.rates, p.drawn[b*n:(b+1)*n])
			sum, below := 0.0, u.below[b*(n+1):(b+1)*(n+1)]
			for i, a := range one.atoms {
				ranks[b*n+i] = a.at
				sum += a.weight
				below[i+1] = sum
			}
		}
	})
}

// g returns G_N(at) of chain b; count of its atoms are at most at.
func (u *urns) g(b, count int, at float64) float64 {
	return u.spread*at + u.below[b*(u.atoms.size+1)+count]
}

// urn is one chain while it is drawn.
type urn struct {
	atoms  []atom // ascending
	spread float64
}

// atom is a place on the unit interval with probability.
type atom struct{ at, weight float64 }

func (u *urn) draw(rates, drawn []float64) {
	u.atoms, u.spread = u.atoms[:0], 1
	for k, alpha := range rates {
		place, before := u.inverse(drawn[k])
		u.spread *= 1 - alpha
		for i := range u.atoms {
			u.atoms[i].weight *= 1 - alpha
		}
		u.atoms = slices.Insert(u.atoms, before, atom{place, alpha})
	}
}

// inverse returns G^-1(v), and how many atoms are below it.
func (u *urn) inverse(v float64) (place float64, before int) {
	sum := 0.0
	for i, a := range u.atoms {
		if v < u.spread*a.at+sum {
			return (v - sum) / u.spread, i
		}
		if sum += a.weight; v <= u.spread*a.at+sum {
			return a.at, i
		}
	}
	if u.spread == 0 { // a rate was 1
		return u.atoms[len(u.atoms)-1].at, len(u.atoms)
	}
	return math.Min(1, (v-sum)/u.spread), len(u.atoms)
}

// urnEngine summarises the probability of an event, G_N(P_0(Hi)) - G_N(P_0(Lo)), for ρ = 1.
type urnEngine struct {
	event Probability
	urns  *urns
}

func (e *urnEngine) draws(dst []float64, ppd PPD, s *scratch) {
	lo, hi := e.event.levels(ppd)
	pool := e.urns.atoms.pooled()
	pool.count(s.counts, hi)
	for b, n := range s.counts {
		dst[b] = e.urns.g(b, int(n), hi)
	}
	pool.count(s.counts, lo)
	for b, n := range s.counts {
		dst[b] = math.Max(0, math.Min(1, dst[b]-e.urns.g(b, int(n), lo)))
	}
}
