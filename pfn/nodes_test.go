package pfn

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/internal/must"
)

// TestNodes compares probabilities of 24 classes, parts of a noisy line, with the truth. A network
// that reads digits of classes, as it has not learned to, is wrong by .052 instead of .041. Saved
// contexts give the same bits, and so do other numbers of the classes; posteriors hold the truth.
func TestNodes(t *testing.T) {
	const classes, rows, asked, noise = 24, 480, 200, 0.05
	r := rand.New(rand.NewPCG(5, 6))
	x := Matrix{Rows: rows + asked, Cols: 3, Data: make([]float64, 3*(rows+asked))}
	for i := range x.Data {
		x.Data[i] = r.Float64()
	}
	place := func(row []float64) float64 { return (row[0] + row[1]) / 2 }
	at := func(y float64) int { return min(classes-1, max(0, int(y*classes))) }
	table := Training{X: x.Span(0, rows)}
	for i := range rows {
		y := float64(i % classes) // every class has a row
		if i >= classes {
			y = float64(at(place(x.Row(i)) + noise*r.NormFloat64()))
		}
		table.Y = append(table.Y, y)
	}
	m := openLoaded(t, embedded(t, "classifier").bundle, Options{Refit: true}) // which it limits
	c := fit(t, m, table)
	query := x.Span(rows, rows+asked)
	got := results(t, c, query)
	wrong, held, counted := 0.0, 0.0, 0.0
	for i, row := range got {
		normal := distuv.Normal{Mu: place(query.Row(i)), Sigma: noise}
		own := row.Own.(*distr.ClassPosterior)
		for k, p := range row.Classes {
			low, high := math.Inf(-1), math.Inf(1)
			if k > 0 {
				low = float64(k) / classes
			}
			if k < classes-1 {
				high = float64(k+1) / classes
			}
			truth := normal.CDF(high) - normal.CDF(low)
			wrong += (p - truth) * (p - truth) / asked / classes
			if truth > 0.02 {
				counted++
				if own.Quantiles[k][5] <= truth && truth <= own.Quantiles[k][27] {
					held++
				}
			}
		}
	}
	if wrong = math.Sqrt(wrong); wrong > 0.046 || held < 0.85*counted {
		t.Errorf("wrong by %.4f, %.2f of probabilities in 90 %% intervals", wrong, held/counted)
	}
	turned := Training{X: table.X, Y: make([]float64, rows)}
	for i, y := range table.Y {
		turned.Y[i] = float64((5*int(y) + 7) % classes)
	}
	same := predictClasses(t, fit(t, m, turned), query)
	for i, row := range got {
		for k, p := range row.Classes {
			if same[i][(5*k+7)%classes] != p {
				t.Fatalf("row %d: class %d has %g, with another number %g", i, k, p, same[i][(5*k+7)%classes])
			}
		}
	}
	file := saved(t, c, "")
	if other := results(t, restored(t, m, file), query); !reflect.DeepEqual(other, got) {
		t.Error("the restored context differs")
	}
	for _, change := range [][]string{
		{`"nodes":[`, `"nodes":[1,`, "nodes, which its classes do not"},
		{`"classes":3}`, `"classes":4}`, "node 0 has other classes"},
	} {
		bad := bytes.Replace(file, []byte(change[0]), []byte(change[1]), 1)
		header := binary.LittleEndian.Uint32(bad[12:]) + uint32(len(bad)-len(file))
		binary.LittleEndian.PutUint32(bad[12:], header)
		_, err := restore(m, reseal(bad))
		must.Fail(t, change[1], err, change[2])
	}
	// Memory for the root alone does not suffice for all nodes.
	m.options.Memory = 1 + m.footprint(demand{rows: rows, widths: []int{3, 3, 3}, encoded: true,
		threads: m.workers})
	var large *MemoryError
	if _, err := restore(m, file); !errors.As(err, &large) {
		t.Errorf("too little memory: %v", err)
	}
}
