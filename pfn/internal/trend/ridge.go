package trend

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/internal/panics"
)

// ridge is a table of features, prepared for ridge regressions of several targets. The penalty has
// the smallest generalised cross-validation score (Golub, Heath & Wahba 1979) on a grid.
type ridge struct {
	centre  []float64  // of every feature
	x       *mat.Dense // centred features [N, M]
	systems []system   // one per penalty
}

// system is x'x + penalty, factorised.
type system struct {
	penalty float64
	factor  mat.Cholesky
	freedom float64 // degrees of freedom of the regression, with its mean
	usable  bool
}

const (
	leastPenalty   = 1e-6 // times the number of rows
	largestPenalty = 1e2  // times the number of rows
	mostFreedom    = 0.9  // largest degrees of freedom, times the number of rows
	tie            = 1e-9 // relative difference of equal scores
	leastLeft      = 0.01 // least value of 1 - leverage
)

// newRidge prepares features z [N, M] for this many penalties, evenly spaced in their logarithms.
func newRidge(z matrix.Matrix, penalties int) *ridge {
	r := &ridge{centre: make([]float64, z.Cols), systems: make([]system, penalties)}
	r.x = mat.NewDense(z.Rows, z.Cols, nil)
	for j := range z.Cols {
		for i := range z.Rows {
			r.centre[j] += z.Data[i*z.Cols+j] / float64(z.Rows)
		}
		for i := range z.Rows {
			r.x.Set(i, j, z.Data[i*z.Cols+j]-r.centre[j])
		}
	}
	var squares mat.SymDense
	squares.SymOuterK(1, r.x.T())
	panics.All(penalties, func(g int) {
		at := float64(g) / float64(penalties-1)
		penalty := float64(z.Rows) * leastPenalty * math.Pow(largestPenalty/leastPenalty, at)
		r.systems[g] = newSystem(&squares, penalty, float64(z.Rows))
	})
	return r
}

func newSystem(squares *mat.SymDense, penalty, n float64) system {
	s := system{penalty: penalty}
	m := squares.SymmetricDim()
	a := mat.NewSymDense(m, nil)
	a.CopySym(squares)
	for j := range m {
		a.SetSym(j, j, a.At(j, j)+penalty)
	}
	if !s.factor.Factorize(a) {
		return s
	}
	// a = U'U, so that the trace of its inverse is the sum of the squares of U^-1
	var root mat.TriDense
	s.factor.UTo(&root)
	if root.InverseTri(&root) != nil {
		return s
	}
	norm := mat.Norm(&root, 2)
	s.freedom = 1 + float64(m) - penalty*norm*norm
	s.usable = s.freedom < mostFreedom*n
	return s
}

// regression is the regression of a target of mean zero on a ridge's features.
type regression struct {
	slope []float64
	left  []float64 // leave-one-out residuals e
	// penalty is infinite if all slopes are zero; noise is the variance of the target about the
	// regression, the mean of e_i^2 (1 - h_i) with the leverages h.
	penalty, noise float64
}

// fit finds the slopes for a target of mean zero, and the residuals of leaving one row out,
// (y_i - f(x_i)) / (1 - h_i). The leverage h_i of a row begins at the given number: 1/N if its mean
// is left out as well. Among equally good penalties fit takes the largest; for two rows all are
// equally good. If no penalty leaves enough degrees of freedom, all slopes are zero.
func (r *ridge) fit(y []float64, leverage float64) regression {
	n, least := float64(len(y)), math.Inf(1)
	slope, left := make([]float64, len(r.centre)), slices.Clone(y)
	found := regression{slope: slope, left: left, penalty: math.Inf(1)}
	target := mat.NewVecDense(len(y), slices.Clone(y))
	var along, w, rest mat.VecDense
	along.MulVec(r.x.T(), target)
	var best *system
	for g := range r.systems {
		s := &r.systems[len(r.systems)-1-g]
		if !s.usable || s.factor.SolveVecTo(&w, &along) != nil {
			continue
		}
		rest.MulVec(r.x, &w)
		rest.SubVec(target, &rest)
		score := n * mat.Dot(&rest, &rest) / ((n - s.freedom) * (n - s.freedom))
		if score < (1-tie)*least {
			least, best = score, s
			copy(slope, w.RawVector().Data)
			copy(left, rest.RawVector().Data)
		}
	}
	if best == nil {
		return found
	}
	var root mat.TriDense
	var scaled mat.Dense // the squares of a column sum to the leverage of a row
	best.factor.LTo(&root)
	if scaled.Solve(&root, r.x.T()) != nil {
		return found
	}
	found.penalty = best.penalty
	for i := range left {
		h := leverage
		for k := range slope {
			h += scaled.At(k, i) * scaled.At(k, i)
		}
		rest := max(1-h, leastLeft)
		left[i] /= rest
		found.noise += left[i] * left[i] * rest / n
	}
	return found
}

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

// doubtLevels adds what doubts needs about the regression of a line with levels, so many times.
// Given n context rows of its level, the variance of an effect is noise/(n + penalty). Without rows
// it is the mean square of the other effects of its column.
func (l learner) doubtLevels(fit regression, times float64) {
	levels := l.trend.Levels
	if levels == nil || math.IsInf(fit.penalty, 1) {
		return
	}
	last := len(levels.Columns)
	first := len(fit.slope) - last
	if levels.Doubts == nil {
		levels.Doubts = make([]float64, 2*last)
	}
	for k, column := range levels.Columns {
		from, _ := slices.BinarySearch(levels.Columns, column)
		to, _ := slices.BinarySearch(levels.Columns, column+1)
		n, effect := l.centre[first+k]*float64(l.rows), fit.slope[first+k]
		doubt := times * fit.noise / (n + fit.penalty)
		levels.Doubts[k] += doubt
		levels.Doubts[last+from] += (times*effect*effect + doubt) / float64(to-from)
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
	fit, target := l.learn(y)
	l.doubtLevels(fit, 1)
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
