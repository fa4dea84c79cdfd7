package pfn

import (
	"cmp"
	"slices"
)

// atom is a value with a weight.
type atom struct{ value, weight float64 }

// sorted are a member's offsets of the first so many classes, ascending in j; two classes are each
// other's mirror image.
func (h classPosteriorHead) sorted(raw []float32, count int) classOffsets {
	j, offsets := len(h.levels), make(classOffsets, count)
	for k := range offsets {
		offsets[k] = widen(raw[k*j : (k+1)*j])
		slices.Sort(offsets[k])
	}
	if count == 2 {
		mirror(offsets[0], offsets[1])
	}
	return offsets
}

// product are the quantiles of the product of two independent probabilities with these quantiles.
// Every pair of quantiles has the product of their weights; the quantile of a level is on the line
// through the products in ascending order, each at the middle of its weight.
//
// The probabilities at different nodes of a tree are independent in the posterior where prior and
// likelihood are products over nodes, as in a Dirichlet tree: S. Y. Dennis III (1991), On the
// hyper-Dirichlet type 1 and hyper-Liouville distributions, Communications in Statistics 20.
func (h classPosteriorHead) product(first, second []float64) []float64 {
	atoms := make([]atom, 0, len(first)*len(second))
	for i, a := range first {
		for j, b := range second {
			atoms = append(atoms, atom{a * b, h.weights[i] * h.weights[j]})
		}
	}
	slices.SortFunc(atoms, func(a, b atom) int { return cmp.Compare(a.value, b.value) })
	middle, at := make([]float64, len(atoms)), 0.0
	for i, a := range atoms {
		middle[i] = at + a.weight/2
		at += a.weight
	}
	quantiles, i := make([]float64, len(h.levels)), 0
	last := len(atoms) - 1
	for j, tau := range h.levels {
		for i < last-1 && middle[i+1] <= tau {
			i++
		}
		share := (tau - middle[i]) / (middle[i+1] - middle[i])
		share = max(0, min(1, share))
		quantiles[j] = atoms[i].value + share*(atoms[i+1].value-atoms[i].value)
	}
	return quantiles
}
