package reading

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/pfn"
)

// On a table with a linear law the mean over what is missing is nearly that of an oracle, where the
// network alone is off by the whole effect.
func TestMeanOverMissingCells(t *testing.T) {
	m := open(t, "default", 1)
	r := rand.New(rand.NewPCG(5, 5))
	w := newWorld(r, 1, 0, false)
	train := w.table(r, 150)
	fitted, err := m.Fit(t.Context(), train)
	if err != nil {
		t.Fatal(err)
	}
	defer fitted.Close()
	query := newRows(w, r, 60)
	bias := func(d *Donors, lacks func(int) bool) (bias, held float64) {
		made, err := d.Predictions(t.Context(), fitted, blanked(query, lacks), true)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range made {
			bias += (p.PPD.Mean() - w.oracle(r, query.Row(i), lacks)) / float64(len(made))
			lo, hi := amp.PredictiveInterval(p.PPD, 0.9)
			if label := w.label(r, query.Row(i)); lo <= label && label <= hi {
				held += 1 / float64(len(made))
			}
		}
		return bias, held
	}
	for _, blank := range blanks[1:] {
		off, held := bias(NewDonors(train, 0, 1), blank.lacks)
		before, _ := bias(nil, blank.lacks)
		if math.Abs(off) > 0.12 || held < 0.8 {
			t.Errorf("%s: bias %.2f, without donors %.2f; %.2f of the labels inside",
				blank.name, off, before, held)
		}
	}
	if off, _ := bias(nil, blanks[3].lacks); math.Abs(off) < 0.5 {
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
