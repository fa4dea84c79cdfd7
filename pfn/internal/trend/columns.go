package trend

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/internal/panics"
)

// columns are a kernel, and the axes to which the columns are turned first.
type columns struct {
	kernel
	axes *mat.Dense // [H, H], an axis in every column; nil for the columns themselves
}

const (
	firstCentres = 128  // centres of the kernel in the fits that find columns
	firstRows    = 2048 // context rows in these fits
	leastWeight  = 0.02 // smallest weight of a column, relative to the largest
	apart        = 1e-6 // separates axes with equal slopes, relative to the sum of all
	noSlope      = 1e-300
	steps        = 2    // fits with columns that are not turned
	turns        = 3    // fits with turned columns
	turnGain     = 0.9  // turned columns must have a residual below this part of the other's
	turnRows     = 10   // rows per column below which columns are not turned
	shapeGain    = 0.99 // another shape must have a residual below this part of the usual one's
)

// Columns are found with the usual shape, then one shape is chosen.
var (
	usual  = shape{3, 4}
	others = []shape{{12, 8}, {6, 4}, {3, 8}, {1, 2}}
)

// suitedColumns returns the columns of z for targets of mean zero, and the deviation of the
// residuals of all targets together. Fits to few rows give the slopes, and G is the mean of the
// products grad f grad f' over the rows, for all targets together (Radhakrishnan et al. 2024,
// Science 383:1461).
//
// The first fit has equal weights. Weights in proportion to the diagonal of G come from it, and
// again from the fit with these weights. Alternatively the eigenvectors of G become axes, with its
// eigenvalues as weights, and the fits on these give them twice more. The turned columns are used
// if their residual is much smaller. Of the other shapes, the one with the smallest residual for
// these columns is used if it beats the usual one; then the columns come once more from its fit.
func suitedColumns(z matrix.Matrix, targets [][]float64) (columns, float64) {
	if at := spacedRows(z.Rows, firstRows); len(at) < z.Rows {
		z = z.Take(at)
		targets = fewer(targets, at)
	}
	h := z.Cols
	equal := columns{kernel: kernel{make([]float64, h), usual}}
	for j := range h {
		equal.weights[j] = 1 / float64(h)
	}
	first := fitFirst(z, targets, equal)
	if math.IsInf(first.left, 1) {
		return equal, first.left
	}
	best, turned := first, first
	panics.All(2, func(i int) {
		if i == 0 {
			best = first.again(z, targets, false, steps)
		} else if h > 1 && z.Rows >= turnRows*h {
			turned = first.again(z, targets, true, turns)
		}
	})
	if turned.axes != nil && turned.left < turnGain*best.left {
		best = turned
	}
	fits := make([]firstFit, len(others))
	panics.All(len(others), func(i int) {
		c := best.columns
		c.shape = others[i]
		fits[i] = fitFirst(z, targets, c)
	})
	other := slices.MinFunc(fits, func(a, b firstFit) int { return cmp.Compare(a.left, b.left) })
	if other.left < shapeGain*best.left {
		best = other
		if next := other.again(z, targets, other.axes != nil, 1); next.left < best.left {
			best = next
		}
	}
	return best.columns, best.left
}

// fewer returns these rows of targets, minus their means.
func fewer(targets [][]float64, rows []int) [][]float64 {
	out := make([][]float64, len(targets))
	for k, y := range targets {
		out[k] = make([]float64, len(rows))
		for i, row := range rows {
			out[k][i] = y[row]
		}
		floats.AddConst(-stat.Mean(out[k], nil), out[k])
	}
	return out
}

// straightColumns weighs columns by the diagonal of products of slopes.
func straightColumns(products *mat.SymDense, s shape) columns {
	size := make([]float64, products.SymmetricDim())
	for j := range size {
		size[j] = products.At(j, j)
	}
	return columns{kernel: kernel{weighted(size), s}}
}

// turnedColumns returns the eigenvectors of products of slopes.
func turnedColumns(products *mat.SymDense, s shape) (columns, bool) {
	h := products.SymmetricDim()
	a := mat.NewSymDense(h, nil)
	a.CopySym(products)
	for j := range h {
		a.SetSym(j, j, a.At(j, j)+apart*mat.Trace(products)*float64(j+1))
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(a, true) {
		return columns{}, false
	}
	var axes mat.Dense
	eigen.VectorsTo(&axes)
	return columns{kernel{weighted(eigen.Values(nil)), s}, &axes}, true
}

// weighted returns weights in proportion to sizes, each plus leastWeight times the largest.
func weighted(size []float64) []float64 {
	most := floats.Max(size)
	for j, v := range size {
		size[j] = max(v, 0) + leastWeight*most + noSlope
	}
	floats.Scale(1/floats.Sum(size), size)
	return size
}

// turn returns the rows of z along the axes.
func (c columns) turn(z matrix.Matrix) matrix.Matrix {
	if c.axes == nil {
		return z
	}
	out := matrix.New(z.Rows, z.Cols)
	mat.NewDense(z.Rows, z.Cols, out.Data).Mul(mat.NewDense(z.Rows, z.Cols, z.Data), c.axes)
	return out
}

// firstFit is a fit to targets on few rows.
type firstFit struct {
	columns
	centres matrix.Matrix // turned
	alpha   [][]float64   // coefficients of the kernel's values at the centres, for every target
	// left is the leave-one-out deviation of the residuals of all targets together, infinite if
	// numbers are not finite.
	left float64
}

func fitFirst(z matrix.Matrix, targets [][]float64, c columns) firstFit {
	turned := c.turn(z)
	features, centres, root, ok := kernelFeatures(c.kernel, turned, firstCentres)
	f := firstFit{columns: c, centres: centres, left: math.Inf(1)}
	if !ok {
		return f
	}
	ridge, variance := newRidge(features, penalties[Kernel]/2+1), 0.0
	for _, y := range targets {
		fit := ridge.fit(y, 1/float64(len(y)))
		f.alpha = append(f.alpha, unprojected(root, fit.slope))
		variance += stat.PopVariance(fit.left, nil)
	}
	if !math.IsNaN(variance) {
		f.left = math.Sqrt(variance)
	}
	return f
}

// again returns the last of this many fits. Each uses the columns, turned or not, from the slopes
// of the fit before. It returns f itself if numbers are not finite.
func (f firstFit) again(z matrix.Matrix, targets [][]float64, turned bool, times int) firstFit {
	next := f
	for range times {
		products := next.products(z)
		c, ok := straightColumns(products, f.shape), true
		if turned {
			c, ok = turnedColumns(products, f.shape)
		}
		if !ok {
			return f
		}
		if next = fitFirst(z, targets, c); math.IsInf(next.left, 1) {
			return f
		}
	}
	return next
}

// products returns the means over rows of z of the products of slopes along the columns of z.
func (f firstFit) products(z matrix.Matrix) *mat.SymDense {
	total := mat.NewSymDense(z.Cols, nil)
	turned := f.turn(spaced(z, firstCentres))
	for _, alpha := range f.alpha {
		slopes := f.slopes(turned, f.centres, alpha)
		g := mat.NewDense(slopes.Rows, slopes.Cols, slopes.Data)
		if f.axes != nil {
			g.Mul(mat.DenseCopyOf(g), f.axes.T())
		}
		var products mat.SymDense
		products.SymOuterK(1/float64(slopes.Rows), g.T())
		total.AddSym(total, &products)
	}
	return total
}
