package boost

import (
	"cmp"
	"slices"
)

const (
	shrinkage = 1.0  // added to the second derivatives of a leaf
	smoothing = 10.0 // of the order of categories, and added to their second derivatives
)

// split is the best one of a leaf.
type split struct {
	gain float64
	node node
}

// search returns the best split of a leaf by one feature; its gain is 0 if none is allowed. Missing
// cells go to the better side, and in a leaf without them to the right.
func (g *grower) search(feature int, sums []sum) split {
	var whole sum
	order := make([]int, 0, len(sums))
	for k, s := range sums {
		whole += s
		if k > 0 && s != 0 {
			order = append(order, k)
		}
	}
	more := 0.0
	if g.columns[feature].Codes != nil {
		more = smoothing
		ratios := make([]float64, len(sums))
		for k, s := range sums {
			slope, curve := g.unit.of(s)
			ratios[k] = slope / (curve + smoothing)
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ratios[a], ratios[b]) })
	}
	gain := func(s sum, more float64) (gain float64, enough bool) {
		slope, curve := g.unit.of(s)
		return slope * slope / (curve + shrinkage + more), curve >= g.least
	}
	before, _ := gain(whole, 0)
	best := split{node: node{Feature: feature}}
	last := -1
	for _, with := range []bool{false, true} {
		var left sum
		if with {
			if left = sums[0]; left == 0 {
				break
			}
		}
		for k, bin := range order {
			left += sums[bin]
			a, enough := gain(left, more)
			b, others := gain(whole-left, more)
			if enough && others && a+b-before > best.gain {
				best.gain, best.node.At, best.node.Missing, last = a+b-before, uint8(bin), with, k
			}
		}
	}
	if more > 0 {
		best.node.Set = new([4]uint64)
		for _, bin := range order[:last+1] {
			best.node.Set[bin>>6] |= 1 << (bin & 63)
		}
	}
	return best
}
