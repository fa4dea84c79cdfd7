package boost

import (
	"math"
	"math/bits"
	"slices"
)

const (
	leastDepth = 6 // of a tree; from 65,536 rows on it is mostDepth
	mostDepth  = 8
	shrinkage  = 3.0 // added to the second derivatives of a leaf

	rate     = 0.1 // a leaf is so much of what reduces the loss most
	fastRate = 0.15
	fastRows = 1 << 17 // from these on it is fastRate, as there are fewer rounds
)

// grower grows trees on binned rows.
type grower struct {
	columns        []Column
	bins           [][]uint8 // by column and row
	slopes, curves []float64 // first and second derivatives of the loss, by row
	read           []int     // the rows that it reads
	depth          int       // of trees
	rate           float64
	order, spare   []int32   // those that a tree reads, by leaf
	unit           unit      // of sums
	known          []sum     // the derivatives by row
	near           []sum     // of the rows in order
	sums           [][]sum   // by column, leaf and bin
	gains          []float64 // sums of the gains of all splits by feature
}

func newGrower(columns []Column, bins [][]uint8, rows int, read []int) *grower {
	step := rate
	if len(read) >= fastRows {
		step = fastRate
	}
	return &grower{columns: columns, bins: bins, read: read, rate: step,
		depth:  min(max(leastDepth, bits.Len(uint(len(read)))-9), mostDepth),
		slopes: make([]float64, rows),
		curves: make([]float64, rows), order: make([]int32, 0, len(read)),
		spare: make([]int32, len(read)), known: make([]sum, rows), near: make([]sum, len(read)),
		gains: make([]float64, len(columns))}
}

// beside gives trees the means of targets by the values of features with many.
func (g *grower) beside(levels []many, y []float64, read []int) {
	n := len(g.gains)
	g.columns, g.bins = g.columns[:n:n], g.bins[:n:n]
	for _, m := range levels {
		if c, bins := m.column(y, read, g.bins[m.feature]); c != nil {
			g.columns, g.bins = append(g.columns, *c), append(g.bins, bins)
		}
	}
}

// treeRows is about the number of rows that a tree reads if there are more: trees take turns, as
// sums have no room for more digits.
const treeRows = 1 << 20

// draw gives the tree of a round its rows.
func (g *grower) draw(round int) {
	turns := (len(g.read) + treeRows - 1) / treeRows
	g.order = g.order[:0]
	for k := round % turns; k < len(g.read); k += turns {
		g.order = append(g.order, int32(g.read[k]))
	}
}

// tree grows one tree: all leaves divide by the same split, the one that reduces the loss most.
func (g *grower) tree() (t tree, err error) {
	g.round()
	leaves := [][]int32{g.order}
	for len(t.Splits) < g.depth {
		best, err := g.search(leaves)
		if err != nil {
			return t, err
		}
		if best.gain <= 0 {
			break
		}
		g.gains[g.columns[best.Column].Feature] += best.gain
		t.Splits = append(t.Splits, best.split)
		leaves = g.divide(leaves, best.split)
	}
	for _, rows := range leaves {
		var all sum
		for _, i := range rows {
			all += g.known[i]
		}
		slope, curve := g.unit.of(all)
		t.Values = append(t.Values, -g.rate*slope/(curve+shrinkage))
	}
	return t, nil
}

// divide divides the rows of all leaves. Those of the right follow the leaves of the left.
func (g *grower) divide(leaves [][]int32, by split) [][]int32 {
	column := g.bins[by.Column]
	lefts, rights := slices.Clone(leaves), make([][]int32, len(leaves))
	for k, rows := range leaves {
		at, others := 0, 0
		for _, i := range rows {
			if by.right(column[i]) == 0 {
				rows[at] = i
				at++
			} else {
				g.spare[others] = i
				others++
			}
		}
		copy(rows[at:], g.spare[:others])
		lefts[k], rights[k] = rows[:at], rows[at:]
	}
	return append(lefts, rights...)
}

// sum holds two sums of whole numbers, so that the order of its terms does not matter: of slopes in
// the upper half, and of curves in the lower one.
type sum int64

// unit says how large the whole numbers of a sum are.
type unit struct{ slope, curve float64 }

// of returns the sums of slopes and curves.
func (u unit) of(s sum) (slope, curve float64) {
	low := s & math.MaxUint32
	return float64((s-low)>>32) * u.slope, float64(low) * u.curve
}

// round begins a tree: it rounds the derivatives to as many digits as sums have room for.
func (g *grower) round() {
	room := float64(int64(1)<<(31-bits.Len(uint(len(g.order)))) - 1)
	g.unit = unit{math.SmallestNonzeroFloat64, math.SmallestNonzeroFloat64}
	for _, i := range g.order {
		g.unit.slope = max(g.unit.slope, math.Abs(g.slopes[i])/room)
		g.unit.curve = max(g.unit.curve, g.curves[i]/room)
	}
	for _, i := range g.order {
		slope, curve := g.slopes[i]/g.unit.slope, g.curves[i]/g.unit.curve
		g.known[i] = sum(math.Round(slope))<<32 + sum(math.Round(curve))
	}
}

// gather lists the derivatives of the rows of leaves whose sums are not those of their parent
// without those of their sibling: of the first leaf, then of the smaller ones; nil for the others.
func (g *grower) gather(leaves [][]int32) [][]sum {
	near, free, half := make([][]sum, len(leaves)), g.near, len(leaves)/2
	take := func(k int) {
		near[k], free = free[:len(leaves[k])], free[len(leaves[k]):]
		for r, i := range leaves[k] {
			near[k][r] = g.known[i]
		}
	}
	if half == 0 {
		take(0)
	}
	for k := range half {
		if len(leaves[k]) <= len(leaves[k+half]) {
			take(k)
		} else {
			take(k + half)
		}
	}
	return near
}

// add sums the derivatives of all leaves up by the bins of a column. Before, the sums of the left
// leaves are those of their parents.
func (g *grower) add(j int, leaves [][]int32, near [][]sum) {
	n, half := g.columns[j].bins(), len(leaves)/2
	if half == 0 {
		sums(g.bins[j], leaves[0], near[0], g.sums[j][:n])
	}
	for k := range half {
		left, right := g.sums[j][k*n:(k+1)*n], g.sums[j][(k+half)*n:(k+half+1)*n]
		if near[k] == nil {
			sums(g.bins[j], leaves[k+half], near[k+half], right)
			for b, s := range right {
				left[b] -= s
			}
			continue
		}
		copy(right, left)
		sums(g.bins[j], leaves[k], near[k], left)
		for b, s := range left {
			right[b] -= s
		}
	}
}

// sums writes the sums of the derivatives of rows by their bins.
func sums(column []uint8, rows []int32, near []sum, to []sum) {
	var even, odd [maxBins + 1]sum // turn and turn about: a bin may wait for its last number
	k := 0
	for ; k+1 < len(rows); k += 2 {
		even[column[rows[k]]] += near[k]
		odd[column[rows[k+1]]] += near[k+1]
	}
	if k < len(rows) {
		even[column[rows[k]]] += near[k]
	}
	for b := range to {
		to[b] = even[b] + odd[b]
	}
}
