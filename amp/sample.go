package amp

import (
	"context"
	"math"
	"sort"
)

// sample represents one random distribution per chain on the unit interval by ascending ranks: for
// Paper, the N forward ranks, each of probability 1/N; for Limit, quantiles of G_N at fixed levels,
// which stand for cells of fixed probability.
type sample struct {
	chains, size int
	ranks        []float64 // chains × size, ascending in each chain
	weights      []float64 // Limit: probability of the cell of each rank; nil for Paper
	levels       []float64 // Limit: level of each rank, the middle of its cell; nil for Paper
}

// row returns the ranks of chain b.
func (s *sample) row(b int) []float64 { return s.ranks[b*s.size : (b+1)*s.size] }

// cdf returns the distribution function at u in [0, 1] of the distribution that one ascending list
// of ranks represents; above asks for one minus it.
func (s *sample) cdf(ranks []float64, u float64, above bool) float64 {
	count := sort.Search(len(ranks), func(i int) bool { return ranks[i] > u })
	if s.levels == nil {
		if above {
			count = s.size - count
		}
		return float64(count) / float64(s.size)
	}
	f := s.between(ranks, count, u)
	if above {
		return 1 - f
	}
	return f
}

// between interpolates the levels of a Limit sample at u, count of whose ranks are at most u. The
// result errs by less than the difference of two neighbouring levels whatever G_N is.
func (s *sample) between(ranks []float64, count int, u float64) float64 {
	u0, u1, l0, l1 := 0.0, 1.0, 0.0, 1.0
	if count > 0 {
		u0, l0 = ranks[count-1], s.levels[count-1]
	}
	if count < s.size {
		u1, l1 = ranks[count], s.levels[count]
	}
	if !(u1 > u0) {
		return l1
	}
	return l0 + (l1-l0)*math.Min(1, (u-u0)/(u1-u0))
}

// sample returns the representation of the posterior kind. That of Limit is built by the first call
// that is not cancelled.
func (p *RankPosterior) sample(ctx context.Context, kind PosteriorKind) (*sample, error) {
	if kind == Paper {
		return &sample{chains: p.chains, size: p.Steps(), ranks: p.ranks}, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.limit != nil {
		return p.limit, nil
	}
	weights := limitWeights()
	s := &sample{chains: p.chains, size: len(weights), weights: weights}
	s.ranks = make([]float64, s.chains*s.size)
	s.levels = make([]float64, s.size)
	sum := 0.0
	for j, w := range weights {
		s.levels[j] = sum + w/2
		sum += w
	}
	err := p.eachChain(ctx, func(b int, c *chain) {
		row := s.row(b)
		copy(row, s.levels)
		c.inverseAll(row)
	})
	if err != nil {
		return nil, err
	}
	p.limit = s
	return s, nil
}

// limitWeights returns the cell probabilities of a Limit sample: 1/64, and towards both ends 1/128,
// 1/256, 1/512, 1/1024, 1/1024.
func limitWeights() []float64 {
	const middle = 62
	tail := []float64{0x1p-10, 0x1p-10, 0x1p-9, 0x1p-8, 0x1p-7}
	w := append([]float64(nil), tail...)
	for range middle {
		w = append(w, 0x1p-6)
	}
	for j := range tail {
		w = append(w, tail[len(tail)-1-j])
	}
	return w
}

// eachChain calls f with every chain, loaded and tabulated, from several goroutines.
func (p *RankPosterior) eachChain(ctx context.Context, f func(b int, c *chain)) error {
	n := p.Steps()
	return parallel(ctx, p.chains, p.workers, func() func(lo, hi int) {
		c := newChain(p.law, n)
		return func(lo, hi int) {
			for b := lo; b < hi; b++ {
				c.load(p.rates, p.drawn[b*n:(b+1)*n])
				f(b, c)
			}
		}
	})
}
