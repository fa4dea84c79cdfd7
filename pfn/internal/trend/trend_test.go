package trend

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/internal/must"
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
	return z, scores(y)
}

// scores are a target in standardised units.
func scores(y []float64) []float64 {
	mean, sd := stat.PopMeanStdDev(y, nil)
	out := minus(y, mean)
	floats.Scale(1/sd, out)
	return out
}

// What a member reads of a row is the error of the ridge regression of the same penalty that was
// learned without the row, by its normal equations.
func TestTrendLeavesOneRowOut(t *testing.T) {
	z, y := linearTable(30, 2, 0.5)
	trend, target := fitLine(z, nil, y)
	shift := shiftOf(trend, z, y)
	a, b := z.Column(nil, 0), z.Column(nil, 1)
	penalty := penaltyOf(trend.Weights[0], a, b, y)
	for _, i := range []int{0, 7, 29} {
		a, b, rest := without(a, i), without(b, i), without(y, i)
		ma, mb, m := stat.Mean(a, nil), stat.Mean(b, nil), stat.Mean(rest, nil)
		w := twoSlopes(minus(a, ma), minus(b, mb), minus(rest, m), penalty)
		want := y[i] - m - w[0]*(z.Row(i)[0]-ma) - w[1]*(z.Row(i)[1]-mb)
		if got := float64(target[i])*trend.Scale + shift; math.Abs(got-want) > 1e-6 {
			t.Errorf("row %d: %g is left, without the row %g", i, got, want)
		}
	}
}

// shiftOf is the mean of what a trend leaves: the mean of f is that of the target and the shift.
func shiftOf(trend *Trend, z matrix.Matrix, y []float64) float64 {
	return stat.Mean(trend.at(z).Data, nil) - stat.Mean(y, nil)
}

func without(v []float64, i int) []float64 { return slices.Delete(slices.Clone(v), i, i+1) }

func minus(v []float64, m float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = x - m
	}
	return out
}

// twoSlopes solves the normal equations of a ridge regression of y on two columns.
func twoSlopes(a, b, y []float64, penalty float64) [2]float64 {
	var aa, ab, bb, ay, by float64
	for i := range y {
		aa, ab, bb = aa+a[i]*a[i], ab+a[i]*b[i], bb+b[i]*b[i]
		ay, by = ay+a[i]*y[i], by+b[i]*y[i]
	}
	aa, bb = aa+penalty, bb+penalty
	det := aa*bb - ab*ab
	return [2]float64{(bb*ay - ab*by) / det, (aa*by - ab*ay) / det}
}

// penaltyOf finds the penalty of the grid that gives these slopes.
func penaltyOf(slope, a, b, y []float64) float64 {
	a, b, y = minus(a, stat.Mean(a, nil)), minus(b, stat.Mean(b, nil)), minus(y, stat.Mean(y, nil))
	for g := range penalties[Linear] {
		at := float64(g) / float64(penalties[Linear]-1)
		penalty := float64(len(y)) * leastPenalty * math.Pow(largestPenalty/leastPenalty, at)
		w := twoSlopes(a, b, y, penalty)
		if math.Hypot(w[0]-slope[0], w[1]-slope[1]) < 1e-9 {
			return penalty
		}
	}
	panic("no penalty of the grid gives these slopes")
}

// Without noise a linear trend is the target, and what it leaves is limited by minResidual.
func TestTrendOfExactLine(t *testing.T) {
	z, y := linearTable(40, 3, 0)
	trend, target := fitLine(z, nil, y)
	for i, at := range trend.at(z).Data {
		if math.Abs(at-y[i]) > 1e-4 {
			t.Errorf("row %d: trend %g, target %g", i, at, y[i])
		}
		if v := float64(target[i]); v-v != 0 {
			t.Errorf("row %d: reads %g", i, v)
		}
	}
	if trend.Scale < minResidual || trend.Scale > 1e-3 {
		t.Errorf("scale %g", trend.Scale)
	}
}

