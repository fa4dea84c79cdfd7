package boost

import (
	"slices"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/internal/panics"
)

// Forest is what boosting has learned. It is safe for concurrent use.
type Forest struct {
	Columns []Column `json:"columns"`
	Scores  []Score  `json:"scores"`
	// Kept are the features beside the scores, those that reduce the loss most; nil for all.
	Kept []int `json:"kept,omitempty"`
	// Within reports that trees have read the context itself, fold by fold.
	Within bool `json:"within,omitempty"`
}

// Score is a sum of trees, whose values depend on the bins of a row.
type Score struct {
	Start float64  `json:"start"` // without a tree
	Trees [][]node `json:"trees"`
	// Doubt is the mean square of the error of log odds, or for a number its share of the variance
	// that the trees leave of the target.
	Doubt float64 `json:"doubt"`
}

// value returns what a tree says of a binned row.
func value(nodes []node, bins [][]uint8, row int) float64 {
	at := &nodes[0]
	for at.Next > 0 {
		next := at.Next + 1
		if at.left(bins[at.Feature][row]) {
			next--
		}
		at = &nodes[next]
	}
	return at.Value
}

// Kinds tells which columns of Beside are codes of categories, given that of the features.
func (f *Forest) Kinds(categorical []bool) []bool {
	if f == nil {
		return categorical
	}
	kept := categorical
	if f.Kept != nil {
		kept = nil
		for _, j := range f.Kept {
			kept = append(kept, categorical[j])
		}
	}
	return slices.Concat(kept, make([]bool, len(f.Scores)))
}

// Sound reports whether a forest from a file is one of so many features, whose walks end.
func (f *Forest) Sound(features int) bool {
	if f == nil {
		return true
	}
	for _, s := range f.Scores {
		for _, nodes := range s.Trees {
			for k, n := range nodes {
				if n.Next != 0 && (n.Next <= k || n.Next >= len(nodes)-1) {
					return false
				}
			}
		}
	}
	return len(f.Columns) == features
}

// Tell returns the scores of rows, [rows, scores]: numbers in units of the largest target, or log
// odds of every class but the first of two. Without a forest there are none.
func (f *Forest) Tell(x matrix.Matrix) (matrix.Matrix, error) {
	if f == nil {
		return matrix.New(x.Rows, 0), nil
	}
	out := matrix.New(x.Rows, len(f.Scores))
	bins, err := binned(f.Columns, x)
	if err != nil {
		return out, err
	}
	return out, panics.Each(x.Rows, func(i int) {
		for k, s := range f.Scores {
			sum := s.Start
			for _, nodes := range s.Trees {
				sum += value(nodes, bins, i)
			}
			out.Row(i)[k] = sum
		}
	})
}

// Beside returns a copy of the kept features of rows, with their scores as further columns, unless
// x has these already. Without a forest it returns x.
func (f *Forest) Beside(x matrix.Matrix) (matrix.Matrix, error) {
	if f == nil {
		return x, nil
	}
	if x.Cols == len(f.Columns) {
		scores, err := f.Tell(x)
		if err != nil {
			return x, err
		}
		x = matrix.Beside(x, scores)
	}
	if f.Kept == nil {
		return x, nil
	}
	columns := slices.Clone(f.Kept)
	for k := range f.Scores {
		columns = append(columns, len(f.Columns)+k)
	}
	return x.Pick(columns), nil
}
