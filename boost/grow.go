package boost

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/pfnamp/pfnamp/internal/panics"
)

const (
	maxLeaves = 31
	leastRows = 20 // of a leaf
)

// node is a leaf, or a split by a feature: numbers in bins up to At go left, or the categories in
// the bins of Set.
type node struct {
	Feature int        `json:"f,omitempty"`
	At      uint8      `json:"at,omitempty"`
	Set     *[4]uint64 `json:"set,omitempty"`
	Missing bool       `json:"m,omitempty"` // missing cells go left
	Next    int        `json:"n,omitempty"` // the node on the left, before that on the right; 0 for a leaf
	Value   float64    `json:"v,omitempty"` // of a leaf
}

// left reports whether a bin goes left.
func (n *node) left(bin uint8) bool {
	switch {
	case bin == 0:
		return n.Missing
	case n.Set == nil:
		return bin <= n.At
	}
	return n.Set[bin>>6]>>(bin&63)&1 == 1
}

// leaf is a part of the rows while a tree grows.
type leaf struct {
	node int
	rows []int32
	sums [][]sum // by feature and bin
	best split
}

// grower grows trees on binned rows.
type grower struct {
	columns        []Column
	bins           [][]uint8 // by column and row
	slopes, curves []float64 // first and second derivatives of the loss, by row
	read           []int     // the rows that it reads
	order, spare   []int32   // those that a tree reads, by leaf
	unit           unit      // of sums
	known          []sum     // the derivatives by row
	near           []sum     // of the rows of a leaf, one after the other
	least          float64   // curve of a leaf
	gains          []float64 // sums of the gains of all splits by feature
}

func newGrower(columns []Column, bins [][]uint8, rows int, read []int) *grower {
	return &grower{columns: columns, bins: bins, read: read, slopes: make([]float64, rows),
		curves: make([]float64, rows), order: make([]int32, 0, len(read)),
		spare: make([]int32, len(read)), known: make([]sum, rows), near: make([]sum, len(read)),
		gains: make([]float64, len(columns))}
}

// treeRows is about the number of rows that a tree reads if there are more: trees take turns.
const treeRows = 1 << 17

// draw gives the tree of a round its rows.
func (g *grower) draw(round int) {
	turns := (len(g.read) + treeRows - 1) / treeRows
	g.order = g.order[:0]
	for k := round % turns; k < len(g.read); k += turns {
		g.order = append(g.order, int32(g.read[k]))
	}
}

// tree grows one tree.
func (g *grower) tree() ([]node, error) {
	g.round()
	nodes, leaves := []node{{}}, []*leaf{{rows: g.order}}
	if err := g.fill(leaves[0], nil); err != nil {
		return nil, err
	}
	for len(leaves) < maxLeaves {
		top := slices.MaxFunc(leaves, func(a, b *leaf) int {
			return cmp.Compare(a.best.gain, b.best.gain)
		})
		if top.best.gain <= 0 {
			break
		}
		g.gains[top.best.node.Feature] += top.best.gain
		left, right := g.divide(top)
		left.node, right.node = len(nodes), len(nodes)+1
		nodes[top.node] = top.best.node
		nodes[top.node].Next = left.node
		nodes = append(nodes, node{}, node{})
		small, large := left, right
		if len(small.rows) > len(large.rows) {
			small, large = large, small
		}
		if err := g.fill(small, nil); err != nil {
			return nil, err
		}
		large.sums = top.sums
		if err := g.fill(large, small.sums); err != nil {
			return nil, err
		}
		leaves[slices.Index(leaves, top)] = left
		leaves = append(leaves, right)
	}
	for _, l := range leaves {
		var all sum
		for _, s := range l.sums[0] {
			all += s
		}
		slope, curve := g.unit.of(all)
		nodes[l.node].Value = -rate * slope / (curve + shrinkage)
	}
	return nodes, nil
}

// divide divides the rows of a leaf.
func (g *grower) divide(l *leaf) (a, b *leaf) {
	column, at, others := g.bins[l.best.node.Feature], 0, 0
	var left [maxBins + 1]bool
	for bin := range left {
		left[bin] = l.best.node.left(uint8(bin))
	}
	for _, i := range l.rows {
		if left[column[i]] {
			l.rows[at] = i
			at++
		} else {
			g.spare[others] = i
			others++
		}
	}
	copy(l.rows[at:], g.spare[:others])
	return &leaf{rows: l.rows[:at]}, &leaf{rows: l.rows[at:]}
}

// fill sums the derivatives of a leaf's rows by feature and bin, or takes those of its sibling from
// the sums of both, and finds the best split.
func (g *grower) fill(l *leaf, sibling [][]sum) error {
	if sibling == nil {
		l.sums = make([][]sum, len(g.columns))
		for k, i := range l.rows {
			g.near[k] = g.known[i]
		}
	}
	found := make([]split, len(g.columns))
	err := panics.Each(len(g.columns), func(j int) {
		if sibling == nil {
			l.sums[j] = sums(g.bins[j], l.rows, g.near, g.columns[j].bins())
		} else {
			for k, s := range sibling[j] {
				l.sums[j][k] -= s
			}
		}
		found[j] = g.search(j, l.sums[j])
	})
	for _, s := range found {
		if s.gain > l.best.gain {
			l.best = s
		}
	}
	return err
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

// sums adds the derivatives of rows up by their bins.
func sums(column []uint8, rows []int32, near []sum, bins int) []sum {
	var even, odd [maxBins + 1]sum // turn and turn about: a bin may wait for its last number
	k := 0
	for ; k+1 < len(rows); k += 2 {
		even[column[rows[k]]] += near[k]
		odd[column[rows[k+1]]] += near[k+1]
	}
	if k < len(rows) {
		even[column[rows[k]]] += near[k]
	}
	for b := range even {
		even[b] += odd[b]
	}
	return slices.Clone(even[:bins])
}
