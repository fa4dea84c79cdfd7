package pfn

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pfnamp/pfnamp/distr"
)

// TestLinearLogOdds compares probabilities with the truth, whose log odds are linear. Without a
// line, the network is wrong by .068. Other numbers of the classes give the same bits.
func TestLinearLogOdds(t *testing.T) {
	const rows, asked = 300, 200
	r := rand.New(rand.NewPCG(3, 4))
	table := Training{X: Matrix{Rows: rows, Cols: 4, Data: make([]float64, 4*rows)}}
	truth := func(row []float64) float64 { return distr.Logistic(1.5*row[0] - row[1] + 0.5*row[2]) }
	var other []float64
	for i := range rows {
		row := table.X.Row(i)
		for j := range row {
			row[j] = r.NormFloat64()
		}
		y := 0.0
		if r.Float64() < truth(row) {
			y = 1
		}
		table.Y, other = append(table.Y, y), append(other, 1-y)
	}
	m := embedded(t, "classifier")
	query := Matrix{Rows: asked, Cols: 4, Data: make([]float64, 4*asked)}
	for i := range query.Data {
		query.Data[i] = r.NormFloat64()
	}
	got := predictClasses(t, fit(t, m, table), query)
	table.Y = other
	turned := predictClasses(t, fit(t, m, table), query)
	wrong := 0.0
	for i, p := range got {
		d := p[1] - truth(query.Row(i))
		wrong += d * d / asked
		if turned[i][0] != p[1] {
			t.Fatalf("row %d: %g, and with the classes exchanged %g", i, p[1], turned[i][0])
		}
	}
	if wrong = math.Sqrt(wrong); wrong > 0.058 {
		t.Errorf("probabilities are wrong by %.3f", wrong)
	}
}
