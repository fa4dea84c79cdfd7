package pfn

import (
	"cmp"
	"slices"
)

// atom is a value with a weight.
type atom struct{ value, weight float64 }

// sorted returns a member's offsets of the first count classes, ascending in j. Two classes are
// mirrored.
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

// product returns the quantiles of the product of two independent probabilities with these
// quantiles. Every pair of quantiles has the product of their weights. In ascending order the pairs
// fill (0, 1). The quantile of a level is the mean of the products in its part, so that the mean of
// the product is the product of the means.
//
// The probabilities at different nodes of a tree are independent in the posterior if prior and
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
