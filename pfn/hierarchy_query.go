package pfn

import (
	"context"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/ort"
)

// probabilityFloor is added to a probability before its logarithm, as in the package.
const probabilityFloor = 1e-6

// edge keeps quantiles of a product away from 0 and 1, so that 1 - q has enough digits.
const edge = 1e-9

// askTree is ask for more classes than outputs, by the graphs of a tree. With p the product of the
// probabilities on the way to a class, its logit is T log(p + 1e-6).
func (c *Context) askTree(
	ctx context.Context, member int, x ort.Tensor, label *voice, b block,
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
	columns, padded := m.columnPorts(), int(x.Shape[1])
	in := named(m.caches[:columns], c.encoded[member])
	in["X_test"] = x
	embedded, err := m.runGraph(ctx, embed, models.RowsQueryGraph,
		c.rows+padded*c.hierarchy.digits, int(x.Shape[2]), in)
	if err != nil {
		return raw, err
	}
	head, classes, names := label.head.(classHead), c.target.classes, m.caches[columns:]
	raw[ofLabel] = make([]float32, padded*classes)
	reached := map[*node][]float64{c.hierarchy.nodes[0]: slices.Repeat([]float64{1}, b.rows)}
	for at, n := range c.hierarchy.nodes { // each after the node that it is a group of
		in := named(names, c.encoded[member][columns+at*len(names):])
		in[models.RowsTensor] = embedded[0]
		out, err := m.runGraph(ctx, answer, models.ICLQueryGraph, c.rows+padded,
			c.ensemble.features(), in)
		if err != nil {
			return raw, err
		}
		logits, err := m.read(label, out, b, padded)
		if err != nil {
			return raw, err
		}
		for i, before := range reached[n] {
			own := logits[i*head.most : i*head.most+n.answers()]
			for k, p := range distr.Softmax(widen(own), head.temperature) {
				if p *= before; n.groups != nil {
					reached[n.groups[k]] = append(reached[n.groups[k]], p)
					continue
				}
				raw[ofLabel][i*classes+n.first+k] =
					float32(head.temperature * math.Log(p+probabilityFloor))
			}
		}
	}
	return raw, nil
}

// answerNodes is answer of a context with nodes. Probabilities are products on the way to a class,
// as if independent, and so are their posteriors. What trees say of all classes follows.
func (c *Context) answerNodes(ctx context.Context, x Matrix, own bool) (_ []Result, err error) {
	said := make([][]Result, len(c.nodes))
	for k, node := range c.nodes {
		if said[k], err = node.answer(ctx, x, node.asked(own)); err != nil {
			return nil, err
		}
	}
	var w weighing
	w.doubtTrees(c, nil)
	posterior := c.model.heads[ofOwn].(classPosteriorHead)
	middle, results := middleOf(posterior.levels), make([]Result, x.Rows)
	return results, panics.Each(x.Rows, func(i int) {
		p, offsets := make(distr.Classes, c.target.classes), make(classOffsets, c.target.classes)
		before, way := map[*node]float64{c.hierarchy.nodes[0]: 1}, map[*node][]float64{}
		for at, n := range c.hierarchy.nodes {
			for k, v := range said[at][i].Classes {
				v *= before[n]
				quantiles := way[n]
				if own {
					of := said[at][i].Own.(*distr.ClassPosterior)
					quantiles = posterior.product(quantiles, of.Quantiles[k])
				}
				if n.groups != nil {
					before[n.groups[k]], way[n.groups[k]] = v, quantiles
					continue
				}
				class := c.hierarchy.order[n.first+k]
				p[class] = v
				for _, q := range quantiles {
					z := distr.LogOdds(math.Max(edge, math.Min(1-edge, q)))
					offsets[class] = append(offsets[class], z)
				}
			}
		}
		results[i].put(mixed(p, x.Row(i)[x.Cols-len(w.trees):], treeShare))
		if !own {
			return
		}
		for k, doubt := range w.trees {
			middle.stretch(offsets[k], doubt)
		}
		results[i].put(unanchored{posterior, offsets, 0})
	})
}
