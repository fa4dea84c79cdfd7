package pfn

import (
	"context"
	"math"

	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/ort"
)

// probabilityFloor is added to a probability before its logarithm, as in the package.
const probabilityFloor = 1e-6

// edge is the least distance of a product's quantiles from 0 and 1, so that 1 - q has enough
// digits.
const edge = 1e-9

// descent asks the nodes of a tree about a block of query rows, for one member. With p the product
// of the probabilities on the way to a class, its logit is T log(p + 1e-6). The posterior of p is
// the posterior of the product of independent probabilities.
type descent struct {
	c         *Context
	ctx       context.Context
	session   *ort.Session
	member    []ort.Tensor // encoded
	rows      ort.Tensor   // [1, padded, E] of the queries
	block     block
	asked     []*voice
	label     classHead
	posterior *classPosteriorHead // nil if not requested
	columns   int
	raw       said // the result
}

// askTree is ask for more classes than outputs.
func (c *Context) askTree(
	ctx context.Context, member int, x ort.Tensor, asked []*voice, b block,
) (raw said, err error) {
	m := c.model
	embed, err := m.keep(ctx, models.RowsQueryGraph, c.precision)
	if err != nil {
		return raw, err
	}
	answer, err := m.keep(ctx, models.ICLQueryGraph, c.precision)
	if err != nil {
		return raw, err
	}
	d := &descent{c: c, ctx: ctx, session: answer, member: c.encoded[member], block: b,
		asked: asked, label: m.heads[ofLabel].head.(classHead), columns: m.columnPorts()}
	in := named(m.caches[:d.columns], d.member)
	in["X_test"] = x
	padded := int(x.Shape[1])
	out, err := m.runGraph(ctx, embed, models.RowsQueryGraph, c.rows+padded*c.hierarchy.digits,
		int(x.Shape[2]), in)
	if err != nil {
		return raw, err
	}
	d.rows = out[0]
	for _, v := range asked {
		d.raw[v.role] = make([]float32, padded*v.output.size())
		if h, ok := v.head.(classPosteriorHead); ok {
			d.posterior = &h
		}
	}
	start := make([]reached, b.rows)
	for i := range start {
		start[i].p = 1
	}
	at := 0
	err = d.visit(&at, start)
	return d.raw, err
}

// reached is the probability of a node, and its quantiles; nil at the root, where it is 1.
type reached struct {
	p         float64
	quantiles []float64
}

// then returns the probability of a node and of an answer there.
func (r reached) then(p float64, quantiles []float64, h *classPosteriorHead) reached {
	if h != nil && r.quantiles != nil {
		quantiles = h.product(r.quantiles, quantiles)
	}
	return reached{r.p * p, quantiles}
}

// visit asks the node at a position and the nodes of its groups; it advances the position.
func (d *descent) visit(at *int, from []reached) error {
	n := d.c.hierarchy.nodes[*at]
	answers, err := d.answers(*at)
	if err != nil {
		return err
	}
	*at++
	groups := make([][]reached, len(n.groups))
	for i, before := range from {
		p, quantiles := d.row(answers, i, n.answers())
		for k, v := range p {
			next := before.then(v, quantiles[k], d.posterior)
			if n.groups == nil {
				d.put(i, n.first+k, next)
			} else {
				groups[k] = append(groups[k], next)
			}
		}
	}
	for _, reached := range groups {
		if err := d.visit(at, reached); err != nil {
			return err
		}
	}
	return nil
}

func (d *descent) answers(at int) (read said, err error) {
	m := d.c.model
	names := m.caches[d.columns:]
	in, rows := named(names, d.member[d.columns+at*len(names):]), int(d.rows.Shape[1])
	in[models.RowsTensor] = d.rows
	out, err := m.runGraph(d.ctx, d.session, models.ICLQueryGraph, d.c.rows+rows,
		d.c.ensemble.features(), in)
	if err != nil {
		return read, err
	}
	for _, v := range d.asked {
		if read[v.role], err = m.read(v.placed, out, d.block, rows); err != nil {
			return read, err
		}
	}
	return read, nil
}

// row returns a node's answer for query row i: probabilities and, or nil, quantiles.
func (d *descent) row(answers said, i, count int) (distr.Classes, [][]float64) {
	first := i * d.label.most
	p := d.label.softmax(widen(answers[ofLabel][first : first+count]))
	if d.posterior == nil {
		return p, make([][]float64, count)
	}
	size := d.posterior.output().size()
	offsets := d.posterior.sorted(answers[ofOwn][i*size:(i+1)*size], count)
	return p, distr.Anchored(d.posterior.levels, offsets, p).Quantiles
}

// put stores the result for class k of query row i.
func (d *descent) put(i, k int, r reached) {
	classes := d.c.target.classes
	d.raw[ofLabel][i*classes+k] = float32(d.label.temperature * math.Log(r.p+probabilityFloor))
	if d.posterior == nil {
		return
	}
	levels := len(r.quantiles)
	for j, q := range r.quantiles {
		q = math.Max(edge, math.Min(1-edge, q))
		d.raw[ofOwn][(i*classes+k)*levels+j] = float32(distr.LogOdds(q))
	}
}
