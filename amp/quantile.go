package amp

import (
	"context"
	"slices"
)

// Quantile is θ(P) = P^-1(Level) = inf{y: P(y) >= Level}.
type Quantile struct {
	Level float64 // in (0, 1)
}

// String returns the level after a q: q0.9.
func (q Quantile) String() string { return "q" + decimal(q.Level) }

// Point returns the quantile of ppd.
func (q Quantile) Point(ppd PPD) float64 { return ppd.Quantile(q.Level) }

// Unit returns TargetUnit.
func (Quantile) Unit() Unit { return TargetUnit }

func (q Quantile) level() float64           { return q.Level }
func (q Quantile) read(s *Surface) Marginal { return s.quantile(s.spot(q.Level)) }

func (q Quantile) supported(s Support, own Own) Marginal { return mapped(own.Of(q), s.Value) }

func (q Quantile) twoPoint(s Support, mean Marginal) Marginal {
	return mapped(mean, func(m float64) float64 { return s.step(q.Level, s.chance(m)) })
}

func (q Quantile) check() error {
	if !(q.Level > 0 && q.Level < 1) {
		return settingError("Functional", "quantile level %v is not strictly between 0 and 1", q.Level)
	}
	return nil
}

// parseQuantile reads median and q0.9.
func parseQuantile(text string) (f Functional, why string) {
	if text == "median" {
		return Quantile{0.5}, ""
	}
	if text[0] != 'q' {
		return nil, ""
	}
	level, ok := number(text[1:])
	if !ok || (Quantile{level}).check() != nil {
		return nil, "a quantile needs a level between 0 and 1: q0.9, not q90"
	}
	return Quantile{level}, ""
}

// quantileEngine summarises a quantile: by equivariance θ_b(x) = P_0^-1(u_b), where u_b, shared
// by all rows, is the order statistic ⌈φN⌉ of the chain's ranks (paper) or G_N^-1(φ) (limit).
type quantileEngine struct {
	rule *rule
	u    []float64 // u_b ascending
}

func (q Quantile) engine(
	ctx context.Context, p *RankPosterior, r *rule, kind Posterior,
) (engine, error) {
	n := p.Steps()
	e := &quantileEngine{rule: r, u: make([]float64, p.chains)}
	if kind == PaperPosterior {
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

// Ranks stay inside the open unit interval, so that no PPD is evaluated at 0 or 1.
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
		Quantiles(ppd, s.draws, e.u)
	} else {
		Quantiles(ppd, s.draws[:n], e.u[:n])
		Quantiles(ppd, s.draws[r.draws-n:], e.u[r.draws-n:])
	}
	return r.shortest(s.draws)
}

func (e *quantileEngine) draws(dst []float64, ppd PPD, _ *scratch) {
	Quantiles(ppd, dst, e.u)
}
