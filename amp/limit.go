package amp

import (
	"context"
	"math"
)

// The table of G_N has its nodes at Φ(z), z = -6.5, -6.45, …, 6.5.
const (
	limitNodes = 261
	limitStart = -6.5
	limitStep  = 0.05
)

// limitTable holds G_N of every chain at the nodes. Between nodes the cubic through four neighbours, in
// z, errs by less than 1e-4 for ρ <= 0.99 (tested); beyond the last node, where 4e-11 of the mass lies,
// G_N is taken as straight.
type limitTable struct {
	chains int
	ranks  []float64 // Φ(z), ascending
	g      []float64 // node-major: g[i*chains+b]
}

func (t *limitTable) at(node, b int) float64 { return t.g[node*t.chains+b] }

// limitTable returns the table of p, built by the first call that is not cancelled.
func (p *RankPosterior) limitTable(ctx context.Context) (*limitTable, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.table != nil {
		return p.table, nil
	}
	t := &limitTable{chains: p.chains, ranks: make([]float64, limitNodes)}
	for i := range t.ranks {
		t.ranks[i], _ = p.law.at(limitStart + limitStep*float64(i))
	}
	t.g = make([]float64, limitNodes*p.chains)
	err := p.eachChain(ctx, false, func(b int, c *chain) {
		for i, u := range t.ranks {
			t.g[i*p.chains+b] = clampUnit(c.forward(p.Steps(), u))
		}
	})
	if err != nil {
		return nil, err
	}
	p.table = t
	return t, nil
}

// add adds factor × G_N(u) of every chain to dst.
func (t *limitTable) add(dst []float64, factor, u float64) {
	row := func(i int) []float64 { return t.g[i*t.chains : (i+1)*t.chains] }
	first, last := t.ranks[0], t.ranks[limitNodes-1]
	switch {
	case u <= first:
		axpy(dst, factor*u/first, row(0))
		return
	case u >= last:
		rest := (1 - u) / (1 - last)
		for b, g := range row(limitNodes - 1) {
			dst[b] += factor * (1 - rest*(1-g))
		}
		return
	}
	s := (normalQuantile(u) - limitStart) / limitStep
	i := max(1, min(limitNodes-3, int(s)))
	s -= float64(i)
	w := [4]float64{
		-s * (s - 1) * (s - 2) / 6, (s + 1) * (s - 1) * (s - 2) / 2,
		-(s + 1) * s * (s - 2) / 2, (s + 1) * s * (s - 1) / 6,
	}
	a, b, c, d := row(i-1), row(i), row(i+1), row(i+2)
	for k := range dst {
		g := w[0]*a[k] + w[1]*b[k] + w[2]*c[k] + w[3]*d[k]
		dst[k] += factor * math.Max(0, math.Min(1, g))
	}
}

func axpy(dst []float64, a float64, x []float64) {
	for i, v := range x {
		dst[i] += a * v
	}
}
