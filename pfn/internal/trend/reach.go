package trend

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// Constants chosen by cutting simulated tables at the 0.8-quantile of a column and asking beyond
// it.
const (
	reachSpan  = 0.3  // range of a trend beyond the context, relative to the context's
	reachBends = 0.7  // length over which a function bends, in standard deviations of a column
	reachBent  = 5    // variance far beyond the context, relative to that of the bends within
	reachAny   = 0.1  // part of it for the column furthest beyond, whatever its weight
	leastBent  = 0.05 // least part of the explained variance that may bend beyond the context only
)

// Reach describes where the context of a regression ends along the columns of a kernel, and how
// much the target bends within it. Beyond the range, nothing supports a trend. So it flattens out
// over reachSpan of the context's range, and posteriors widen by the variance
//
//	reachBent Bent (0.9 sum_j Weights[j] g(r_j) + 0.1 max_j g(r_j)),
//	g(r) = 1 - exp(-2t) ((1+t)^2 + t^2),  t = sqrt(3) r/reachBends.
//
// r_j is the distance from the range of column j. g is the variance of a process with Matérn's
// kernel of order 3/2 whose value and slope at the end of the range are known.
type Reach struct {
	Levels  *Levels     `json:"levels,omitempty"` // of the kernel; nil for unchanged features
	Weights []float64   `json:"weights"`          // of the columns, with sum one
	Axes    [][]float64 `json:"axes,omitempty"`   // axes to which columns are turned first, as rows
	Lo      []float64   `json:"lo"`               // range of the context's rows, turned
	Hi      []float64   `json:"hi"`
	// Bent is the variance that a kernel explains and a line does not, plus leastBent times what
	// either explains, in standardised units of the target.
	Bent float64 `json:"bent"`
}

// Beyond describes how far a row is beyond the range of the context.
type Beyond struct {
	Variance float64 // of the function's possible change, in standardised units of the target
	Share    float64 // largest g of a column, from 0 within the range to 1 far beyond it
}

// newReach measures features z [N, H] with the columns of a kernel.
func newReach(z matrix.Matrix, s *suited, line *Trend) *Reach {
	r := &Reach{Levels: s.levels, Weights: s.weights, Axes: axisRows(s.axes)}
	turned := s.turn(s.levels.of(z))
	for j := range turned.Cols {
		column := turned.Column(nil, j)
		r.Lo, r.Hi = append(r.Lo, floats.Min(column)), append(r.Hi, floats.Max(column))
	}
	straight := 1.0
	if line != nil {
		straight = line.Scale
	}
	least := min(straight, s.left)
	r.Bent = max(straight*straight-s.left*s.left, 0) + leastBent*max(1-least*least, 0)
	return r
}

// axisRows returns axes as rows, nil for none.
func axisRows(axes *mat.Dense) (rows [][]float64) {
	if axes != nil {
		for j := range axes.RawMatrix().Cols {
			rows = append(rows, mat.Col(nil, j, axes))
		}
	}
	return rows
}

// axesOf returns axes from their rows, nil for none.
func axesOf(rows [][]float64) *mat.Dense {
	if rows == nil {
		return nil
	}
	return mat.DenseCopyOf(mat.NewDense(len(rows), len(rows), slices.Concat(rows...)).T())
}

// hold moves values beyond the range back towards it. It returns the rows, the numbers of the rows
// that moved, and how far every row is beyond. Rows within the range and categories do not change.
func (r *Reach) hold(z matrix.Matrix) (held matrix.Matrix, moved []int, beyond []Beyond) {
	axes := axesOf(r.Axes)
	turned := columns{axes: axes}.turn(r.Levels.of(z))
	held, beyond = matrix.New(z.Rows, z.Cols), make([]Beyond, z.Rows)
	for i := range z.Rows {
		row := turned.Row(i)
		near, b := r.near(row)
		beyond[i] = b
		copy(held.Row(i), z.Row(i))
		if slices.Equal(near, row) {
			continue
		}
		moved = append(moved, i)
		if axes != nil {
			back := mat.NewVecDense(len(near), nil)
			back.MulVec(axes, mat.NewVecDense(len(near), near))
			near = back.RawVector().Data
		}
		r.Levels.back(near, held.Row(i))
	}
	return held, moved, beyond
}

// near moves a turned row back towards the range, and returns how far it is beyond.
func (r *Reach) near(row []float64) (near []float64, b Beyond) {
	near = make([]float64, len(row))
	total := 0.0
	for j, v := range row {
		end := min(max(v, r.Lo[j]), r.Hi[j])
		gap := math.Abs(v - end)
		near[j] = end
		if gap == 0 {
			continue
		}
		span := reachSpan * (r.Hi[j] - r.Lo[j])
		if span > 0 {
			near[j] += math.Copysign(-span*math.Expm1(-gap/span), v-end)
		}
		t := math.Sqrt(3) * gap / reachBends
		g := 1 - math.Exp(-2*t)*((1+t)*(1+t)+t*t)
		total += r.Weights[j] * g
		b.Share = max(b.Share, g)
	}
	b.Variance = reachBent * r.Bent * ((1-reachAny)*total + reachAny*b.Share)
	return near, b
}
