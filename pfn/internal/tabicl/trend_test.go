package tabicl

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/trend"
)

// linearTable is z [n, h] and y = a linear function of it with noise, standardised by hand.
func linearTable(n, h int, noise float64) (matrix.Matrix, []float64) {
	r := rand.New(rand.NewPCG(3, uint64(n*h)))
	z, y := matrix.New(n, h), make([]float64, n)
	for i := range y {
		for j := range h {
			v := r.NormFloat64()
			z.Data[i*h+j] = v
			y[i] += float64(j+1) * v / float64(h)
		}
		y[i] += noise * r.NormFloat64()
	}
	return z, FitTarget(y).Scores(y)
}

// A line that leaves nothing is followed as far as it goes, also after a state; one of a noisy
// target is not followed beyond what was seen.
func TestLawBeyondOutliers(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	x := matrix.New(60, 2)
	for i := range x.Data {
		x.Data[i] = math.Exp(r.NormFloat64())
	}
	far := matrix.Matrix{Rows: 1, Cols: 2, Data: []float64{60, 3}}
	preset := Preset{Ensemble: models.Ensemble{Members: 2, Norms: []string{None},
		OutlierThreshold: 4, Trends: []string{trend.None, trend.Linear}}}
	for _, noise := range []float64{0, 0.5} {
		y := make([]float64, x.Rows)
		for i := range y {
			y[i] = x.Row(i)[0] - 2*x.Row(i)[1] + noise*r.NormFloat64()
		}
		target := FitTarget(y)
		fitted, _ := Fit(x, []bool{false, false}, target.Scores(y), preset)
		for _, transformer := range []*Transformer{fitted, reread(t, fitted)} {
			at := transformer.Trends(far).At
			got := target.Mean + target.SD*at[trend.Linear][0]
			if law := math.Abs(got-54) < 0.01; law != (noise == 0) {
				t.Errorf("noise %g: the trend is %g, the line 54", noise, got)
			}
		}
	}
}

var allTrends = Preset{Ensemble: models.Ensemble{Members: 3, Norms: bothNorms, Seed: 1,
	OutlierThreshold: 4, Shuffle: models.ShuffleDiagonal,
	Trends: []string{trend.None, trend.Linear, trend.Kernel}}}
