package tabicl

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/models"
)

// fitted is a transformer of a table with every kind of column, and rows to transform.
func fitted(t *testing.T) (*Transformer, matrix.Matrix) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 1))
	x := matrix.New(40, 6)
	for i := range x.Rows {
		row := x.Data[i*6 : (i+1)*6]
		row[0], row[1], row[2] = r.NormFloat64(), r.ExpFloat64()*1e250, 7
		row[3], row[4], row[5] = float64(r.IntN(4)-1), r.NormFloat64()*1e-290, nan
		if i%5 == 0 {
			row[0] = nan
		}
	}
	transformer, _ := Fit(x, []bool{false, false, false, true, false, false}, nil,
		Preset{Ensemble: models.Ensemble{Members: 5,
			Norms: []string{None, Power}, Seed: 3, OutlierThreshold: 4}})
	if transformer == nil {
		t.Fatal("no column varies")
	}
	return transformer, x
}

// reread is a transformer after a state.
func reread(t *testing.T, transformer *Transformer) *Transformer {
	t.Helper()
	data, err := json.Marshal(transformer.State())
	must.Succeed(t, err)
	var s State
	must.Succeed(t, json.Unmarshal(data, &s))
	return Restore(s)
}

// A transformer survives a state to the last bit, with orders of classes, trends, shares or bends.
func TestStateRoundTrip(t *testing.T) {
	plain, x := fitted(t)
	z, target := linearTable(100, 3, 0.1)
	y := make([]float64, 100)
	for i := range y {
		y[i] = math.Cos(z.Row(i)[0] + z.Row(i)[1] + z.Row(i)[2])
	}
	ofClasses, _ := Fit(z, make([]bool, 3), nil, classPreset(5, 3, 3))
	trends, _ := Fit(z, make([]bool, 3), FitTarget(y).Scores(y), allTrends)
	shares := classPreset(3, 1, 3)
	shares.Shuffle, shares.Trends = models.ShuffleDiagonal, shareTrends
	ofShares, _ := Fit(z, make([]bool, 3), classesOf(target, 3), shares)
	bent := allTrends
	bent.Own = true
	far := matrix.Matrix{Rows: 100, Cols: 3, Data: slices.Clone(z.Data)}
	far.Row(5)[0] = -999999
	bends, _ := Fit(far, make([]bool, 3), FitTarget(y).Scores(y), bent)
	for name, transformer := range map[string]*Transformer{"plain": plain, "classes": ofClasses,
		"trends": trends, "shares": ofShares, "bends": bends} {
		rows := z
		if name == "plain" {
			rows = x
		}
		again := reread(t, transformer)
		if !reflect.DeepEqual(again.Queries(rows), transformer.Queries(rows)) ||
			!reflect.DeepEqual(again.Members, transformer.Members) ||
			again.HasTrends() != transformer.HasTrends() {
			t.Errorf("%s: the restored transformer differs", name)
		}
		if again.HasTrends() && !reflect.DeepEqual(again.Trends(rows), transformer.Trends(rows)) {
			t.Errorf("%s: the restored trends differ", name)
		}
	}
}
