package reading

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pfnamp/pfnamp/pfn"
)

// world is a law of tables with six columns of yes and no and four numbers, whose rows are of
// several kinds; given the kind columns are independent.
type world struct {
	shares  [][6]float64 // of yes, by kind
	centres [][4]float64 // of numbers, by kind
	spread  float64      // of numbers about their centre
	effects [10]float64
	both    float64 // effect of the first yes with the first number
	noise   float64
	classes bool
}

const studyColumns, yesNo = 10, 6

// newWorld draws a law with so many kinds of rows.
func newWorld(r *rand.Rand, kinds int, both float64, classes bool) *world {
	w := &world{spread: 1, noise: 0.38, both: both, classes: classes}
	for range kinds {
		var shares [6]float64
		var centres [4]float64
		for j := range shares {
			shares[j] = 0.3 + 0.4*r.Float64()
			if kinds > 1 {
				shares[j] = []float64{0.1, 0.9}[r.IntN(2)]
			}
		}
		for j := range centres {
			if kinds > 1 {
				centres[j] = 1.5 * r.NormFloat64()
				w.spread = 0.5
			}
		}
		w.shares, w.centres = append(w.shares, shares), append(w.centres, centres)
	}
	sizes := []float64{0.95, 0.6, 0.5, 0.5, 0.4, 0.3, 0.7, 0.4, 0.35, 0.2}
	for j := range w.effects {
		w.effects[j] = sizes[j]
		if j > 0 && r.IntN(2) == 0 {
			w.effects[j] = -sizes[j]
		}
	}
	if classes {
		for j := range w.effects {
			w.effects[j] *= 2
		}
	}
	return w
}

// cell draws a cell of a row of a kind.
func (w *world) cell(r *rand.Rand, kind, j int) float64 {
	if j < yesNo {
		if r.Float64() < w.shares[kind][j] {
			return 1
		}
		return 0
	}
	return w.centres[kind][j-yesNo] + w.spread*r.NormFloat64()
}

func (w *world) row(r *rand.Rand) []float64 {
	kind, row := r.IntN(len(w.shares)), make([]float64, studyColumns)
	for j := range row {
		row[j] = w.cell(r, kind, j)
	}
	return row
}

// mean is the mean of the label, or the probability of class 1.
func (w *world) mean(row []float64) float64 {
	sum := w.both * (2*row[0] - 1) * row[yesNo]
	for j, v := range row {
		sum += w.effects[j] * v
	}
	if w.classes {
		return 1 / (1 + math.Exp(-sum))
	}
	return sum
}

func (w *world) label(r *rand.Rand, row []float64) float64 {
	if !w.classes {
		return w.mean(row) + w.noise*r.NormFloat64()
	}
	if r.Float64() < w.mean(row) {
		return 1
	}
	return 0
}

// oracle is E[mean | the cells that are there], and the central 90 % interval of the label, by
// draws from the law.
func (w *world) oracle(r *rand.Rand, row []float64, lacks func(j int) bool) (mean float64) {
	posterior := make([]float64, len(w.shares))
	for kind := range posterior {
		log := 0.0
		for j, v := range row {
			switch {
			case lacks(j):
			case j < yesNo && v == 1:
				log += math.Log(w.shares[kind][j])
			case j < yesNo:
				log += math.Log(1 - w.shares[kind][j])
			default:
				z := (v - w.centres[kind][j-yesNo]) / w.spread
				log -= z * z / 2
			}
		}
		posterior[kind] = log
	}
	most, sum := slices.Max(posterior), 0.0
	for k := range posterior {
		posterior[k] = math.Exp(posterior[k] - most)
		sum += posterior[k]
	}
	const draws = 2000
	filled := slices.Clone(row)
	for range draws {
		kind, at := 0, r.Float64()*sum
		for at > posterior[kind] && kind < len(posterior)-1 {
			at -= posterior[kind]
			kind++
		}
		for j := range row {
			if lacks(j) {
				filled[j] = w.cell(r, kind, j)
			}
		}
		mean += w.mean(filled) / draws
	}
	return mean
}

// blanks are sets of cells that a row lacks.
var blanks = []struct {
	name  string
	lacks func(j int) bool
}{
	{"nothing", func(j int) bool { return false }},
	{"one yes/no column", func(j int) bool { return j == 0 }},
	{"three", func(j int) bool { return j < 3 }},
	{"all six", func(j int) bool { return j < 6 }},
	{"one number", func(j int) bool { return j == 6 }},
	{"all numbers", func(j int) bool { return j >= 6 }},
	{"a yes/no column and two numbers", func(j int) bool { return j == 0 || j == 6 || j == 7 }},
	{"everything", func(j int) bool { return true }},
}

func newRows(w *world, r *rand.Rand, n int) pfn.Matrix {
	x := pfn.Matrix{Rows: n, Cols: studyColumns}
	for range n {
		x.Data = append(x.Data, w.row(r)...)
	}
	return x
}

// table draws a labelled table.
func (w *world) table(r *rand.Rand, n int) pfn.Training {
	t := pfn.Training{X: newRows(w, r, n), Categorical: studyCategories(), Y: make([]float64, n)}
	for i := range t.Y {
		t.Y[i] = w.label(r, t.X.Row(i))
	}
	return t
}

// blanked are rows without some cells.
func blanked(x pfn.Matrix, lacks func(j int) bool) pfn.Matrix {
	x.Data = slices.Clone(x.Data)
	for k := range x.Data {
		switch j := k % x.Cols; {
		case lacks(j) && j < yesNo:
			x.Data[k] = -1
		case lacks(j):
			x.Data[k] = math.NaN()
		}
	}
	return x
}

func studyCategories() []bool {
	categorical := make([]bool, studyColumns)
	for j := range yesNo {
		categorical[j] = true
	}
	return categorical
}
