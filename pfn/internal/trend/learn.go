package trend

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// penalties are the numbers of penalties to try; levelPenalties is the number for lines with
// levels.
var penalties = map[string]int{Linear: 33, Kernel: 9}

const levelPenalties = 17

const (
	minResidual = 1e-6 // standard deviations of the target
	lawLeaves   = 0.01 // largest relative residual of a target that is linear by a law
)

// learner fits trends of one kind to a context.
type learner struct {
	*ridge
	rows  int
	trend *Trend
	root  *mat.TriDense // for a kernel, whose features are root^-1 times its values
}

// newLearner prepares features z [N, H] for linear trends or, with suited columns, for kernel
// trends.
func newLearner(z matrix.Matrix, levels *Levels, suited *columns) learner {
	l, kind := learner{rows: z.Rows, trend: &Trend{Levels: levels}}, Linear
	z = levels.of(z)
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
	tried := penalties[kind]
	if kind == Linear && levels != nil {
		tried = levelPenalties
	}
	l.ridge = newRidge(z, tried)
	return l
}

// add fits a target, given as its mean and centred values.
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

// doubt stores what doubts needs about a kernel's regression on n rows.
func (t *Trend) doubt(fit regression, n int) {
	if math.IsInf(fit.penalty, 1) {
		return
	}
	t.Doubt, t.Shared = fit.noise/fit.penalty, fit.penalty*float64(len(t.Centres))/float64(n)
	if !t.factorize() {
		t.Doubt, t.Shared = 0, 0
	}
}

// Law reports whether a line on the features leaves hardly any residual of a standardised target.
func Law(z matrix.Matrix, y []float64) bool { return Left(z, y) < lawLeaves }

// Left returns the deviation of the leave-one-out residuals of a line on the features.
func Left(z matrix.Matrix, y []float64) float64 {
	line, _ := fitLine(z, nil, y)
	return line.Scale
}

// law reports whether the target is linear by a law.
func (t *Trend) law() bool { return t.Scale < lawLeaves }

// The residual of a kernel trend must be below kernelGain times that of a linear one; otherwise the
// network is better at the rest itself. If a first fit's residual is above noHope times that, the
// kernel is not fitted.
const (
	kernelGain = 0.8
	noHope     = 0.95
)

// fitLine fits a linear trend to features z [N, H] and a standardised target. It also returns the
// target that a member reads.
func fitLine(z matrix.Matrix, levels *Levels, y []float64) (*Trend, []float32) {
	l := newLearner(z, levels, nil)
	_, target := l.learn(y)
	return l.trend, target
}

// fitKernel fits a kernel trend with the suited columns, like fitLine. It returns nil if its
// residual is nearly that of the line, if there is one.
func fitKernel(z matrix.Matrix, y []float64, s *suited, line *Trend) (*Trend, []float32) {
	if line != nil && s.left >= noHope*line.Scale {
		return nil, nil
	}
	l := newLearner(z, s.levels, &s.columns)
	fit, target := l.learn(y)
	if line != nil && l.trend.Scale >= kernelGain*line.Scale {
		return nil, nil
	}
	l.trend.doubt(fit, len(y))
	return l.trend, target
}

// learn adds a standardised target and measures its residuals, which a member reads.
func (l learner) learn(y []float64) (regression, []float32) {
	n := float64(len(y))
	fit, shift, variance := l.add(0, y, 1/n), 0.0, 0.0
	for _, e := range fit.left {
		shift += e / n
	}
	for _, e := range fit.left {
		variance += (e - shift) * (e - shift) / n
	}
	l.trend.Offsets[0] += shift
	l.trend.Scale = max(math.Sqrt(variance), minResidual)
	target := make([]float32, len(fit.left))
	for i, e := range fit.left {
		target[i] = float32((e - shift) / l.trend.Scale)
	}
	return fit, target
}
