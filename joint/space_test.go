package joint

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// Two independent training rows correlate about exp(-1/length²) whatever the number and the units
// of the features; equal rows wholly, and a row with a missing cell lies between.
func TestSpaceScalesDistances(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const rows, numbers = 400, 6
	columns := make([]tabular.Encoded, numbers+2)
	for i := range columns {
		columns[i].Column = new(tabular.Column)
	}
	columns[numbers].Categories = []string{"a", "b", "c", "d", "e"}
	x := pfn.Matrix{Rows: rows, Cols: len(columns)}
	for range rows {
		for j := range numbers {
			x.Data = append(x.Data, 1e6+math.Pow(10, float64(j))*random.NormFloat64())
		}
		x.Data = append(x.Data, float64(random.IntN(5)), 7)
	}
	scales := make([]pfnamp.Scale, len(columns)) // of the category and of the constant none
	for j := range numbers {
		scales[j].Center, scales[j].Spread = stat.PopMeanStdDev(x.Column(nil, j), nil)
	}
	e := newSpace(columns, scales)
	lengths := e.lengths(2)
	if len(lengths) != numbers+5 || e.varying != numbers+1 {
		t.Fatalf("%d coordinates of %d features", len(lengths), e.varying)
	}
	exponent := func(a, b []float64) float64 {
		sum := 0.0
		for i := range a {
			sum += (a[i] - b[i]) * (a[i] - b[i]) / (lengths[i] * lengths[i])
		}
		return sum / 2
	}
	row := func(i int) []float64 { return x.Data[i*x.Cols : (i+1)*x.Cols] }
	mean := 0.0
	for i := range rows / 2 {
		mean += exponent(e.place(row(2*i)), e.place(row(2*i+1))) / (rows / 2)
	}
	if math.Abs(mean-0.25) > 0.03 {
		t.Errorf("mean exponent %.3f of two rows, want 1/4", mean)
	}
	gone := slices.Clone(row(0))
	gone[2], gone[numbers] = math.NaN(), -1
	at := e.place(gone)
	if at[2] != 0 || slices.Max(at[numbers:]) != 0 || exponent(e.place(row(0)), e.place(row(0))) != 0 {
		t.Errorf("missing cells lie at %v", at)
	}
	far := slices.Clone(row(0))
	far[0] = math.Inf(1)
	if got := e.place(far)[0]; got != farthest {
		t.Errorf("infinity lies at %v", got)
	}
}
