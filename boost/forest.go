package boost

import (
	"slices"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// Forest is what boosting has learned. It is safe for concurrent use.
type Forest struct {
	// Features is the number of features. As many columns hold their values; others hold the means of
	// targets.
	Features int      `json:"features"`
	Columns  []Column `json:"columns"`
	Scores   []Score  `json:"scores"`
	// Kept are the features beside the scores, those that reduce the loss most; nil for all.
	Kept []int `json:"kept,omitempty"`
	// Left is the root mean square of what the trees of folds, or their probabilities of classes,
	// leave of the targets of held rows.
	Left float64 `json:"left"`
	// Within reports that trees have read the context itself, fold by fold.
	Within bool `json:"within,omitempty"`
}

// Score is a sum of trees, whose values depend on the bins of a row.
type Score struct {
	Start float64 `json:"start"` // without a tree
	Trees []tree  `json:"trees"`
	// Doubt is the mean square of the error of log odds, or for a number its share of the variance
	// that the trees leave of the target.
	Doubt float64 `json:"doubt"`
}

// tree is a tree whose leaves on one level all have the same split. Bit k of the place of a leaf in
// Values tells whether it is on the right of split k.
type tree struct {
	Splits []split   `json:"s"`
	Values []float64 `json:"v"`
}

// add adds so many times what a tree says of rows, up to blockRows, to their scores.
func (t *tree) add(times float64, bins [][]uint8, rows []int, scores []float64) {
	var leaves [blockRows]uint8
	for k := range t.Splits {
		s := &t.Splits[k]
		column := bins[s.Column]
		for r, i := range rows {
			leaves[r] |= s.right(column[i]) << k
		}
	}
	for r, i := range rows {
		scores[i] += times * t.Values[leaves[r]]
	}
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

// Sound reports whether a forest from a file is one of so many features, with all leaves.
func (f *Forest) Sound(features int) bool {
	if f == nil {
		return true
	}
	within := func(i, n int) bool { return 0 <= i && i < n }
	for _, c := range f.Columns {
		if !within(c.Feature, features) || len(c.Edges) > maxBins-1 ||
			c.Means != nil && len(c.Means) != len(c.Codes)+1 || c.Means == nil && len(c.Codes) > maxBins-1 {
			return false
		}
	}
	for _, s := range f.Scores {
		for _, t := range s.Trees {
			if len(t.Splits) > mostDepth || len(t.Values) != 1<<len(t.Splits) ||
				slices.ContainsFunc(t.Splits, func(s split) bool {
					return !within(s.Column, len(f.Columns))
				}) {
				return false
			}
		}
	}
	return f.Features == features &&
		!slices.ContainsFunc(f.Kept, func(j int) bool { return !within(j, features) })
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
	rows, scores := matrix.Upto(x.Rows), make([]float64, x.Rows)
	for k, s := range f.Scores {
		err := blocks(rows, func(rows []int) {
			for _, i := range rows {
				scores[i] = s.Start
			}
			for t := range s.Trees {
				s.Trees[t].add(1, bins, rows, scores)
			}
			for _, i := range rows {
				out.Row(i)[k] = scores[i]
			}
		})
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

// Beside returns a copy of the kept features of rows, with their scores as further columns, unless
// x has these already. Without a forest it returns x.
func (f *Forest) Beside(x matrix.Matrix) (matrix.Matrix, error) {
	if f == nil {
		return x, nil
	}
	if x.Cols == f.Features {
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
		columns = append(columns, f.Features+k)
	}
	return x.Pick(columns), nil
}
