package pfnamp

import (
	"fmt"
	"math"

	"github.com/pfnamp/pfnamp/pfn"
)

// OutsideRange tells that a column of query rows has values that the training table does not reach,
// where a network extrapolates.
type OutsideRange struct {
	Column      string
	Cells, Rows int    // outside, and of all
	Lo, Hi      string // range of the training table, as Column.Text writes it
	File        string // the training table
}

// String implements [Warning].
func (w OutsideRange) String() string {
	if w.Lo == w.Hi {
		return fmt.Sprintf("column %q: %d of %s (%.0f %%) have another value than the only one of %s, %s: "+
			"nothing is learned from such a column", w.Column, w.Cells, count(w.Rows, "row"),
			100*float64(w.Cells)/float64(w.Rows), w.File, w.Lo)
	}
	return fmt.Sprintf("column %q: %d of %s (%.0f %%) outside the range of %s, %s to %s: the network "+
		"extrapolates there", w.Column, w.Cells, count(w.Rows, "row"),
		100*float64(w.Cells)/float64(w.Rows), w.File, w.Lo, w.Hi)
}

// KnownRows tells that query rows are rows of the context, so that they are no test of a model.
type KnownRows struct {
	Known, Rows int
	File        string // the training table
}

// String implements [Warning].
func (w KnownRows) String() string {
	have := "have"
	if w.Known == 1 {
		have = "has"
	}
	return fmt.Sprintf("%d of %s %s the features of a row of %s: what is predicted there is no test of "+
		"how well new rows are predicted", w.Known, count(w.Rows, "row"), have, w.File)
}

// Odd tells what is odd about query rows of which so many cells are outside the range of the training
// table, by feature, and so many are known: sums of Answer.Outside and Answer.Known.
//
// Of n training rows and one more from the same distribution, the new one is the smallest or largest
// with probability at most 2/(n+1). An OutsideRange tells of more than twice as many rows, and more
// than a twentieth. KnownRows tells of at least half of the rows.
func (p *Predictor) Odd(outside map[string]int, known, rows int) []Warning {
	if rows == 0 {
		return nil
	}
	var warnings []Warning
	s := p.fitted.schema
	usual := max(0.05, 4/float64(s.Rows+1))
	for i := range s.Columns {
		c := &s.Columns[i]
		if n := outside[c.Name]; float64(n) > usual*float64(rows) {
			warnings = append(warnings, OutsideRange{Column: c.Name, Cells: n, Rows: rows,
				Lo: c.Text(c.Lo), Hi: c.Text(c.Hi), File: s.File})
		}
	}
	if known > 0 && 2*known >= rows {
		warnings = append(warnings, KnownRows{Known: known, Rows: rows, File: s.File})
	}
	return warnings
}

// TellsRows reports whether rows of the context can be told from others by their features: not if one
// row in ten of the context or more is like another one, and not by a restored state.
func (f *Fitted) TellsRows() bool {
	f.rowsOnce.Do(func() {
		rows := make(map[uint64]bool, f.table.X.Rows)
		labelled := make(map[uint64]bool, f.table.X.Rows)
		for i := range f.table.X.Rows {
			hash := rowHash(f.table.X, i)
			rows[hash] = true
			labelled[mixed(hash, f.table.Y[i])] = true
		}
		if 10*len(rows) > 9*f.table.X.Rows {
			f.rows, f.labelled = rows, labelled
		}
	})
	return f.rows != nil
}

// known counts the rows that have the features of a row of the context; 0 where that cannot be told.
func (f *Fitted) known(x pfn.Matrix) int {
	n := 0
	for i := 0; i < x.Rows && f.TellsRows(); i++ {
		if f.rows[rowHash(x, i)] {
			n++
		}
	}
	return n
}

// Read reports whether a row of the context has the features of a row of an answer and the label y, a
// number or a class: whether the model has read that label. It is false where that cannot be told, see
// [Fitted.TellsRows].
func (p *Predictor) Read(a *Answer, row int, y float64) bool {
	f := p.fitted
	return f.TellsRows() && f.labelled[mixed(rowHash(a.x, row), y)]
}

// rowHash is a hash of the bits of a row, by FNV-1a over 8 bytes at a time with a final mix.
func rowHash(x pfn.Matrix, row int) uint64 {
	h := uint64(0xcbf29ce484222325)
	for _, v := range x.Data[row*x.Cols : (row+1)*x.Cols] {
		h = mixed(h, v)
	}
	return h
}

// mixed is a hash with another number in it.
func mixed(h uint64, v float64) uint64 {
	if math.IsNaN(v) {
		v = math.NaN()
	}
	h = (h ^ math.Float64bits(v+0)) * 0x100000001b3
	return h ^ h>>32
}
