package drift

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"
)

var simulations = flag.Int("batches", 100, "simulated batches of a test of false alarms and power")

// draw is a sample of ten columns of different distributions. The first one is shifted by so many
// standard deviations.
func draw(random *rand.Rand, rows int, shift float64) (Matrix, []bool) {
	const columns = 10
	x := Matrix{Rows: rows, Cols: columns, Data: make([]float64, rows*columns)}
	categorical := make([]bool, columns)
	categorical[8], categorical[9] = true, true
	for i := range rows {
		row := x.Row(i)
		common := random.NormFloat64()
		for j := range row {
			row[j] = 0.6*common + 0.8*random.NormFloat64()
		}
		row[0] += shift
		row[4] = math.Exp(row[4])
		row[5] = math.Round(row[5])
		row[6] = math.Tan(math.Pi * (random.Float64() - 0.5))
		if random.Float64() < 0.1 {
			row[7] = math.NaN()
		}
		row[8] = float64(random.IntN(3))
		row[9] = math.Floor(8*random.Float64()*random.Float64()) - 1
	}
	return x, categorical
}

// compare is Compare of tables that are large enough.
func compare(t *testing.T, context, batch Matrix, categorical []bool, seed uint64) Result {
	t.Helper()
	r, err := Compare(context, batch, categorical, seed)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// alarms is the share of simulated batches for which a test speaks at the level 0.01 and at 0.05.
func alarms(t *testing.T, context, batch int, shift float64) (at01, at05, drift, column float64) {
	random := rand.New(rand.NewPCG(7, uint64(context*1000+batch)))
	each := 1 / float64(*simulations)
	for s := range *simulations {
		a, categorical := draw(random, context, 0)
		b, _ := draw(random, batch, shift)
		r := compare(t, a, b, categorical, uint64(s))
		if r.P < 0.01 {
			at01 += each
		}
		if r.P < 0.05 {
			at05 += each
		}
		if r.Drift > 0.01 {
			drift += each
		}
		least := 1.0
		for _, c := range r.Columns {
			least = min(least, c.P)
		}
		if least < 0.01 {
			column += each
		}
	}
	return at01, at05, drift, column
}

// atMost is the number of alarms that a test of a level gives with probability 0.999 at most.
func atMost(level float64) float64 {
	n := float64(*simulations)
	return level + 3.1*math.Sqrt(level*(1-level)/n) + 1/n
}

// False alarms are at most as frequent as the level says. More batches: -batches 1000.
func TestFalseAlarms(t *testing.T) {
	for _, size := range [][2]int{{500, 500}, {1000, 100}, {100, 40}} {
		at01, at05, drift, column := alarms(t, size[0], size[1], 0)
		t.Logf("%d rows of context, %d of the batch: p < 0.01 in %.3f of the batches, p < 0.05 in %.3f, "+
			"drift > 0.01 in %.3f; a column below 0.01 in %.3f", size[0], size[1], at01, at05, drift, column)
		if at01 > atMost(0.01) || at05 > atMost(0.05) || drift > atMost(0.01) || column > atMost(0.01) {
			t.Error("more false alarms than promised")
		}
	}
}

// A shift of half a standard deviation in one column of ten is found in nine of ten batches of 500
// rows.
func TestPower(t *testing.T) {
	for _, c := range []struct {
		rows        int
		shift, want float64
	}{{500, 0.5, 0.9}, {500, 0.25, 0.2}, {100, 0.5, 0.1}} {
		at01, at05, drift, column := alarms(t, c.rows, c.rows, c.shift)
		t.Logf("%d rows, shift %v: p < 0.01 in %.3f of the batches, p < 0.05 in %.3f, drift > 0.01 in "+
			"%.3f; a column below 0.01 in %.3f", c.rows, c.shift, at01, at05, drift, column)
		if drift < c.want {
			t.Errorf("found in %.3f of the batches, want %v", drift, c.want)
		}
	}
}
