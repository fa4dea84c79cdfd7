package main

import (
	"math"

	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// featureScale is the mean and the standard deviation of a numeric feature over the training
// rows that have it; the latter is 0 where it does not vary, and both are of a category.
type featureScale struct {
	Center float64 `json:"center"`
	Spread float64 `json:"spread"`
}

// scalesOf measures the features of a training table.
func scalesOf(t pfn.Training) []featureScale {
	scales := make([]featureScale, t.X.Cols)
	for j := range scales {
		if j < len(t.Categorical) && t.Categorical[j] {
			continue
		}
		n, mean, square := 0.0, 0.0, 0.0
		for i := range t.X.Rows {
			v := t.X.Data[i*t.X.Cols+j]
			if math.IsNaN(v) || math.IsInf(v, 0) {
				continue
			}
			n++
			step := (v - mean) / n
			square += (v - mean) * (v - mean - step)
			mean += step
		}
		if spread := math.Sqrt(square / n); spread > 0 && spread < math.Inf(1) {
			scales[j] = featureScale{mean, spread}
		}
	}
	return scales
}

// embedding places rows in the space in which they are coupled. A number is centred and divided by
// its standard deviation over the training rows, a category becomes a corner of its own at a
// distance of √2 from every other, and what is missing lies in the middle. Two independent
// training rows are then √(2d) apart, d the features that vary, give or take; with the lengths
// l = length √d they correlate exp(-1/length²).
type embedding struct {
	scales  []featureScale
	columns []tabular.Column
	first   []int // coordinate of every feature, -1 where it does not vary
	size    int
	varying int
}

func newEmbedding(columns []tabular.Column, scales []featureScale) *embedding {
	e := &embedding{scales: scales, columns: columns, first: make([]int, len(columns))}
	for j, c := range columns {
		width := len(c.Categories)
		if width == 0 && scales[j].Spread > 0 {
			width = 1
		} else if width == 1 {
			width = 0
		}
		e.first[j] = e.size
		if width == 0 {
			e.first[j] = -1
			continue
		}
		e.size += width
		e.varying++
	}
	return e
}

// lengths are those of the coordinates; a table without a varying feature has one coordinate, at
// which all rows meet.
func (e *embedding) lengths(length float64) []float64 {
	lengths := make([]float64, max(1, e.size))
	for i := range lengths {
		lengths[i] = length * math.Sqrt(math.Max(1, float64(e.varying)))
	}
	return lengths
}

// farthest bounds coordinates, beyond which everything is uncorrelated with everything.
const farthest = 1e9

// place returns the coordinates of an encoded row.
func (e *embedding) place(row []float64) []float64 {
	at := make([]float64, max(1, e.size))
	for j, v := range row {
		first := e.first[j]
		switch {
		case first < 0 || math.IsNaN(v):
		case len(e.columns[j].Categories) == 0:
			z := (v - e.scales[j].Center) / e.scales[j].Spread
			at[first] = math.Max(-farthest, math.Min(farthest, z))
		case v >= 0:
			at[first+int(v)] = 1
		}
	}
	return at
}
