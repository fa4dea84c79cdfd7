package tabicl

import (
	"math"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// Trend is a linear function of the features, and the scale of what it leaves of the target. A
// member with a trend reads
//
//	r_i = (y_i - f_{-i}(x_i) - Shift) / Scale
//
// where f_{-i} is the trend learned without row i, and what the network says of r at a row x is
// Scale r + Shift + f(x). Targets and f are in standardised units. f is a ridge regression on the
// features of the norm None. The residuals of leaving one row out are as large as the errors at new
// rows, which those of the fit are not.
type Trend struct {
	Centre []float64 // of every feature
	Slope  []float64 // of every feature
	Shift  float64   // mean of the residuals
	Scale  float64   // their standard deviation, at least minResidual
}

const minResidual = 1e-6 // standard deviations of the target

// fitTrend learns a trend from features z [N, H] and a standardised target, and returns with it what
// a member reads of the target.
func fitTrend(z matrix.Matrix, y []float64) (*Trend, []float32) {
	n, r := float64(len(y)), newRidge(z)
	t := &Trend{Centre: r.centre}
	var left []float64
	t.Slope, left = r.fit(y, 1/n)
	for _, e := range left {
		t.Shift += e / n
	}
	variance := 0.0
	for _, e := range left {
		variance += (e - t.Shift) * (e - t.Shift) / n
	}
	t.Scale = max(math.Sqrt(variance), minResidual)
	target := make([]float32, len(left))
	for i, e := range left {
		target[i] = float32((e - t.Shift) / t.Scale)
	}
	return t, target
}

// at returns f + Shift of every row of features [rows, H].
func (t *Trend) at(z matrix.Matrix) []float64 { return linear(z, t.Centre, t.Slope, t.Shift) }
