package trend

import (
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/internal/rows"
)

// Levels are values of columns that a trend reads as indicators, one column for every value. So
// ridge regression gives every group its own effect, as in a mixed model. Codes of a category with
// levels are left out, because their order means nothing. Numbers with levels stay, because a line
// on them continues between the levels.
type Levels struct {
	Words   int       `json:"words"`   // number of leading columns with codes of categories
	Columns []int     `json:"columns"` // of every level, ascending
	Values  []float64 `json:"values"`  // of every level, ascending within a column
	// Doubts are the variances of the errors of the effects of a line, of every level, and then, at
	// the first level of every column, of another value; nil without. Those of classes are in units
	// of the noise.
	Doubts []float64 `json:"doubts,omitempty"`
}

const (
	fewestLevels = 3 // of a column; two values are one column already
	levelRows    = 2 // least context rows of a level
	numberRows   = 3 // least rows per different value of a numeric column with levels
	pairRows     = 2 // the same where levels tell much, as of people who are measured twice
	lineLevels   = 400
	kernelLevels = 64
	rowsPerLevel = 2 // least context rows per level
)

// findLevels returns at most most levels of the categories of features z [N, H] and of columns of
// numbers with so many rows per different number; 0 leaves out all of them. It leaves out columns
// that divide the rows as an earlier one does, as the coordinates of sites do. It prefers levels
// with many rows. It returns nil if there are none.
func findLevels(z matrix.Matrix, words, numbers, most int) *Levels {
	found := &Levels{Words: words}
	var held []int        // context rows by level
	var divisions [][]int // of the rows, by column
	for j := range z.Cols {
		if j >= words && numbers == 0 {
			break
		}
		values, counts := counted(z.Column(nil, j))
		if len(values) < fewestLevels || j >= words && numbers*len(values) > z.Rows {
			continue
		}
		groups := rows.Numbered(z.Column(nil, j))
		if slices.ContainsFunc(divisions, func(d []int) bool { return slices.Equal(d, groups) }) {
			continue
		}
		divisions = append(divisions, groups)
		for k, v := range values {
			found.Columns, found.Values = append(found.Columns, j), append(found.Values, v)
			held = append(held, counts[k])
		}
	}
	return found.atMost(min(most, z.Rows/rowsPerLevel), held)
}

// atMost drops levels with few rows until at most most are left, nil for none.
func (l *Levels) atMost(most int, rows []int) *Levels {
	for least := levelRows; ; least++ {
		kept := &Levels{Words: l.Words}
		for k, n := range rows {
			if n >= least {
				kept.Columns = append(kept.Columns, l.Columns[k])
				kept.Values = append(kept.Values, l.Values[k])
			}
		}
		if len(kept.Columns) == 0 {
			return nil
		}
		if len(kept.Columns) <= most {
			return kept
		}
	}
}

// counted returns the different values, ascending, and their counts. It sorts the column in place.
func counted(column []float64) (values []float64, counts []int) {
	slices.Sort(column)
	for i, v := range column {
		if i == 0 || v != column[i-1] {
			values, counts = append(values, v), append(counts, 0)
		}
		counts[len(counts)-1]++
	}
	return values, counts
}

// kept returns the columns of h features that are read as they are.
func (l *Levels) kept(h int) (columns []int) {
	for j := range h {
		if l == nil || j >= l.Words || !slices.Contains(l.Columns, j) {
			columns = append(columns, j)
		}
	}
	return columns
}

// of returns the features that are read as they are, and the indicators. Without levels it returns
// the features.
func (l *Levels) of(z matrix.Matrix) matrix.Matrix {
	if l == nil {
		return z
	}
	kept := l.kept(z.Cols)
	out := matrix.New(z.Rows, len(kept)+len(l.Columns))
	for i := range z.Rows {
		row, from := out.Row(i), z.Row(i)
		for k, j := range kept {
			row[k] = from[j]
		}
		for k, j := range l.Columns {
			if from[j] == l.Values[k] {
				row[len(kept)+k] = 1
			}
		}
	}
	return out
}

// back writes the part of a row from of that is read as is into the features z.
func (l *Levels) back(row, z []float64) {
	if l == nil {
		copy(z, row)
		return
	}
	for k, j := range l.kept(len(z)) {
		z[j] = row[k]
	}
}

// Variances returns the sums of the doubts about the levels of rows of features z [N, H].
func (l *Levels) Variances(z matrix.Matrix) []float64 {
	sums := make([]float64, z.Rows)
	for i := range sums {
		for k := 0; k < len(l.Columns); {
			column, doubt := l.Columns[k], l.Doubts[len(l.Columns)+k]
			for ; k < len(l.Columns) && l.Columns[k] == column; k++ {
				if z.Row(i)[column] == l.Values[k] {
					doubt = l.Doubts[k]
				}
			}
			sums[i] += doubt
		}
	}
	return sums
}

// choices returns the levels that a trend may have, none first: those of categories, and those of
// numbers too if they differ; at most most of each.
func (z Features) choices(most int) []*Levels {
	all := []*Levels{nil}
	for _, numbers := range []int{0, numberRows} {
		found := findLevels(z.Matrix, z.Words, numbers, most)
		if found != nil && !found.same(all[len(all)-1]) {
			all = append(all, found)
		}
	}
	return all
}

// same reports whether both are the same levels.
func (l *Levels) same(other *Levels) bool {
	return other != nil && slices.Equal(l.Columns, other.Columns) &&
		slices.Equal(l.Values, other.Values)
}

// kernelLevelGain is the part of the residual of a kernel's first fit without levels below which
// that with levels must be.
const kernelLevelGain = 0.9

// lineGain is the same for a line on this many rows: more of them tell smaller gains from chance.
func lineGain(rows int) float64 {
	return 1 - min(max(0.02, 0.5/math.Sqrt(float64(rows))), 0.05)
}

// fitLevels fits lines with levels, and returns the one with the smallest residual of a
// standardised target, and the target that a member reads. It returns nil if the line without
// levels is hardly worse, or follows a law.
func fitLevels(z Features, y []float64, line *Trend) (best *Trend, left []float32) {
	if line.law() {
		return nil, nil
	}
	least := lineGain(z.Rows) * line.Scale
	for _, levels := range z.choices(lineLevels)[1:] {
		if t, rest := fitLine(z.Matrix, levels, y); t.Scale < least {
			least, best, left = t.Scale, t, rest
		}
	}
	if best != nil && z.Sure {
		best.Levels.Doubts = nil
	}
	return best, left
}

// suited are the columns of a kernel, and the residuals of a first fit with them.
type suited struct {
	columns
	levels *Levels
	left   float64
}

// suit finds the columns for targets of mean zero, with the levels of the smallest residual if it
// is clearly smaller than without levels.
func suit(z Features, targets [][]float64) *suited {
	best, least := &suited{}, 0.0
	for k, levels := range z.choices(kernelLevels) {
		c, left := suitedColumns(levels.of(z.Matrix), targets)
		if k == 0 || left < least {
			best, least = &suited{c, levels, left}, left
		}
		if k == 0 {
			least = kernelLevelGain * left
		}
	}
	return best
}
