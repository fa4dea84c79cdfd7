package trend

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// penalties are the numbers of penalties that are tried.
var penalties = map[string]int{Linear: 33, Kernel: 9}

const (
	minResidual = 1e-6 // standard deviations of the target
	lawLeaves   = 0.01 // so little, at most, is left where the target is a linear function by a law
)

// learner learns trends of one kind from a context.
type learner struct {
	*ridge
	trend *Trend
	root  *mat.TriDense // of a kernel: its features are root^-1 times its values
}

// newLearner prepares features z [N, H] for linear trends or, with columns, those of a kernel.
func newLearner(z matrix.Matrix, suited *columns) learner {
	l, kind := learner{trend: &Trend{}}, Linear
	if suited != nil {
		kind = Kernel
		turned := suited.turn(z)
		features, centres, root, ok := kernelFeatures(suited.kernel, turned, maxCentres)
		if !ok {
			features, root = matrix.New(z.Rows, centres.Rows), mat.NewTriDense(centres.Rows, mat.Lower, nil)
			for k := range centres.Rows {
				root.SetTri(k, k, 1)
			}
		}
		l.trend.setColumns(*suited)
		for k := range centres.Rows {
			l.trend.Centres = append(l.trend.Centres, centres.Row(k))
		}
		z, l.root = features, root
	}
	l.ridge = newRidge(z, penalties[kind])
	return l
}

// add learns a target, which is the given mean and centred values.
func (l learner) add(mean float64, centred []float64, leverage float64) regression {
	fit := l.fit(centred, leverage)
	slope, offset := fit.slope, mean-floats.Dot(fit.slope, l.centre)
	if l.root != nil {
		slope = unprojected(l.root, slope)
	}
	l.trend.Weights = append(l.trend.Weights, slope)
	l.trend.Offsets = append(l.trend.Offsets, offset)
	return fit
}

// doubt keeps what the doubt about a kernel's regression on n rows takes.
func (t *Trend) doubt(fit regression, n int) {
	if math.IsInf(fit.penalty, 1) {
		return
	}
	t.Doubt, t.Shared = fit.noise/fit.penalty, fit.penalty*float64(len(t.Centres))/float64(n)
	if !t.factorize() {
		t.Doubt, t.Shared = 0, 0
	}
}

// Law reports whether a line on the features leaves nearly nothing of a standardised target.
func Law(z matrix.Matrix, y []float64) bool {
	line, _ := fitTrend(z, y, nil, nil)
	return line.law()
}

// law reports whether the target is a linear function by a law.
func (t *Trend) law() bool { return t.Scale < lawLeaves }

// A kernel's trend must leave less than kernelGain of what a linear one leaves: above it the
// network is better at the rest itself. Its fit is not worth its time where a first one leaves
// noHope of it.
const (
	kernelGain = 0.8
	noHope     = 0.95
)

// suited are the columns of a kernel, and what a first fit with them leaves of the target.
type suited struct {
	columns
	left float64
}

// suit finds the columns for a standardised target.
func suit(z matrix.Matrix, y []float64) *suited {
	c, left := suitedColumns(z, [][]float64{y})
	return &suited{c, left}
}

// fitTrend learns a trend from features z [N, H] and a standardised target, that of a kernel with
// the columns that suit it, and returns with it what a member reads of the target; nil of a kernel
// that leaves nearly as much as the line, if there is one.
func fitTrend(
	z matrix.Matrix, y []float64, s *suited, line *Trend,
) (*Trend, []float32) {
	var c *columns
	if s != nil {
		if line != nil && s.left >= noHope*line.Scale {
			return nil, nil
		}
		c = &s.columns
	}
	l, n := newLearner(z, c), float64(len(y))
	fit, shift, variance := l.add(0, y, 1/n), 0.0, 0.0
	left := fit.left
	for _, e := range left {
		shift += e / n
	}
	for _, e := range left {
		variance += (e - shift) * (e - shift) / n
	}
	l.trend.Offsets[0] += shift
	l.trend.Scale = max(math.Sqrt(variance), minResidual)
	if s != nil && line != nil && l.trend.Scale >= kernelGain*line.Scale {
		return nil, nil
	}
	if s != nil {
		l.trend.doubt(fit, len(y))
	}
	target := make([]float32, len(left))
	for i, e := range left {
		target[i] = float32((e - shift) / l.trend.Scale)
	}
	return l.trend, target
}
