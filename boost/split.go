package boost

import (
	"cmp"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/internal/panics"
)

const smoothing = 10.0 // of the order of categories, and added to their second derivatives

// split divides rows by a column: numbers in bins up to At go left, or the categories in the bins
// of Set, of which bin 0 holds missing cells.
type split struct {
	Column  int        `json:"c"`
	At      uint8      `json:"at,omitempty"`
	Missing uint8      `json:"m,omitempty"` // 1: missing numbers go right
	Set     *[4]uint64 `json:"set,omitempty"`
}

// right returns 1 if a bin goes right, 0 if it goes left.
func (s *split) right(bin uint8) uint8 {
	if s.Set != nil {
		return 1 - uint8(s.Set[bin>>6]>>(bin&63)&1)
	}
	if bin-s.Missing > s.At-s.Missing { // which is above At if the bin is 0 and Missing 1
		return 1
	}
	return 0
}

// candidate is a split of all leaves by what it reduces the loss.
type candidate struct {
	split
	gain float64
}

// search returns the best split of all leaves; its gain is 0 if none reduces the loss.
func (g *grower) search(leaves [][]int32) (best candidate, err error) {
	near, found := g.gather(leaves), make([]candidate, len(g.columns))
	err = panics.Each(len(g.columns), func(j int) {
		g.add(j, leaves, near)
		found[j] = g.best(j, len(leaves))
	})
	for _, c := range found {
		if c.gain > best.gain {
			best = c
		}
	}
	return best, err
}

// best returns the best split of the leaves by one column. Missing cells go to the better side,
// and without any to that of more rows.
func (g *grower) best(j, leaves int) candidate {
	n := g.columns[j].bins()
	whole, total := make([]sum, leaves), make([]sum, n)
	for k := range whole {
		for b, s := range g.sums[j][k*n : (k+1)*n] {
			whole[k] += s
			total[b] += s
		}
	}
	order, more := make([]int, 0, n), 0.0
	var all, through, below sum // of all cells, of those up to a bin, of those left of the best split
	for b := 1; b < n; b++ {
		if all += total[b]; total[b] != 0 {
			order = append(order, b)
		}
	}
	if g.columns[j].categorical() {
		more = smoothing
		ratios := make([]float64, n)
		for b, s := range total {
			slope, curve := g.unit.of(s)
			ratios[b] = slope / (curve + smoothing)
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ratios[a], ratios[b]) })
	}
	gain := func(s sum, more float64) float64 {
		slope, curve := g.unit.of(s)
		return slope * slope / (curve + shrinkage + more)
	}
	best, last := candidate{split: split{Column: j}}, -1
	left := make([]sum, leaves)
	parts := make([]float64, leaves) // what both sides of a leaf gain
	for _, missing := range []uint8{1, 0} {
		if missing == 0 && total[0] == 0 {
			break
		}
		now := 0.0
		for k, s := range whole {
			if left[k] = 0; missing == 0 {
				left[k] = g.sums[j][k*n]
			}
			parts[k] = gain(left[k], more) + gain(s-left[k], more)
			now += parts[k] - gain(s, 0)
		}
		for at, bin := range order {
			through += total[bin]
			for k, s := range whole {
				here := g.sums[j][k*n+bin]
				if here == 0 {
					continue
				}
				left[k] += here
				part := gain(left[k], more) + gain(s-left[k], more)
				now, parts[k] = now+part-parts[k], part
			}
			if now > best.gain {
				best.gain, best.At, best.Missing, last, below = now, uint8(bin), missing, at, through
			}
		}
	}
	if total[0] == 0 && 2*(below&math.MaxUint32) > all&math.MaxUint32 {
		best.Missing = 0
	}
	if more > 0 {
		best.Set = &[4]uint64{uint64(1 - best.Missing)}
		for _, bin := range order[:last+1] {
			best.Set[bin>>6] |= 1 << (bin & 63)
		}
		best.At, best.Missing = 0, 0
	}
	return best
}
