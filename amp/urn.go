package amp

import (
	"context"
	"math"
	"slices"
)

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

// urns makes the urns of all chains, once.
func (p *RankPosterior) urns(ctx context.Context) (*urns, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.urn != nil {
		return p.urn, nil
	}
	n := p.Steps()
	u := &urns{atoms: newSample(p.chains, n, nil, nil), spread: 1,
		below: make([]float64, p.chains*(n+1))}
	u.atoms.ranks = make([]float64, p.chains*n)
	for _, alpha := range p.rates {
		u.spread *= 1 - alpha
	}
	err := parallel(ctx, p.chains, p.workers, func() func(lo, hi int) {
		var one urn
		return func(lo, hi int) {
			for b := lo; b < hi; b++ {
				one.draw(p.rates, p.drawn[b*n:(b+1)*n])
				sum, below := 0.0, u.below[b*(n+1):(b+1)*(n+1)]
				for i, a := range one.atoms {
					u.atoms.ranks[b*n+i] = a.at
					sum += a.weight
					below[i+1] = sum
				}
			}
		}
	})
	if err != nil {
		return nil, err
	}
	p.urn = u
	return u, nil
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

// draw runs the urn with the ranks V_1..V_N.
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
	rule  *rule
	event Probability
	urns  *urns
}

func (e *urnEngine) limits(ppd PPD, s *scratch) limits {
	e.draws(s.draws, ppd, s)
	return e.rule.of(s.draws)
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
