package amp

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"
	"sync"
)

// probabilityEngine picks the cheapest exact way for the event and the posterior.
func (p *RankPosterior) probabilityEngine(
	ctx context.Context, r *rule, f Probability, kind PosteriorKind,
) (engine, error) {
	if kind == Limit {
		t, err := p.limitTable(ctx)
		if err != nil {
			return nil, err
		}
		return &limitProbability{rule: r, event: f, table: t}, nil
	}
	e := &countEngine{rule: r, event: f, steps: p.Steps()}
	e.pooled = sync.OnceFunc(func() { e.pool(p) })
	oneSided := math.IsInf(f.Lo, -1) || math.IsInf(f.Hi, 1)
	if oneSided && r.kind == EqualTailed {
		return newThresholds(p, e), nil
	}
	e.pooled()
	return e, nil
}

// countEngine summarises the probability of an event under the paper's posterior,
//
//	θ_b(x) = N^-1 #{k: P_0(Lo) < U_bk <= P_0(Hi)}.
//
// The ranks of all chains are pooled and sorted once, with the counts of every chain noted at each B-th
// of them, so that the counts of all chains at any level cost O(B).
type countEngine struct {
	rule   *rule
	event  Probability
	steps  int
	pooled func()    // fills what follows, once
	ranks  []float64 // all B × N ranks ascending
	chain  []uint32  // whose rank it is
	marks  []uint16  // marks[j*B+b]: ranks of chain b among the first j*B pooled ones
}

func (e *countEngine) pool(p *RankPosterior) {
	type owned struct {
		u     float64
		chain uint32
	}
	all := make([]owned, len(p.ranks))
	for i, u := range p.ranks {
		all[i] = owned{u, uint32(i / e.steps)}
	}
	slices.SortFunc(all, func(a, b owned) int { return cmp.Compare(a.u, b.u) })
	e.ranks, e.chain = make([]float64, len(all)), make([]uint32, len(all))
	e.marks = make([]uint16, len(all)+p.chains)
	now := make([]uint16, p.chains)
	for i, o := range all {
		if i%p.chains == 0 {
			copy(e.marks[i:], now)
		}
		e.ranks[i], e.chain[i] = o.u, o.chain
		now[o.chain]++
	}
	copy(e.marks[len(all):], now)
}

// count sets n[b] to the number of ranks of chain b that are at most level.
func (e *countEngine) count(n []uint16, level float64) {
	end := sort.Search(len(e.ranks), func(i int) bool { return e.ranks[i] > level })
	mark := end / len(n) * len(n)
	copy(n, e.marks[mark:mark+len(n)])
	for _, b := range e.chain[mark:end] {
		n[b]++
	}
}

func (e *countEngine) limits(ppd PPD, s *scratch) limits {
	e.draws(s.draws, ppd, s)
	return e.rule.of(s.draws)
}

func (e *countEngine) draws(dst []float64, ppd PPD, s *scratch) {
	e.pooled()
	lo, hi := e.event.levels(ppd)
	steps := float64(e.steps)
	e.count(s.counts, hi)
	for b, n := range s.counts {
		dst[b] = float64(n)
	}
	if lo > 0 {
		e.count(s.counts, lo)
		for b, n := range s.counts {
			dst[b] -= float64(n)
		}
	}
	for b := range dst {
		dst[b] /= steps
	}
}

// thresholds gives the equal-tailed limits of a one-sided event by a search among N numbers. The count
// of chain b at level p is at least m exactly if its m-th smallest rank is at most p; so the j-th
// smallest count over the chains is at least m exactly if the (B-1-j)-th smallest m-th rank is at most
// p: these thresholds, ascending in m, do not depend on the row.
type thresholds struct {
	*countEngine
	above bool
	at    [6][]float64 // for each of rule.positions
}

func newThresholds(p *RankPosterior, e *countEngine) *thresholds {
	t := &thresholds{countEngine: e, above: math.IsInf(e.event.Hi, 1)}
	last := p.chains - 1
	ks := make([]int, len(e.rule.at))
	for i, j := range e.rule.at {
		if !t.above {
			j = last - j
		}
		ks[i] = j
	}
	ascending := slices.Compact(slices.Sorted(slices.Values(ks)))
	column := make([]float64, p.chains)
	for m := range e.steps {
		for b := range column {
			column[b] = p.ranks[b*e.steps+m]
		}
		selectAll(column, ascending)
		for i, k := range ks {
			t.at[i] = append(t.at[i], column[k])
		}
	}
	return t
}

func (t *thresholds) limits(ppd PPD, _ *scratch) limits {
	lo, hi := t.event.levels(ppd)
	level := hi
	if t.above {
		level = lo
	}
	var at [6]float64
	for i := range at {
		count := sort.Search(t.steps, func(m int) bool { return t.at[i][m] > level })
		if t.above {
			count = t.steps - count
		}
		at[i] = float64(count) / float64(t.steps)
	}
	return t.rule.equalTails(at)
}

// limitProbability summarises θ_b(x) = G_N(P_0(Hi)) - G_N(P_0(Lo)).
type limitProbability struct {
	rule  *rule
	event Probability
	table *limitTable
}

func (e *limitProbability) limits(ppd PPD, s *scratch) limits {
	e.draws(s.draws, ppd, s)
	return e.rule.of(s.draws)
}

func (e *limitProbability) draws(dst []float64, ppd PPD, _ *scratch) {
	lo, hi := e.event.levels(ppd)
	clear(dst)
	e.table.add(dst, 1, hi)
	if lo > 0 {
		e.table.add(dst, -1, lo)
	}
	for b, v := range dst {
		dst[b] = clampUnit(v)
	}
}
