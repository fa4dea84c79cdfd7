package boost

import (
	"maps"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// Means of the target by the values of a feature.
const (
	mostMeans  = 1 << 18 // of all scores, so that a state holds them
	meanParts  = 10      // a row is not told the mean of its own part
	meanRows   = 5.0     // that the mean of all rows counts beside those of a value
	meanUnits  = 1 << 36 // of a target of 1, whose sums do not depend on the order of rows
	meansLeave = 0.99    // of the squares that means by bin leave
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

// meansOf returns the means of the target of the rows read by their place, of which there are n,
// and last that of all rows. It also returns what every row read is told by the others, so that it
// does not know its own target, and the squares that this leaves of the target.
func meansOf(y []float64, read []int, n int, place func(row int) int) (
	means, told []float64, left float64,
) {
	type total struct{ sum, rows int64 }
	all, parts := make([]total, n+1), make([]total, n*meanParts)
	for k, i := range read {
		add := func(t *total) { t.sum, t.rows = t.sum+int64(math.Round(y[i]*meanUnits)), t.rows+1 }
		add(&all[n])
		if at := place(i); at >= 0 {
			add(&all[at])
			add(&parts[at*meanParts+k%meanParts])
		}
	}
	prior := float64(all[n].sum) / meanUnits / float64(all[n].rows)
	mean := func(t, without total) float64 {
		sum, rows := float64(t.sum-without.sum)/meanUnits, float64(t.rows-without.rows)
		return (sum + meanRows*prior) / (rows + meanRows)
	}
	for at := range n {
		means = append(means, mean(all[at], total{}))
	}
	for k, i := range read {
		value := prior
		if at := place(i); at >= 0 {
			value = mean(all[at], parts[at*meanParts+k%meanParts])
		}
		told = append(told, value)
		left += (y[i] - value) * (y[i] - value)
	}
	return append(means, prior), told, left
}

// column returns the means of targets by value of the rows read, and the bins of all rows; nil
// if means by bin, which trees find without it, leave hardly more.
func (m *many) column(y []float64, read []int, binned []uint8) (*Column, []uint8) {
	_, _, leave := meansOf(y, read, maxBins+1, func(i int) int { return int(binned[i]) })
	means, told, left := meansOf(y, read, len(m.codes), func(i int) int { return int(m.place[i]) })
	if left >= meansLeave*leave {
		return nil, nil
	}
	c := &Column{Feature: m.feature, Codes: m.codes, Means: means,
		Edges: edges(slices.Sorted(slices.Values(told)))}
	bins := make([]uint8, len(m.place))
	for i, at := range m.place {
		if bins[i] = c.place(means[len(m.codes)]); at >= 0 {
			bins[i] = c.place(means[at])
		}
	}
	for k, i := range read {
		bins[i] = c.place(told[k])
	}
	return c, bins
}
