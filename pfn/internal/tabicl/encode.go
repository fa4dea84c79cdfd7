package tabicl

import (
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// Encoder imputes missing values and selects the columns that vary. It holds statistics of the
// context rows only.
type Encoder struct {
	columns []encoded
	// After fitting: the number of leading columns with codes of categories, and the bends of all.
	words int
	bends []bend
}

// encoded is one column of the encoder's output.
type encoded struct {
	source int     // column of the input
	fill   float64 // replaces a missing value
}

// missingCategory is the code of a missing or unseen category.
const missingCategory = -1

// FitEncoder fits an encoder to the context rows. Categorical columns, which hold ordinal codes,
// come first, then numeric ones, each in their own order. A missing number becomes the mean of its
// column (0 if all are missing), a missing code -1. Columns with a single value are dropped. With
// bent, numbers get bends, and a missing one becomes the mean of bent numbers.
func FitEncoder(x matrix.Matrix, categorical []bool, bent bool) *Encoder {
	e := &Encoder{}
	values := make([]float64, 0, x.Rows)
	for _, wanted := range []bool{true, false} {
		for j := range x.Cols {
			if categorical[j] != wanted {
				continue
			}
			values = x.Column(values, j)
			fill, b := float64(missingCategory), bend{}
			if !wanted {
				if bent {
					b = fitBend(values)
				}
				fill = b.mean(values)
			}
			if varies(values, fill) {
				e.columns, e.bends = append(e.columns, encoded{j, fill}), append(e.bends, b)
			}
		}
		if wanted {
			e.words = len(e.columns)
		}
	}
	return e
}

// varies reports whether a column has two distinct values after filling. With one row every column
// is kept, because one row cannot show variation.
func varies(values []float64, fill float64) bool {
	return len(values) <= 1 || slices.ContainsFunc(values, func(v float64) bool {
		return filled(v, fill) != filled(values[0], fill)
	})
}

func filled(v, fill float64) float64 {
	if math.IsNaN(v) {
		return fill
	}
	return v
}

// Width returns the number H of columns that are kept.
func (e *Encoder) Width() int { return len(e.columns) }

// Encode returns the kept columns of x without missing values.
func (e *Encoder) Encode(x matrix.Matrix) matrix.Matrix {
	out := matrix.New(x.Rows, len(e.columns))
	for i := range x.Rows {
		row := out.Row(i)
		for j, c := range e.columns {
			row[j] = filled(x.Row(i)[c.source], c.fill)
		}
	}
	return out
}
