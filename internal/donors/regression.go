package donors

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

const (
	mostFunctions = 32  // functions of a regression, those that correlate most with its targets
	mostFreedom   = 0.5 // degrees of freedom of a regression, times its rows
	leastLeft     = 0.1 // 1 - leverage
)

// Penalties of the regressions, times the number of rows; the functions have variance 1.
var penalties = []float64{1e-4, 1e-3, 1e-2, 0.03, 0.1, 0.3, 1, 3, 10, 100}

// regressions are ridge regressions of several targets on the same functions. Each target's penalty
// has the smallest generalised cross-validation score (Golub, Heath & Wahba 1979).
type regressions struct {
	chosen  []int       // indices of their functions
	bends   *bends      // of these together
	mean    []float64   // of functions and bends
	slopes  [][]float64 // of functions and bends, by target
	offsets []float64
	apart   [][]float64 // by target and row: leave-one-out predictions
	left    []float64   // by target: standard deviations of their residuals
	spread  []float64   // by target: its standard deviation
}

// related chooses, among the allowed functions, those that correlate most with the targets over
// some rows of the basis, in their order. It also returns the sums of squared correlations.
func related(
	basis matrix.Matrix, rows []int, allowed []int, targets [][]float64,
) (chosen []int, scores []float64) {
	score := make(map[int]float64, len(allowed))
	for _, b := range allowed {
		for _, y := range targets {
			sum := 0.0
			for k, i := range rows {
				sum += basis.Data[i*basis.Cols+b] * y[k]
			}
			sum /= float64(len(rows))
			score[b] += sum * sum
		}
	}
	chosen = slices.Clone(allowed)
	slices.SortFunc(chosen, func(a, b int) int {
		return cmp.Or(cmp.Compare(score[b], score[a]), a-b)
	})
	chosen = chosen[:min(len(chosen), mostFunctions)]
	slices.Sort(chosen)
	for _, b := range chosen {
		scores = append(scores, score[b])
	}
	return chosen, scores
}

// regress fits the targets, each with a value per given row, to the basis.
func regress(basis matrix.Matrix, rows []int, allowed []int, targets [][]float64) *regressions {
	chosen, scores := related(basis, rows, allowed, targets)
	z := basis.Take(rows).Pick(chosen)
	r := &regressions{chosen: chosen, bends: newBends(z, scores)}
	z = r.bends.beside(z)
	r.mean = make([]float64, z.Cols)
	for k, v := range z.Data {
		r.mean[k%z.Cols] += v / float64(z.Rows)
	}
	for k := range z.Data {
		z.Data[k] -= r.mean[k%z.Cols]
	}
	turned, axes, squares := principal(z)
	for _, y := range targets {
		r.add(turned, axes, squares, y)
	}
	return r
}

// principal turns columns to their principal axes, and returns the columns, the axes and the mean
// squares.
func principal(z matrix.Matrix) (turned matrix.Matrix, axes *mat.Dense, squares []float64) {
	if z.Cols == 0 || z.Rows == 0 {
		return matrix.New(z.Rows, 0), nil, nil
	}
	x := mat.NewDense(z.Rows, z.Cols, z.Data)
	var gram mat.SymDense
	gram.SymOuterK(1/float64(z.Rows), x.T())
	var eigen mat.EigenSym
	if !eigen.Factorize(&gram, true) {
		return matrix.New(z.Rows, 0), nil, nil
	}
	axes = new(mat.Dense)
	eigen.VectorsTo(axes)
	var out mat.Dense
	out.Mul(x, axes)
	return matrix.Matrix{Rows: z.Rows, Cols: z.Cols, Data: out.RawMatrix().Data}, axes,
		eigen.Values(nil)
}

