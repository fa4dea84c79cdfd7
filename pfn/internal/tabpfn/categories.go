package tabpfn

import (
	"cmp"
	"slices"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/pfn/internal/pyrand"
)

// categories are the distinct values of one column, ascending, NaN last.
type categories []float64

// code returns the index of a value, or -1 if it is not among the categories.
func (c categories) code(v float64) int {
	if i, found := slices.BinarySearchFunc(c, v, compareLastNaN); found {
		return i
	}
	return -1
}

// encoding replaces categorical columns; the encoded ones come first, then the rest in order.
type encoding interface {
	apply(x matrix.Matrix) matrix.Matrix
}

// ordinals replaces the values of categorical columns by codes, which may be permuted. Missing and
// unseen values become missing.
type ordinals struct {
	columns    []int
	rest       []int
	categories []categories
	codes      [][]int // of the categories
}

// Categories are very common if the rarest one occurs this often, and if there is less than one for
// this many rows.
const (
	rarestCategory  = 10
	rowsPerCategory = 10
)

// ordinalRule selects the columns to encode (only those with very common categories, or all), and
// whether to permute their codes.
type ordinalRule struct{ veryCommon, shuffled bool }

// chooses reports whether a column with these values is encoded.
func (r ordinalRule) chooses(unique categories, counts []int, rows int) bool {
	return !r.veryCommon ||
		slices.Min(counts) >= rarestCategory && len(unique) < rows/rowsPerCategory
}

// fitOrdinals fits the candidate columns of the context rows. One generator draws the permutations,
// column after column, over all categories including the missing one.
func fitOrdinals(x matrix.Matrix, candidates []int, rule ordinalRule, seed uint64) ordinals {
	var o ordinals
	random := pyrand.NewGenerator(seed)
	for _, j := range candidates {
		unique, counts := distinct(x.Column(nil, j))
		if !rule.chooses(unique, counts, x.Rows) {
			continue
		}
		o.columns = append(o.columns, j)
		o.categories = append(o.categories, unique)
		codes := matrix.Upto(len(unique))
		if rule.shuffled {
			codes = random.Permutation(len(unique))
		}
		o.codes = append(o.codes, codes)
	}
	o.rest = others(x.Cols, o.columns)
	return o
}

// others returns the columns below n that are not listed.
func others(n int, listed []int) []int {
	return slices.DeleteFunc(matrix.Upto(n), func(j int) bool { return slices.Contains(listed, j) })
}

func (o ordinals) apply(x matrix.Matrix) matrix.Matrix {
	if len(o.columns) == 0 {
		return x
	}
	front := x.Pick(o.columns)
	for i := range front.Rows {
		row := front.Row(i)
		for k, v := range row {
			row[k] = nan
			if code := o.categories[k].code(v); code >= 0 && v == v {
				row[k] = float64(o.codes[k][code])
			}
		}
	}
	return matrix.Beside(front, x.Pick(o.rest))
}

// indicators gives every category a column, which is 1 for rows with the category. Missing is a
// category if it occurs in the context. Of two categories, the first has no column. An unseen value
// is 0 in all columns.
type indicators struct {
	columns    []int
	rest       []int
	categories []categories
}

// maxIndicatorCells is the size of the context matrix from which categories stay as they are.
const maxIndicatorCells = 1_000_000

// fitIndicators fits the categories of these columns. It returns nil if the result would be too
// large.
func fitIndicators(x matrix.Matrix, columns []int) encoding {
	c := indicators{columns: columns, rest: others(x.Cols, columns)}
	width := len(c.rest)
	for _, j := range columns {
		unique, _ := distinct(x.Column(nil, j))
		c.categories = append(c.categories, unique)
		width += len(unique) - dropped(unique)
	}
	if width*x.Rows >= maxIndicatorCells {
		return nil
	}
	return c
}

// dropped returns how many leading categories have no column.
func dropped(c categories) int {
	if len(c) == 2 {
		return 1
	}
	return 0
}

func (c indicators) apply(x matrix.Matrix) matrix.Matrix {
	if len(c.columns) == 0 {
		return x
	}
	parts := make([]matrix.Matrix, 0, len(c.columns)+1)
	for k, j := range c.columns {
		skip := dropped(c.categories[k])
		block := matrix.New(x.Rows, len(c.categories[k])-skip)
		for i := range x.Rows {
			if code := c.categories[k].code(x.Data[i*x.Cols+j]) - skip; code >= 0 {
				block.Row(i)[code] = 1
			}
		}
		parts = append(parts, block)
	}
	return matrix.Beside(append(parts, x.Pick(c.rest))...)
}

// distinct returns the distinct values, ascending, and their counts. All NaN are one value, last.
func distinct(values []float64) (unique []float64, counts []int) {
	sorted := slices.Clone(values)
	slices.SortFunc(sorted, compareLastNaN)
	for _, v := range sorted {
		if last := len(unique) - 1; last >= 0 && compareLastNaN(unique[last], v) == 0 {
			counts[last]++
			continue
		}
		unique, counts = append(unique, v), append(counts, 1)
	}
	return unique, counts
}

// compareLastNaN orders numbers, and NaN after all of them.
func compareLastNaN(a, b float64) int {
	return cmp.Compare(-b, -a)
}
