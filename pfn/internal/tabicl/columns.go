package tabicl

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// columns are weights of the columns in a kernel, and the axes that they are turned to before.
type columns struct {
	weights kernel
	axes    *mat.Dense // [H, H], an axis in every column; nil for the columns themselves
}

const (
	firstCentres = 128  // rows of the context in the fits that find columns
	leastWeight  = 0.05 // of a column, of the largest
	apart        = 1e-6 // keeps axes with the same slopes apart, of the sum of all
	noSlope      = 1e-300
	turns        = 3   // fits with turned columns
	turnGain     = 0.9 // how much of what others leave turned columns may leave
	turnRows     = 10  // rows for every column, below which none are turned
)

// suitedColumns are the columns of z for targets of mean zero. They follow from the slopes of fits on few
// rows, G = the mean of the products grad f grad f' over the rows, of all targets together (Radhakrishnan et
// al. 2024, Science 383:1461): that with equal weights gives weights in proportion to the diagonal of
// G, or the eigenvectors of G as axes with its eigenvalues as weights, and the fits on these give them
// twice more. Turned columns are taken if they leave much less of the targets than the others. What the
// fit leaves, the deviation of all targets together, comes with them.
func suitedColumns(z matrix.Matrix, targets [][]float64) (columns, float64) {
	h := z.Cols
	equal := columns{weights: make(kernel, h)}
	for j := range h {
		equal.weights[j] = 1 / float64(h)
	}
	first, ok := fitFirst(z, targets, equal)
	if !ok {
		return equal, math.Inf(1)
	}
	products := first.products(z)
	straight, ok := fitFirst(z, targets, straightColumns(products))
	if !ok {
		return equal, first.left
	}
	if h == 1 || z.Rows < turnRows*h {
		return straight.columns, straight.left
	}
	var turned firstFit
	for turn := range turns {
		if turn > 0 {
			products = turned.products(z)
		}
		axes, found := turnedColumns(products)
		if !found {
			return straight.columns, straight.left
		}
		if turned, ok = fitFirst(z, targets, axes); !ok {
			return straight.columns, straight.left
		}
	}
	if turned.left < turnGain*straight.left {
		return turned.columns, turned.left
	}
	return straight.columns, straight.left
}

// straightColumns weigh columns by the diagonal of products of slopes.
func straightColumns(products *mat.SymDense) columns {
	size := make([]float64, products.SymmetricDim())
	for j := range size {
		size[j] = products.At(j, j)
	}
	return columns{weights: weighted(size)}
}

// turnedColumns are the eigenvectors of products of slopes.
func turnedColumns(products *mat.SymDense) (columns, bool) {
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
	return columns{weighted(eigen.Values(nil)), &axes}, true
}

// weighted are weights in proportion to sizes, of which the largest and leastWeight of it are added.
func weighted(size []float64) kernel {
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

// firstFit is one to targets on few rows.
type firstFit struct {
	columns columns
	centres matrix.Matrix // turned
	alpha   [][]float64   // coefficients of the kernel's values at the centres, of every target
	left    float64       // deviation of what leaving one row out leaves of all targets together
}

// fitFirst returns false if numbers are not finite.
func fitFirst(z matrix.Matrix, targets [][]float64, c columns) (firstFit, bool) {
	turned := c.turn(z)
	features, centres, root, ok := kernelFeatures(c.weights, turned, firstCentres)
	f := firstFit{columns: c, centres: centres}
	if !ok {
		return f, false
	}
	ridge, variance := newRidge(features, penalties[Kernel]/2+1), 0.0
	for _, y := range targets {
		slope, left := ridge.fit(y, 1/float64(len(y)))
		f.alpha = append(f.alpha, unprojected(root, slope))
		variance += stat.PopVariance(left, nil)
	}
	f.left = math.Sqrt(variance)
	return f, !math.IsNaN(f.left) && !math.IsInf(f.left, 0)
}

// products are the means over rows of z of the products of slopes along the columns of z.
func (f firstFit) products(z matrix.Matrix) *mat.SymDense {
	total := mat.NewSymDense(z.Cols, nil)
	turned := f.columns.turn(spaced(z, firstCentres))
	for _, alpha := range f.alpha {
		slopes := f.columns.weights.slopes(turned, f.centres, alpha)
		g := mat.NewDense(slopes.Rows, slopes.Cols, slopes.Data)
		if f.columns.axes != nil {
			g.Mul(mat.DenseCopyOf(g), f.columns.axes.T())
		}
		var products mat.SymDense
		products.SymOuterK(1/float64(slopes.Rows), g.T())
		total.AddSym(total, &products)
	}
	return total
}
