package reading

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/pfn"
)

// world is a linear law of six independent columns of yes and no and four numbers.
type world struct {
	shares  [yesNo]float64 // of yes
	effects [columns]float64
}

const columns, yesNo, noise = 10, 6, 0.38

func newWorld(r *rand.Rand) *world {
	w := &world{effects: [...]float64{0.95, -0.6, 0.5, -0.5, 0.4, 0.3, 0.7, -0.4, 0.35, 0.2}}
	for j := range w.shares {
		w.shares[j] = 0.3 + 0.4*r.Float64()
	}
	return w
}

// table draws a labelled table.
func (w *world) table(r *rand.Rand, rows int) pfn.Training {
	t := pfn.Training{X: matrix.New(rows, columns), Categorical: make([]bool, columns)}
	for i := range rows {
		for j := range columns {
			t.Categorical[j] = j < yesNo
			v := r.NormFloat64()
			if j < yesNo {
				v = 0
				if r.Float64() < w.shares[j] {
					v = 1
				}
			}
			t.X.Row(i)[j] = v
		}
		t.Y = append(t.Y, w.mean(t.X.Row(i), nothing)+noise*r.NormFloat64())
	}
	return t
}

// mean is the mean of the label, given the cells that are there.
func (w *world) mean(row []float64, lacks func(j int) bool) (sum float64) {
	for j, v := range row {
		if lacks(j) {
			if v = 0; j < yesNo {
				v = w.shares[j]
			}
		}
		sum += w.effects[j] * v
	}
	return sum
}

func nothing(int) bool { return false }

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

// The mean over what is missing is nearly that of an oracle, where the network alone is off by the
// whole effect.
func TestMeanOverMissingCells(t *testing.T) {
	m := open(t, "default", 1)
	r := rand.New(rand.NewPCG(5, 5))
	w := newWorld(r)
	train, query := w.table(r, 150), w.table(r, 60)
	fitted, err := m.Fit(t.Context(), train)
	must.Succeed(t, err)
	defer fitted.Close()
	bias := func(d *Donors, lacks func(int) bool) (bias, held float64) {
		made, err := d.Predictions(t.Context(), fitted, blanked(query.X, lacks), true)
		must.Succeed(t, err)
		for i, p := range made {
			bias += (p.PPD.Mean() - w.mean(query.X.Row(i), lacks)) / float64(len(made))
			lo, hi := amp.PredictiveInterval(p.PPD, 0.9)
			if lo <= query.Y[i] && query.Y[i] <= hi {
				held += 1 / float64(len(made))
			}
		}
		return bias, held
	}
	yes := func(j int) bool { return j < yesNo }
	for name, lacks := range map[string]func(j int) bool{
		"one yes/no column": func(j int) bool { return j == 0 },
		"all six":           yes,
		"one number":        func(j int) bool { return j == 6 },
		"all numbers":       func(j int) bool { return j >= 6 },
		"a mixture":         func(j int) bool { return j == 0 || j == 6 || j == 7 },
		"everything":        func(int) bool { return true },
	} {
		if off, held := bias(NewDonors(train, 0, 1), lacks); math.Abs(off) > 0.18 || held < 0.8 {
			t.Errorf("%s: bias %.2f; %.2f of the labels inside", name, off, held)
		}
	}
	if off, _ := bias(nil, yes); math.Abs(off) < 0.3 {
		t.Errorf("the network alone is off by %.2f only", off)
	}
}

// Donors lend cells of a column that fewer than 5 % of them lack; at 5 % the network reads them.
func TestDonorsLendBelowATwentieth(t *testing.T) {
	for rows, lends := range map[int]bool{19: false, 20: false, 21: true, 40: true} {
		x := pfn.Matrix{Rows: rows, Cols: 2, Data: make([]float64, 2*rows)}
		for i := range rows {
			x.Row(i)[0], x.Row(i)[1] = float64(i), float64(i*i%7)
		}
		x.Row(3)[1] = math.NaN()
		d := NewDonors(pfn.Training{X: x, Y: make([]float64, rows)}, 0, 1)
		if got := d.lends(1, math.NaN()); got != lends {
			t.Errorf("1 of %d rows lacks the cell: donors lend it is %v", rows, got)
		}
		if !d.lends(0, math.NaN()) {
			t.Errorf("of %d rows: a cell that no donor lacks is not lent", rows)
		}
	}
}

// A network without a posterior reads missing cells as it does, and its companion averages over
// them.
func TestCompanionAverages(t *testing.T) {
	m := open(t, filepath.Join("..", "testdata", "tiny"), 1)
	r := rand.New(rand.NewPCG(5, 5))
	w := newWorld(r)
	train, query := w.table(r, 60), w.table(r, 5)
	fitted, err := m.Fit(t.Context(), train)
	must.Succeed(t, err)
	defer fitted.Close()
	rows := blanked(query.X, func(j int) bool { return j == 6 })
	donors := Auto.Donors(m.Bundle().Manifest, Lenders(train), 0, 1)
	var said [2][]amp.Prediction
	for i, d := range []*Donors{nil, donors} {
		said[i], err = d.Predictions(t.Context(), fitted, rows, true)
		must.Succeed(t, err)
	}
	for i, alone := range said[0] {
		with := said[1][i]
		if alone.PPD.Mean() != with.PPD.Mean() {
			t.Errorf("row %d: the prediction is %v, want %v", i, with.PPD.Mean(), alone.PPD.Mean())
		}
		if alone.Own.Of(amp.Mean{}).Quantile(0.9) == with.Own.Of(amp.Mean{}).Quantile(0.9) {
			t.Errorf("row %d: the companion does not average", i)
		}
	}
}