// fitKind learns a trend of a kind alone.
func fitKind(kind string, z matrix.Matrix, y []float64) (*Trend, []float32) {
	if kind == Linear {
		return fitLine(z, nil, y)
	}
	return fitKernel(z, y, suit(Features{Matrix: z}, [][]float64{y}), nil)
}

// Noise has no slope to speak of; two rows and more columns than rows have finite trends.
func TestTrendOfNoise(t *testing.T) {
	for _, kind := range kinds {
		for _, size := range [][2]int{{400, 3}, {2, 1}, {2, 500}, {3, 7}, {20, 60}} {
			n, h := size[0], size[1]
			z, _ := linearTable(n, h, 0)
			_, noise := linearTable(n, h+1, 3)
			trend, target := fitKind(kind, z, noise)
			at := trend.at(z).Data
			if sum := floats.Sum(at) + trend.Scale; sum-sum != 0 {
				t.Fatalf("%s, %d rows, %d columns: trend %+v", kind, n, h, trend)
			}
			if spread := stat.StdDev(at, nil); n == 400 && (spread > 0.3 || math.Abs(trend.Scale-1) > 0.2) {
				t.Errorf("%s: trend with the deviation %g, scale %g", kind, spread, trend.Scale)
			}
			var squares float64
			for _, v := range target {
				squares += float64(v) * float64(v) / float64(n)
			}
			if trend.Scale > minResidual && math.Abs(squares-1) > 1e-4 {
				t.Errorf("%s, %d rows, %d columns: members read a target with the variance %g", kind, n, h,
					squares)
			}
		}
	}
}

// A trend by a kernel follows a function that bends, at rows that it has not seen, and what it
// leaves of the context is as large as its errors there: no row is far from all others, which would
// be predicted badly without itself. 600 rows are more than it has centres.
func TestTrendOfBends(t *testing.T) {
	for _, n := range []int{200, 600} {
		r := rand.New(rand.NewPCG(5, 5))
		z, y := matrix.New(n+400, 4), make([]float64, n+400)
		for i := range y {
			row := z.Row(i)
			for j := range row {
				row[j] = 4*r.Float64() - 2
			}
			y[i] = math.Sin(2*row[0]) + 0.5*row[1]*row[2] + 0.1*r.NormFloat64()
		}
		context := z.Span(0, n)
		mean, sd := stat.PopMeanStdDev(y[:n], nil)
		scores := minus(y, mean)
		floats.Scale(1/sd, scores)
		left := func(kind string) (out, in float64) {
			trend, _ := fitKind(kind, context, scores[:n])
			rest := trend.at(z.Span(n, n+400)).Data
			floats.Sub(rest, scores[n:])
			return stat.StdDev(rest, nil), trend.Scale
		}
		line, _ := left(Linear)
		out, in := left(Kernel)
		if line < 0.8 || out > 0.5 || math.Abs(in/out-1) > 0.2 {
			t.Errorf("%d rows: a line leaves %.3f; a kernel %.3f of new rows, %.3f of the context", n, line,
				out, in)
		}
	}
}

// Features of a kernel have it as inner products.
func TestKernelFeatures(t *testing.T) {
	z, _ := linearTable(50, 3, 0)
	c, _ := suitedColumns(z, [][]float64{z.Column(nil, 1)})
	features, _, _, ok := kernelFeatures(c.kernel, z, maxCentres)
	want := c.values(z, z)
	for i := range z.Rows {
		for k := range z.Rows {
			if got := floats.Dot(features.Row(i), features.Row(k)); !ok ||
				math.Abs(got-want.Row(i)[k]) > 1e-5 {
				t.Fatalf("rows %d and %d: %g, the kernel %g", i, k, got, want.Row(i)[k])
			}
		}
	}
}

