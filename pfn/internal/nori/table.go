package nori

import (
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/pfn/internal/tabpfn"
)

// Sizes that decide which columns are categories.
const (
	rowsToInfer     = 100
	fewestForNumber = 4 // distinct values of a number; missing counts as one
)

// unseen is the code of a category that is missing or did not occur in the context.
const unseen = -1

// layout says how to read a table.
type layout struct {
	encoded map[int]float64 // by column of codes: the number that replaces unseen
	codes   []int           // columns of categories
	varying int             // number of columns that vary
}

// fitLayout learns from the context rows. Flags tell which columns hold codes of categories.
func fitLayout(x matrix.Matrix, encoded []bool) layout {
	l := layout{encoded: map[int]float64{}}
	for j, is := range encoded {
		if column := x.Column(nil, j); is {
			l.encoded[j] = slices.Max(column) + 1
			if slices.Contains(column, unseen) {
				l.encoded[j] = math.NaN()
			}
		}
	}
	x = l.read(x)
	for j := range x.Cols {
		unique, _ := tabpfn.Distinct(x.Column(nil, j))
		if len(unique) > 1 {
			l.varying++
		}
		if x.Rows >= rowsToInfer && len(unique) < fewestForNumber {
			l.codes = append(l.codes, j)
		}
	}
	return l
}

// read returns a copy of a table in float32, with codes for missing and unseen categories.
func (l layout) read(x matrix.Matrix) matrix.Matrix {
	out := matrix.New(x.Rows, x.Cols)
	for k, v := range x.Data {
		if v == unseen || math.IsNaN(v) {
			if code, is := l.encoded[k%x.Cols]; is {
				v = code
			}
		}
		out.Data[k] = single(v)
	}
	return out
}

// single rounds to float32. Numbers beyond its range become the largest float32.
func single(v float64) float64 {
	return float64(float32(min(max(v, -math.MaxFloat32), math.MaxFloat32)))
}
