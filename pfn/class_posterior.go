package pfn

import (
	"cmp"
	"encoding/json"
	"slices"

	"gonum.org/v1/gonum/interp"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/models"
)

// classPosteriorOf returns the head of the posterior of class probabilities.
func classPosteriorOf(m *models.Manifest) head {
	p := m.ClassPosterior
	if p == nil {
		return nil
	}
	return classPosteriorHead{m.Head.Levels, p.PosteriorLevels, distr.LevelWeights(p.PosteriorLevels),
		p.Scale}
}

// classPosteriorHead reads offsets, on the logit scale, of J posterior quantiles of every class
// probability. Every member has its own order of the classes.
type classPosteriorHead struct {
	most            int
	levels, weights []float64
	scale           float64
}

// classOffsets are the offsets [K][J] of one row, ascending in j.
type classOffsets [][]float64

// unanchored holds offsets, which become a posterior once the probabilities of the row are known.
type unanchored struct {
	head    classPosteriorHead
	offsets classOffsets
	doubt   float64 // variance of probabilities that posteriors lack, in units of p (1-p)
}

// anchored returns the posterior about the probabilities p. A doubt d widens it as so many rows as
// 1/d would leave it: to the variance of log odds comes that of a beta distribution, nearly
//
//	1/(p/d + 1/2) + 1/((1-p)/d + 1/2).
func (u unanchored) anchored(p distr.Classes) *distr.ClassPosterior {
	if u.doubt > 0 {
		middle := middleOf(u.head.levels)
		for k, own := range u.offsets {
			middle.stretch(own, 1/(p[k]/u.doubt+0.5)+1/((1-p[k])/u.doubt+0.5))
		}
	}
	return distr.Anchored(u.head.levels, u.offsets, p)
}

func (u unanchored) MarshalJSON() ([]byte, error) { return json.Marshal(u.offsets) }

func (h classPosteriorHead) output() output {
	return output{models.ClassPosteriorOutput, []int{h.most, len(h.levels)}}
}

// combiner sorts every member's offsets, averages the members, mirrors two classes, and reads the
// offsets at the scaled levels. It adds the doubt about trees.
func (h classPosteriorHead) combiner(members ensemble, _ target) combiner {
	j, middle := len(h.levels), middleOf(h.levels)
	return func(raw [][]float32, w weighing) part {
		mean := make(classOffsets, len(members.order(0)))
		for k := range mean {
			mean[k] = make([]float64, j)
			for b, values := range raw {
				seen := members.order(b)[k]
				row := widen(values[seen*j : (seen+1)*j])
				slices.Sort(row)
				for i, v := range row {
					mean[k][i] += v / float64(len(raw))
				}
			}
		}
		if len(mean) == 2 {
			mirror(mean[0], mean[1])
		}
		for k := range mean {
			mean[k] = h.scaled(mean[k])
			if n := len(w.trees); n > 0 {
				middle.stretch(mean[k], w.trees[min(k, n-1)])
			}
		}
		return unanchored{h, mean, w.doubt}
	}
}

// mirror makes two classes consistent: p_1 = 1 - p_0.
func mirror(first, second []float64) {
	last := len(first) - 1
	for j := range first {
		first[j] = (first[j] - second[last-j]) / 2
	}
	for j := range second {
		second[j] = -first[last-j]
	}
}

// scaled reads offsets at the levels Φ(Scale Φ^-1(τ)).
func (h classPosteriorHead) scaled(offsets []float64) []float64 {
	if h.scale == 1 {
		return offsets
	}
	z := make([]float64, len(h.levels))
	for j, tau := range h.levels {
		z[j] = distuv.UnitNormal.Quantile(tau)
	}
	var line interp.PiecewiseLinear
	_ = line.Fit(z, offsets) // never fails: the levels ascend
	for j, at := range z {
		z[j] = line.Predict(h.scale * at)
	}
	return z
}

// alone returns Beta(n_k, n-n_k) for a class with n_k of n rows. Its mean is the share of the
// class.
func (h classPosteriorHead) alone(t *table) part {
	count := make([]float64, t.classes)
	for _, k := range t.Y {
		count[int(k)]++
	}
	offsets := make(classOffsets, t.classes)
	for k, n := range count {
		beta := distuv.Beta{Alpha: n, Beta: float64(len(t.Y)) - n}
		for _, tau := range h.levels {
			offsets[k] = append(offsets[k], distr.LogOdds(beta.Quantile(tau)))
		}
	}
	return unanchored{h, offsets, 0}
}

func (h classPosteriorHead) restore(data []byte) (part, error) {
	var offsets classOffsets
	err := decodeState(data, &offsets)
	return unanchored{h, offsets, 0}, err
}

// atom is a value with a weight.
type atom struct{ value, weight float64 }

// product returns the quantiles of the product of two independent probabilities with these
// quantiles; nil stands for 1. Every pair of quantiles has the product of their weights. In
// ascending order the pairs fill (0, 1). The quantile of a level is the mean of the products in its
// part, so that the mean of the product is the product of the means.
//
// The probabilities at different nodes of a tree are independent in the posterior if prior and
// likelihood are products over nodes, as in a Dirichlet tree: S. Y. Dennis III (1991), On the
// hyper-Dirichlet type 1 and hyper-Liouville distributions, Communications in Statistics 20.
func (h classPosteriorHead) product(first, second []float64) []float64 {
	if first == nil {
		return second
	}
	atoms := make([]atom, 0, len(first)*len(second))
	for i, a := range first {
		for j, b := range second {
			atoms = append(atoms, atom{a * b, h.weights[i] * h.weights[j]})
		}
	}
	slices.SortFunc(atoms, func(a, b atom) int { return cmp.Compare(a.value, b.value) })
	quantiles, last := make([]float64, len(h.levels)), len(h.levels)-1
	j, filled := 0, 0.0
	for _, a := range atoms {
		for left := a.weight; left > 0; {
			part := left
			if j < last {
				part = min(left, h.weights[j]-filled)
			}
			quantiles[j] += part * a.value
			filled, left = filled+part, left-part
			if j < last && filled >= h.weights[j] {
				quantiles[j] /= filled
				j, filled = j+1, 0
			}
		}
	}
	if filled > 0 {
		quantiles[j] /= filled
	}
	return quantiles
}