// Numbers that are not finite leave the trend constant.
func TestKernelOfNothing(t *testing.T) {
	z, y := linearTable(20, 2, 0.5)
	z.Data[7] = math.Inf(1)
	if _, _, _, ok := kernelFeatures(kernel{[]float64{0.5, 0.5}, usual}, z, z.Rows); ok {
		t.Error("infinite features have a kernel")
	}
	trend, _ := fitKind(Kernel, z, y)
	if floats.Norm(trend.Weights[0], 2) != 0 || trend.Scale != trend.Scale {
		t.Errorf("trend %+v", trend)
	}
}

// bent is a target that a line says nothing of.
func bent(z matrix.Matrix) []float64 {
	y := z.Column(nil, 0)
	for i, v := range y {
		y[i] = math.Cos(2 * v)
	}
	return scores(y)
}

// conditioned are the variances of a Gaussian process at rows, given a context with this noise.
func conditioned(t *testing.T, c columns, context, rows matrix.Matrix, noise float64) []float64 {
	t.Helper()
	known, asked := c.turn(context), c.turn(rows)
	gram := mat.NewDense(known.Rows, known.Rows, c.values(known, known).Data)
	for i := range known.Rows {
		gram.Set(i, i, gram.At(i, i)+noise)
	}
	k := mat.NewDense(asked.Rows, known.Rows, c.values(asked, known).Data)
	var solved, told mat.Dense
	must.Succeed(t, solved.Solve(gram, k.T()))
	told.Mul(k, &solved)
	variances := make([]float64, asked.Rows)
	for i := range variances {
		one := asked.Span(i, i+1)
		variances[i] = c.values(one, one).Data[0] - told.At(i, i)
	}
	return variances
}

// The doubt about a kernel's trend is the posterior variance of a Gaussian process, by its
// definition with all rows of the context, and grows to the prior variance far from them. It does
// not depend on the other rows.
func TestDoubt(t *testing.T) {
	z, _ := linearTable(60, 2, 0)
	trend, _ := fitKind(Kernel, z, bent(z))
	rows := matrix.New(3, 2)
	copy(rows.Data, []float64{0.1, -0.2, 1, 1, 40, -40})
	got := trend.doubts(trend.shown(rows))
	for i, variance := range conditioned(t, trend.columns(), z, rows, trend.Shared) {
		if want := trend.Doubt * variance; math.Abs(got[i]/want-1) > 1e-6 {
			t.Errorf("row %d: %g, want %g", i, got[i], want)
		}
		if alone := trend.doubts(trend.shown(rows.Span(i, i+1)))[0]; alone != got[i] {
			t.Errorf("row %d: %g alone, %g with others", i, alone, got[i])
		}
	}
	if got[2] < 10*got[0] {
		t.Errorf("doubts %g", got)
	}
}

// The same with more rows than centres. Every row occurs twice, so the centres are the 256 rows,
// and the doubt is that of a Gaussian process with all 512 rows and the ridge's penalty as noise.
func TestDoubtAboveTheCentres(t *testing.T) {
	once, _ := linearTable(maxCentres, 2, 0)
	z := matrix.New(2*maxCentres, 2)
	for i := range z.Rows {
		copy(z.Row(i), once.Row(i/2))
	}
	r, y := rand.New(rand.NewPCG(4, 4)), bent(z)
	for i := range y {
		y[i] += 0.3 * r.NormFloat64()
	}
	found := suit(Features{Matrix: z}, [][]float64{y})
	l := newLearner(z, found.levels, &found.columns)
	fit, _ := l.learn(y)
	l.trend.doubt(fit, len(y))
	row := matrix.Matrix{Rows: 1, Cols: 2, Data: []float64{0.3, -1.2}}
	variance := conditioned(t, l.trend.columns(), z, row, fit.penalty)[0]
	want := fit.noise / fit.penalty * variance
	if got := l.trend.doubts(l.trend.shown(row))[0]; !(math.Abs(got/want-1) < 1e-3) {
		t.Errorf("%g, want %g", got, want)
	}
}
