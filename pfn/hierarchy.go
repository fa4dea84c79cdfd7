package pfn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/ort"
)

// hierarchy lets a network handle more classes than it has outputs. Columns read the digits of a
// class to a base (mixed-radix ensembling). Rows are classified in a tree of groups of classes
// (hierarchical classification).
//
// Source: ICLearning and ColEmbedding of soda-inria/tabicl 2.2.
type hierarchy struct {
	digits, base int     // number and base of the digits of K classes
	nodes        []*node // of the tree, every node before the nodes of its groups
	depth        int     // of the tree: most nodes on the way to a class
	rows         []int   // context rows of class k
	order        []int   // of a hierarchy of contexts, the class at every place; otherwise nil
}

// node classifies the classes first, ..., first+count-1 of a member, by groups if it has any.
type node struct {
	first, count int
	groups       []*node
}

// newHierarchy returns the hierarchy of classes with these rows, for a network with most outputs.
func newHierarchy(rows []int, most int) *hierarchy {
	h := &hierarchy{digits: 1, base: 1, rows: rows}
	for power(most, h.digits) < len(rows) {
		h.digits++
	}
	for power(h.base, h.digits) < len(rows) {
		h.base++
	}
	h.grow(0, len(rows), most, 1)
	return h
}

func power(base, exponent int) int {
	p := 1
	for range exponent {
		p *= base
	}
	return p
}

// grow adds the node of these classes and those of its groups, whose sizes differ by one at most.
func (h *hierarchy) grow(first, count, most, depth int) *node {
	n := &node{first: first, count: count}
	h.nodes, h.depth = append(h.nodes, n), max(h.depth, depth)
	if count <= most {
		return n
	}
	for left := min((count+most-1)/most, most); left > 0; left-- {
		size := (count + left - 1) / left
		n.groups = append(n.groups, h.grow(first, size, most, depth+1))
		first, count = first+size, count-size
	}
	return n
}

func (n *node) answers() int {
	if n.groups == nil {
		return n.count
	}
	return len(n.groups)
}

// label returns the node's number of class k, or -1 if the class is not below the node.
func (n *node) label(k int) int {
	switch {
	case k < n.first || k >= n.first+n.count:
		return -1
	case n.groups == nil:
		return k - n.first
	}
	return slices.IndexFunc(n.groups, func(g *node) bool { return k < g.first+g.count })
}

// coded returns the digits [D, N] of classes, the highest first.
func (h *hierarchy) coded(classes []float32) ort.Tensor {
	t := ort.Tensor{Shape: shape(h.digits, len(classes))}
	for d := range h.digits {
		place := power(h.base, h.digits-1-d)
		for _, k := range classes {
			t.Data = append(t.Data, float32(int(k)/place%h.base))
		}
	}
	return t
}

// pick returns the rows [1, N, E] of a node's classes, and their numbers at the node [1, n].
func (n *node) pick(rows ort.Tensor, classes []float32) (own, labels ort.Tensor) {
	width := int(rows.Shape[2])
	for i, k := range classes {
		if label := n.label(int(k)); label >= 0 {
			own.Data = append(own.Data, rows.Data[i*width:(i+1)*width]...)
			labels.Data = append(labels.Data, float32(label))
		}
	}
	labels.Shape = shape(1, len(labels.Data))
	own.Shape = shape(1, len(labels.Data), width)
	return own, labels
}

// ports returns the tensors of a member's context: those of columns, then those of the rows of
// every node. given are the ports of the query graph.
func (h *hierarchy) ports(given []ort.Port, columns int) []ort.Port {
	all := slices.Clone(given[:columns])
	for range h.nodes {
		all = append(all, given[columns:]...)
	}
	return all
}

// shapes returns the shapes of the tensors of a member that sees class k as order[k].
func (h *hierarchy) shapes(given []ort.Port, columns, features int, order []int) []cacheHeader {
	seen := make([]int, len(order)) // rows of a class as the member sees it
	for k, as := range order {
		seen[as] = h.rows[k]
	}
	made := make([]cacheHeader, 0, columns+len(h.nodes)*(len(given)-columns))
	for i, port := range h.ports(given, columns) {
		s := slices.Clone(port.Shape)
		if i < columns {
			s[0], s[1] = int64(h.digits), int64(features)
		} else {
			n := h.nodes[(i-columns)/(len(given)-columns)]
			s[0], s[2] = 1, 0
			for _, rows := range seen[n.first : n.first+n.count] {
				s[2] += int64(rows)
			}
		}
		made = append(made, cacheHeader{port.Name, s})
	}
	return made
}

// columnPorts returns the number of a context's tensors for columns; those of rows follow.
func (m *Model) columnPorts() int {
	return slices.IndexFunc(m.caches, func(port ort.Port) bool {
		return !strings.HasPrefix(port.Name, "colkv.")
	})
}

// hierarchyFor returns the hierarchy of a table, nil if the network has enough outputs.
func (m *Model) hierarchyFor(t *table) *hierarchy {
	if t.classes <= m.bundle.Manifest.Head.Levels {
		return nil
	}
	rows := make([]int, t.classes)
	for _, k := range t.Y {
		rows[int(k)]++
	}
	return newHierarchy(rows, m.bundle.Manifest.Head.Levels)
}

