package boost

import (
	"maps"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// Means of the target by the values of a feature.
const (
	mostMeans = 1 << 18 // of all scores, so that a state holds them
	meanParts = 5       // a row is not told the mean of its own part
	meanRows  = 5.0     // that the mean of all rows counts beside those of a value
	meanUnits = 1 << 36 // of a target of 1, whose sums do not depend on the order of rows
)

// many is a feature with more values than bins, whole numbers or categories: trees read the mean
// target of a value too.
type many struct {
	feature int
	codes   []float64 // ascending
	place   []int32   // of the values of rows among codes; -1 for others
}

// manyOf finds the features of which some rows have many values.
func manyOf(x matrix.Matrix, rows []int, most int) (found []many) {
	for j := range x.Cols {
		seen, whole := map[float64]struct{}{}, true
		for k := 0; k < len(rows) && whole; k++ {
			if v := x.Row(rows[k])[j]; !math.IsNaN(v) {
				whole = v == math.Trunc(v)
				seen[v] = struct{}{}
			}
		}
		if !whole || len(seen) < maxBins || 2*len(seen) > len(rows) || len(seen) > most {
			continue
		}
		m := many{feature: j, codes: slices.Sorted(maps.Keys(seen)), place: make([]int32, x.Rows)}
		for i := range m.place {
			at, ok := slices.BinarySearch(m.codes, x.Row(i)[j])
			if m.place[i] = int32(at); !ok {
				m.place[i] = -1
			}
		}
		found = append(found, m)
	}
	return found
}

// column returns the means of targets by value of the rows read, and the bins of all rows. Each row
// read is told by the others, so that it does not know its own target.
func (m *many) column(x matrix.Matrix, y []float64, read []int) (Column, []uint8) {
	type total struct{ sum, rows int64 }
	all, parts := make([]total, len(m.codes)+1), make([]total, len(m.codes)*meanParts)
	last := len(m.codes)
	for k, i := range read {
		add := func(t *total) { t.sum, t.rows = t.sum+int64(math.Round(y[i]*meanUnits)), t.rows+1 }
		add(&all[last])
		if at := int(m.place[i]); at >= 0 {
			add(&all[at])
			add(&parts[at*meanParts+k%meanParts])
		}
	}
	prior := float64(all[last].sum) / meanUnits / float64(all[last].rows)
	mean := func(t, without total) float64 {
		sum, rows := float64(t.sum-without.sum)/meanUnits, float64(t.rows-without.rows)
		return (sum + meanRows*prior) / (rows + meanRows)
	}
	c := Column{Feature: m.feature, Codes: m.codes, Means: make([]float64, last+1)}
	for at := range m.codes {
		c.Means[at] = mean(all[at], total{})
	}
	c.Means[last] = prior
	values := make([]float64, len(read))
	for k, i := range read {
		if values[k] = prior; m.place[i] >= 0 {
			at := int(m.place[i])
			values[k] = mean(all[at], parts[at*meanParts+k%meanParts])
		}
	}
	c.Edges = edges(slices.Sorted(slices.Values(values)))
	bins := make([]uint8, x.Rows)
	for i := range bins {
		bins[i] = c.bin(x.Row(i)[m.feature])
	}
	for k, i := range read {
		if !math.IsNaN(x.Row(i)[m.feature]) {
			bins[i] = c.place(values[k])
		}
	}
	return c, bins
}
