package tabicl

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// Kinds of trends. All are ridge regressions on the features of the norm None.
const (
	NoTrend = "none"
	Linear  = "linear" // on the features themselves
	Kernel  = "kernel" // on features whose inner products are a kernel
)

// penalties are the numbers of penalties that are tried.
var penalties = map[string]int{Linear: 33, Kernel: 9}

// Trend is what a ridge regression predicts of a row with features z: of target k
//
//	f_k(z) = Offsets[k] + sum_m Weights[k][m] phi_m(z)
//
// where phi are the features or, with Centres, the kernel's values there. There is one target of a
// regression, and one for every class of a classifier, or that of the second class alone of two.
//
// A member with a trend of a regression reads
//
//	r_i = (y_i - f_{-i}(x_i) - shift) / Scale
//
// where f_{-i} is learned without row i and shift is the mean of what is left, and what the network
// says of r at a row x is Scale r + f(x): Offsets has the shift. Targets and f are in standardised
// units. The residuals of leaving one row out are as large as the errors at new rows, which those of
// the fit are not.
//
// One of a classifier reads f as columns after the features: predicted shares of the classes. A
// context row reads what is predicted of it with slopes learned without the row. The mean is that of
// all rows: one without the row would tell the row's class.
type Trend struct {
	Columns []float64   `json:"columns,omitempty"` // weights of the columns in the kernel; nil of a linear trend
	Length  float64     `json:"length,omitempty"`  // of the kernel's bends, in standard deviations; 0 of a linear trend
	Mixing  float64     `json:"mixing,omitempty"`  // the kernel's interaction; 0 of a linear trend
	Axes    [][]float64 `json:"axes,omitempty"`    // to which columns are turned before, one in every row; nil for none
	Centres [][]float64 `json:"centres,omitempty"` // turned; nil of a linear trend
	Weights [][]float64 `json:"weights"`           // of every target
	Offsets []float64   `json:"offsets"`           // of every target
	Scale   float64     `json:"scale,omitempty"`   // standard deviation of what is left, at least minResidual; 0 of classes
	// Doubt is the noise's variance over the penalty, and Shared the penalty over the rows of the
	// context that a centre stands for; 0 of classes, of a linear trend, and of a constant one.
	Doubt  float64 `json:"doubt,omitempty"`
	Shared float64 `json:"shared,omitempty"`

	root *mat.TriDense // Cholesky factor of the kernel of the centres + Shared; nil without Doubt
}

const (
	minResidual = 1e-6 // standard deviations of the target
	lawLeaves   = 0.01 // so little, at most, is left where the target is a linear function by a law
)

// maxShares is the most classes of whose shares there are trends.
const maxShares = 10

// shareColumns is the number of columns of so many classes.
func shareColumns(classes int) int {
	if classes == 2 {
		return 1
	}
	return classes
}

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

// setColumns keeps the columns of the kernel.
func (t *Trend) setColumns(c columns) {
	t.Columns, t.Length, t.Mixing = c.weights, c.length, c.interaction
	t.Axes = axisRows(c.axes)
}

// columns are those of the kernel.
func (t *Trend) columns() columns {
	return columns{kernel{t.Columns, shape{t.Length, t.Mixing}}, axesOf(t.Axes)}
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

// factorize makes the root of the kernel of the centres. It returns false if numbers are not finite.
func (t *Trend) factorize() bool {
	c, own := t.columns(), t.centres()
	t.root = choleskyRoot(c.values(own, own), t.Shared)
	return t.root != nil
}

// centres are the rows that show the kernel.
func (t *Trend) centres() matrix.Matrix {
	at := matrix.New(0, len(t.Columns))
	for _, row := range t.Centres {
		at.Data = append(at.Data, row...)
	}
	at.Rows = len(t.Centres)
	return at
}

// A kernel's trend must leave less than kernelGain of what a linear one leaves: above it the network is
// better at the rest itself. Its fit is not worth its time where a first one leaves noHope of it.
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

// fitTrend learns a trend from features z [N, H] and a standardised target, that of a kernel with the
// columns that suit it, and returns with it what a member reads of the target; nil of a kernel that
// leaves nearly as much as the line, if there is one.
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

// Of a classifier members read the kernel's shares instead of those of lines if it leaves less than
// shareGain of the squares that these leave of manyRows or more. With fewer rows what several kinds say is
// better together.
const (
	shareGain = 0.9
	manyRows  = 400
)

// fitShares learns a trend from features z [N, H] and classes 0..K-1, and returns with it the columns
// [N, K or 1] of the context rows, and the sum of the squares of what they leave.
func fitShares(
	kind string, z matrix.Matrix, y []float64, classes int,
) (trend *Trend, shares matrix.Matrix, left float64) {
	shares = matrix.New(z.Rows, shareColumns(classes))
	means, centred := make([]float64, shares.Cols), make([][]float64, shares.Cols)
	for k := range centred {
		centred[k] = make([]float64, len(y))
		for i, class := range y {
			if int(class) == k+classes-shares.Cols {
				centred[k][i] = 1
				means[k] += 1 / float64(len(y))
			}
		}
		floats.AddConst(-means[k], centred[k])
	}
	var suited *columns
	if kind == Kernel {
		found, _ := suitedColumns(z, centred)
		suited = &found
	}
	l := newLearner(z, suited)
	for k, mean := range means {
		for i, e := range l.add(mean, centred[k], 0).left {
			shares.Data[i*shares.Cols+k] = mean + centred[k][i] - e
			left += e * e
		}
	}
	return l.trend, shares, left
}

// at returns f of every row of features [rows, H], [rows, targets].
func (t *Trend) at(z matrix.Matrix) matrix.Matrix {
	if t.Centres != nil {
		_, z = t.shown(z)
	}
	return t.of(z)
}

// shown are features [rows, H] along the axes, and the kernel's values at the centres.
func (t *Trend) shown(z matrix.Matrix) (turned, values matrix.Matrix) {
	c := t.columns()
	turned = c.turn(z)
	return turned, c.values(turned, t.centres())
}

// of returns f of features or of the kernel's values at the centres, [rows, targets].
func (t *Trend) of(z matrix.Matrix) matrix.Matrix {
	out := matrix.New(z.Rows, len(t.Offsets))
	for i := range z.Rows {
		for k, offset := range t.Offsets {
			out.Row(i)[k] = offset + floats.Dot(t.Weights[k], z.Row(i))
		}
	}
	return out
}

// doubts are variances of how far f may be off at every row that is shown, those of a Gaussian
// process (Rasmussen & Williams 2006, equation 2.26) with the prior variance Doubt k(x, x), in the light
// of the centres, every one of which stands for several rows of the context:
//
//	Doubt (k(x, x) - k' (K + Shared)^-1 k)
func (t *Trend) doubts(turned, values matrix.Matrix) []float64 {
	out := make([]float64, values.Rows)
	if t.root == nil {
		return out
	}
	var known mat.Dense
	if known.Solve(t.root, mat.NewDense(values.Rows, values.Cols, values.Data).T()) != nil {
		return out
	}
	for i := range out {
		rest := 1.0
		for j, v := range turned.Row(i) {
			rest += t.Columns[j] * v * v
		}
		for k := range values.Cols {
			rest -= known.At(k, i) * known.At(k, i)
		}
		out[i] = t.Doubt * max(rest, 0)
	}
	return out
}