// add fits a target to columns on their principal axes.
func (r *regressions) add(turned matrix.Matrix, axes *mat.Dense, squares, y []float64) {
	n, mean := float64(len(y)), 0.0
	for _, v := range y {
		mean += v / n
	}
	along, total := make([]float64, turned.Cols), 0.0
	for i, v := range y {
		total += (v - mean) * (v - mean) / n
		for b, u := range turned.Row(i) {
			along[b] += u * (v - mean) / n
		}
	}
	r.spread = append(r.spread, math.Sqrt(total))
	penalty := choose(along, squares, total, n)
	slope := make([]float64, turned.Cols)
	for b := range slope {
		slope[b] = along[b] / (max(squares[b], 0) + penalty)
	}
	apart, left := make([]float64, len(y)), 0.0
	for i, v := range y {
		fit, leverage := mean, 1/n
		for b, u := range turned.Row(i) {
			fit += slope[b] * u
			leverage += u * u / (max(squares[b], 0) + penalty) / n
		}
		rest := (v - fit) / max(1-leverage, leastLeft)
		apart[i] = v - rest
		left += rest * rest / n
	}
	back := make([]float64, len(r.mean))
	for b := range back {
		for k, s := range slope {
			back[b] += axes.At(b, k) * s
		}
	}
	r.slopes, r.offsets = append(r.slopes, back), append(r.offsets, mean)
	r.apart, r.left = append(r.apart, apart), append(r.left, math.Sqrt(left))
}

// choose returns the penalty with the smallest score, infinite if none beats the mean.
func choose(along, squares []float64, total, n float64) float64 {
	best, least := math.Inf(1), total/((1-1/n)*(1-1/n))
	for _, penalty := range slices.Backward(penalties) {
		rest, freedom := total, 1.0
		for b, a := range along {
			s := max(squares[b], 0)
			share := s / (s + penalty)
			freedom += share
			if s > 0 {
				rest -= a * a / s * share * (2 - share)
			}
		}
		if freedom > mostFreedom*n {
			continue
		}
		if score := max(rest, 0) / ((1 - freedom/n) * (1 - freedom/n)); score < least {
			best, least = penalty, score
		}
	}
	return best
}

// at predicts every target of a row, given its functions.
func (r *regressions) at(functions []float64) []float64 {
	z := r.read(matrix.Matrix{Rows: 1, Cols: len(functions), Data: functions})
	out := make([]float64, len(r.slopes))
	for t := range out {
		out[t] = r.offsets[t] + floats.Dot(r.slopes[t], z.Row(0))
	}
	return out
}

// read returns the columns of rows that have slopes, from their functions.
func (r *regressions) read(functions matrix.Matrix) matrix.Matrix {
	z := r.bends.beside(functions.Pick(r.chosen))
	for k := range z.Data {
		z.Data[k] -= r.mean[k%z.Cols]
	}
	return z
}

// order predicts the first target of rows from their functions, except for a constant. It reads the
// kernel of the bends directly, which takes a tenth of the time of the bends.
func (r *regressions) order(functions matrix.Matrix) []float64 {
	z, slopes := functions.Pick(r.chosen), r.slopes[0]
	out := make([]float64, z.Rows)
	for i := range out {
		out[i] = floats.Dot(slopes[:z.Cols], z.Row(i))
	}
	if r.bends == nil {
		return out
	}
	kernel, pulls := r.bends.kernel(z), r.bends.pulls(slopes[z.Cols:])
	for i := range out {
		out[i] += floats.Dot(pulls, kernel.Row(i))
	}
	return out
}

// Explained returns the largest share of the variance of a target that a regression explains: of a
// Lender, that of a lent cell that the present cells explain.
func (r *regressions) Explained() (share float64) {
	for t, left := range r.left {
		if r.spread[t] > 0 {
			share = max(share, 1-left*left/(r.spread[t]*r.spread[t]))
		}
	}
	return share
}

// learnEffects regresses the target, or an indicator of each class, on all cells.
func (t *Table) learnEffects(y []float64, classes int) {
	rows := matrix.Upto(t.x.Rows)
	var allowed []int
	for j, c := range t.columns {
		for k, f := range c.functions {
			if f.kind != absent {
				allowed = append(allowed, t.first[j]+k)
			}
		}
	}
	targets := [][]float64{y}
	if classes > 0 {
		targets = make([][]float64, min(classes, mostLevels))
		for k := range targets {
			targets[k] = make([]float64, len(y))
			for i, v := range y {
				if int(v) == k {
					targets[k][i] = 1
				}
			}
		}
	}
	for _, target := range targets {
		if len(rows) > 0 {
			t.effects = append(t.effects, regress(t.basis, rows, allowed, [][]float64{target}))
		}
	}
}
