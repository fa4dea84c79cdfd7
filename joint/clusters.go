package joint

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/tabular"
)

// clusters are rows of a context that belong together, such as the rows of one patient.
type clusters struct {
	of      []int      // by row
	sizes   []float64  // in rows
	sums    *mat.Dense // of the columns of a line, by cluster
	within  float64    // degrees of freedom of what the line leaves within clusters
	freedom float64    // likewise between clusters
}

// leastClusters is the least number of degrees of freedom between clusters.
const leastClusters = 3

func newClusters(of []int, l *line) *clusters {
	_, p := l.a.Dims()
	c := &clusters{of: of}
	c.sizes = make([]float64, slices.Max(of)+1)
	c.sums = mat.NewDense(len(c.sizes), p, nil)
	for i, k := range of {
		c.sizes[k]++
		floats.Add(c.sums.RawRowView(k), l.a.RawRowView(i))
	}
	var known mat.Dense
	known.Mul(c.sums, l.inverse)
	known.MulElem(&known, c.sums)
	c.freedom = float64(len(c.sizes))
	for k, size := range c.sizes {
		c.freedom -= floats.Sum(known.RawRowView(k)) / max(1, size)
	}
	c.within = max(1, l.freedom-c.freedom)
	return c
}

// variances are those of the noise within clusters and of what the rows of a cluster share, from
// what a line leaves of the rows (analysis of variance with clusters at random).
func (c *clusters) variances(left []float64) (within, shared float64) {
	sums := make([]float64, len(c.sizes))
	for i, k := range c.of {
		sums[k] += left[i]
	}
	between, squares, n := 0.0, 0.0, float64(len(left))
	for k, size := range c.sizes {
		between += sums[k] * sums[k] / max(1, size)
		squares += size * size
	}
	within = max(floats.Dot(left, left)-between, 0) / c.within
	between /= c.freedom
	within = max(within, leastWithin*between)
	each := (n - squares/n) / float64(len(c.sizes)-1) // rows of a cluster
	return within, max(0, between-within) / each
}

// leastWithin keeps the ratio of the variances finite.
const leastWithin = 1e-6

// spread returns S + ρ S J S.
func (c *clusters) spread(l *line, ratio float64) *mat.SymDense {
	var known mat.Dense
	known.Mul(c.sums, l.inverse)
	_, p := known.Dims()
	s := mat.NewSymDense(p, nil)
	s.CopySym(l.inverse)
	var squares mat.SymDense
	squares.SymOuterK(ratio, known.T())
	s.AddSym(s, &squares)
	return s
}

// few returns the error for too few clusters.
func (c *clusters) few(f *pfnamp.Fitted) error {
	return &tabular.Error{File: f.Schema().File, Column: f.Options().Group, Msg: fmt.Sprintf(
		"its %d groups are too few beside the other columns: how much rows of a group share is unknown",
		len(c.sizes)), Hint: "name a column with more groups, or leave out columns that tell them apart"}
}