// encodeTrees encodes the context for every member: its columns, then the rows of every node.
func (m *Model) encodeTrees(
	ctx context.Context, h *hierarchy, lessons []lesson,
) ([]encoded, error) {
	names := []string{models.RowsContextGraph, models.ICLContextGraph}
	return m.encode(ctx, lessons, names,
		func(ctx context.Context, graphs []*ort.Session, l lesson) (encoded, error) {
			rows, width := int(l.x.Shape[1]), int(l.x.Shape[2])
			out, err := m.runGraph(ctx, graphs[0], models.RowsContextGraph, rows*h.digits, width,
				map[string]ort.Tensor{"X_train": l.x, "y_train": h.coded(l.y.Data)})
			if err != nil {
				return nil, err
			}
			last := len(out) - 1
			made, all := encoded(out[:last:last]), out[last]
			if len(all.Shape) != 3 || all.Shape[1] != l.x.Shape[1] {
				return nil, &ModelError{m.Name(), fmt.Sprintf("the encoded rows have the shape %v",
					all.Shape)}
			}
			for _, n := range h.nodes {
				own, labels := n.pick(all, l.y.Data)
				out, err := m.runGraph(ctx, graphs[1], models.ICLContextGraph, int(own.Shape[1]), width,
					map[string]ort.Tensor{models.RowsTensor: own, "y_train": labels})
				if err != nil {
					return nil, err
				}
				made = append(made, out...)
			}
			return made, nil
		})
}

// readNodes reads the rows of every node of a hierarchy, with what trees say as features more.
func (c *Context) readNodes(ctx context.Context, t *table, members int) error {
	order, place, count := similar(t), make([]int, t.classes), make([]int, t.classes)
	for at, k := range order {
		place[k] = at
	}
	for _, k := range t.Y {
		count[place[int(k)]]++
	}
	c.hierarchy = newHierarchy(count, c.model.bundle.Manifest.Head.Levels)
	c.hierarchy.order = order
	for _, n := range c.hierarchy.nodes {
		var own []int
		var labels []float64
		for i, k := range t.Y {
			if label := n.label(place[int(k)]); label >= 0 {
				own, labels = append(own, i), append(labels, float64(label))
			}
		}
		part := t.Take(own)
		part.Y, part.Trees, part.told = labels, nil, c.trees != nil
		node, err := c.model.fit(ctx, part, members)
		if err == nil {
			err = c.add(node, false)
		}
		if err != nil {
			return errors.Join(err, c.Close())
		}
	}
	return nil
}

// add adds a node. The root, which is the first, says what network and members the context has, and
// how much memory all nodes need.
func (c *Context) add(node *Context, encoded bool) error {
	if c.nodes = append(c.nodes, node); len(c.nodes) > 1 {
		return nil
	}
	c.ensemble, c.voices, c.precision = node.ensemble, node.voices, node.precision
	widths := slices.Repeat([]int{node.columns}, node.Members())
	return c.model.checkMemory(demand{rows: c.rows, widths: widths, encoded: encoded,
		tree: c.hierarchy})
}

// similar orders classes along the direction in which they differ most, so that groups of
// neighbours are easy to tell apart: the first principal axis of their mean ranks of every feature,
// in deviations within classes. It does not depend on the numbers of the classes.
func similar(t *table) []int {
	order, shares := make([]int, t.classes), distr.Shares(t.Y, t.classes)
	centres := mat.NewDense(t.classes, t.X.Cols, nil)
	for j := range t.X.Cols {
		values := t.X.Column(nil, j)
		for i, v := range values {
			if math.IsNaN(v) {
				values[i] = math.Inf(-1)
			}
		}
		ranks := matrix.Ranks(values)
		floats.AddConst(-stat.Mean(ranks, nil), ranks)
		means, within := make([]float64, t.classes), 0.0
		for i, k := range t.Y {
			means[int(k)] += ranks[i] / float64(len(t.Y)) / shares[int(k)]
		}
		for i, k := range t.Y {
			within += (ranks[i] - means[int(k)]) * (ranks[i] - means[int(k)])
		}
		unit := math.Sqrt(within/float64(len(t.Y))) + 1e-3*float64(len(t.Y))
		for k, mean := range means {
			order[k] = k
			centres.Set(k, j, math.Sqrt(shares[k])*mean/unit)
		}
	}
	var svd mat.SVD
	if !svd.Factorize(centres, mat.SVDThin) {
		return order
	}
	var u mat.Dense
	svd.UTo(&u)
	along, skew := u.ColView(0), 0.0
	for k, share := range shares {
		skew += math.Pow(along.AtVec(k), 3) / math.Sqrt(share)
	}
	sign := math.Copysign(1, skew)
	slices.SortStableFunc(order, func(a, b int) int {
		at := func(k int) float64 { return sign * along.AtVec(k) / math.Sqrt(shares[k]) }
		return cmp.Or(cmp.Compare(at(a), at(b)), cmp.Compare(shares[a], shares[b]))
	})
	return order
}

// restoreNodes reads the nodes of a hierarchy.
func (s *State) restoreNodes(c *Context) error {
	h := c.hierarchy
	if h == nil || len(h.nodes) != len(s.header.Nodes) || len(h.rows) != c.target.classes {
		return fmt.Errorf("it has %d nodes, which its classes do not", len(s.header.Nodes))
	}
	h.order = s.header.ClassOrder
	for k := range h.rows {
		if len(h.order) != len(h.rows) || !slices.Contains(h.order, k) {
			return errors.New("the order of its classes has others")
		}
	}
	for k, bytes := range s.header.Nodes {
		part, err := ReadState(io.LimitReader(s.in, bytes))
		if err != nil {
			return err
		}
		if part.header.Classes != h.nodes[k].answers() || part.header.ClassRows != nil ||
			part.Columns != len(c.trees.Kinds(make([]bool, c.columns))) {
			return fmt.Errorf("its node %d has other classes or features", k)
		}
		node, err := part.context(c.model)
		if err == nil {
			err = cmp.Or(part.finish(), c.add(node, true))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
