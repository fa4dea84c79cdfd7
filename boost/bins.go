package boost

import (
	"math"
	"slices"
	"sort"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/internal/panics"
)

const (
	maxBins    = 255     // of the values of a column; bin 0 holds missing cells
	sampleRows = 200_000 // rows that decide where bins end
	blockRows  = 4096    // rows of one goroutine
)

// Column says which values of a feature are in which bin.
type Column struct {
	Feature int `json:"f"`
	// Edges are the upper ends of the bins of numbers, ascending; the last bin has none.
	Edges []float64 `json:"edges,omitempty"`
	// Codes are the codes of categories with bins of their own, ascending; the others share the bin
	// after them. nil for numbers.
	Codes []float64 `json:"codes,omitempty"`
	// Means are the mean targets of Codes and, last, of all rows, which other values and missing
	// ones get: numbers for bins in the place of the values. nil if these are sorted into bins.
	Means []float64 `json:"means,omitempty"`
}

// categorical reports whether bins hold categories without an order.
func (c *Column) categorical() bool { return c.Codes != nil && c.Means == nil }

// bins returns the number of bins, with that of missing cells.
func (c *Column) bins() int {
	if c.categorical() {
		return len(c.Codes) + 2
	}
	return len(c.Edges) + 2
}

// bin returns the bin of a value.
func (c *Column) bin(v float64) uint8 {
	if math.IsNaN(v) && c.Means == nil {
		return 0
	}
	if c.Codes != nil {
		place, ok := slices.BinarySearch(c.Codes, v)
		if !ok {
			place = len(c.Codes)
		}
		if c.Means == nil {
			return uint8(place + 1)
		}
		v = c.Means[place]
	}
	return c.place(v)
}

// place returns the bin of a number.
func (c *Column) place(v float64) uint8 { return uint8(sort.SearchFloat64s(c.Edges, v) + 1) }

// columnsOf decides the bins of all features from some rows.
func columnsOf(x matrix.Matrix, categorical []bool, rows []int) ([]Column, error) {
	columns := make([]Column, x.Cols)
	rows = every((len(rows)+sampleRows-1)/sampleRows, rows)
	return columns, panics.Each(x.Cols, func(j int) {
		values := make([]float64, 0, len(rows))
		for _, i := range rows {
			if v := x.Data[i*x.Cols+j]; !math.IsNaN(v) {
				values = append(values, v)
			}
		}
		slices.Sort(values)
		columns[j].Feature = j
		if categorical != nil && categorical[j] {
			columns[j].Codes = frequent(values)
		} else {
			columns[j].Edges = edges(values)
		}
	})
}

// edges returns the ends of bins between sorted values: midway between all values if these are few,
// otherwise at their quantiles.
func edges(sorted []float64) []float64 {
	distinct := slices.Compact(slices.Clone(sorted))
	if len(distinct) > maxBins-1 {
		for k := range maxBins {
			distinct[k] = sorted[k*(len(sorted)-1)/(maxBins-1)]
		}
		distinct = slices.Compact(distinct[:maxBins])
	}
	ends := make([]float64, 0, len(distinct))
	for k := 1; k < len(distinct); k++ {
		ends = append(ends, distinct[k-1]/2+distinct[k]/2)
	}
	return slices.Compact(ends)
}

// frequent returns the most frequent codes among sorted ones, in ascending order.
func frequent(sorted []float64) []float64 {
	codes, counts := []float64{}, map[float64]int{}
	for _, v := range sorted {
		if counts[v]++; counts[v] == 1 {
			codes = append(codes, v)
		}
	}
	slices.SortStableFunc(codes, func(a, b float64) int { return counts[b] - counts[a] })
	return slices.Sorted(slices.Values(codes[:min(len(codes), maxBins-2)]))
}

// binned returns the bins of all cells, column by column.
func binned(columns []Column, x matrix.Matrix) ([][]uint8, error) {
	out := make([][]uint8, len(columns))
	for j := range out {
		out[j] = make([]uint8, x.Rows)
	}
	return out, blocks(matrix.Upto(x.Rows), func(rows []int) {
		for _, i := range rows {
			for j := range columns {
				out[j][i] = columns[j].bin(x.Row(i)[columns[j].Feature])
			}
		}
	})
}

// blocks does something with all rows, in goroutines, up to blockRows at a time.
func blocks(rows []int, do func(rows []int)) error {
	return panics.Each((len(rows)+blockRows-1)/blockRows, func(b int) {
		do(rows[b*blockRows : min((b+1)*blockRows, len(rows))])
	})
}
