package amp

import (
	"context"
	"slices"
)

// quantileEngine summarises a quantile: by equivariance θ_b(x) = P_0^-1(u_b), where u_b, shared
// by all rows, is the order statistic ⌈φN⌉ of the chain's ranks (paper) or G_N^-1(φ) (limit).
type quantileEngine struct {
	rule *rule
	u    []float64 // u_b ascending
}

func (p *RankPosterior) quantileEngine(
	ctx context.Context, r *rule, q Quantile, kind PosteriorKind,
) (*quantileEngine, error) {
	n := p.Steps()
	e := &quantileEngine{rule: r, u: make([]float64, p.chains)}
	if kind == Paper {
		k := min(n, max(1, ceil(q.Level*float64(n)))) - 1
		for b := range e.u {
			e.u[b] = p.ranks[b*n+k]
		}
	} else if err := p.eachChain(ctx, func(b int, c *chain) {
		e.u[b] = c.inverse(n, q.Level)
	}); err != nil {
		return nil, err
	}
	for b, u := range e.u {
		e.u[b] = max(smallestRank, min(largestRank, u))
	}
	slices.Sort(e.u)
	return e, nil
}

// Ranks stay in the open unit interval, so that a PPD is never asked for its endpoints.
const (
	smallestRank = 0x1p-1022
	largestRank  = 1 - 0x1p-53
)

func (e *quantileEngine) limits(ppd PPD, s *scratch) limits {
	if e.rule.kind == HighestDensity {
		return e.shortest(ppd, s)
	}
	var at [6]float64
	for i, k := range e.rule.at {
		if e.rule.errors || i == 1 || i == 4 {
			at[i] = ppd.Quantile(e.u[k])
		}
	}
	return e.rule.equalTails(at)
}

// shortest evaluates the PPD only at the draws that can be an end of the shortest interval.
func (e *quantileEngine) shortest(ppd PPD, s *scratch) limits {
	r := e.rule
	if n := r.outside(); r.errors || 2*n >= r.draws {
		quantiles(ppd, s.draws, e.u)
	} else {
		quantiles(ppd, s.draws[:n], e.u[:n])
		quantiles(ppd, s.draws[r.draws-n:], e.u[r.draws-n:])
	}
	return r.shortest(s.draws)
}

func (e *quantileEngine) draws(dst []float64, ppd PPD, _ *scratch) {
	quantiles(ppd, dst, e.u)
}
