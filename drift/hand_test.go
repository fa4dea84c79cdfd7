package drift

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The p-value of a column is twice the smaller of its two tests, times the columns; that of a
// comparison twice the smaller of classifier and columns. Numbers 0..29 lie beside 10..39 in one of
// two columns, so that the empirical distributions are at most 1/3 apart: scipy.stats.kstwobign.sf
// gives 0.0549930222 of ((√15 + 0.12 + 0.11/√15)/3). The other column lacks 9 of 30 cells on one
// side and none on the other: scipy.stats.fisher_exact gives 0.0019356033.
func TestEveryTestIsCounted(t *testing.T) {
	context, batch := make2(0), make2(10)
	for i := range 9 {
		batch.Row(3 * i)[1] = math.NaN()
	}
	columns := compareColumns(context, batch, nil)
	for j, want := range []float64{2 * 2 * 0.0549930222, 2 * 2 * 0.0019356033} {
		if got := columns[j].P; math.Abs(got-want) > 1e-8 {
			t.Errorf("column %d: p is %.10f, want %.10f", j, got, want)
		}
	}
	const seed = 4
	r := compare(t, context, batch, nil, seed)
	_, halves := crossFitted(rand.New(rand.NewPCG(seed, stream)), context, batch, nil)
	want := 2 * min(halves[0].P+halves[1].P, columns[0].P, columns[1].P)
	if math.Abs(r.P-want) > 1e-12 || want > 0.9 {
		t.Errorf("p is %v, of the halves %v and %v, of the columns %v and %v", r.P, halves[0].P,
			halves[1].P, columns[0].P, columns[1].P)
	}
}

// make2 is 30 rows of a number that starts at first and of one that is the same everywhere.
func make2(first float64) Matrix {
	x := Matrix{Rows: 30, Cols: 2, Data: make([]float64, 60)}
	for i := range x.Rows {
		x.Row(i)[0], x.Row(i)[1] = first+float64(i), 7
	}
	return x
}
