package trend

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// What is chosen by cutting simulated tables at the 0.8-quantile of a column and asking beyond it.
const (
	reachSpan  = 0.3  // of what the context spans: how far a trend goes on beyond it
	reachBends = 0.7  // standard deviations of a column, over which a function bends
	reachBent  = 5    // times what bends within the context: variance far beyond it
	reachAny   = 0.1  // share of that for the column that is furthest beyond, whatever its weight
	leastBent  = 0.05 // of the explained variance: what may bend beyond the context only
)

// Reach is where the context of a regression ends along the columns of a kernel, and how much the
// target bends on the way. Beyond the range a trend is a claim that nothing supports: it flattens
// out over reachSpan of what the context spans, and posteriors there get wider by the variance
//
//	reachBent Bent (0.9 sum_j Weights[j] g(r_j) + 0.1 max_j g(r_j)),
//	g(r) = 1 - exp(-2t) ((1+t)^2 + t^2),  t = sqrt(3) r/reachBends,
//
// where r_j is the distance from the range of column j: g is the variance of a process with
// Matérn's kernel of the order 3/2 whose value and slope at the end of the range are known.
type Reach struct {
	Levels  *Levels     `json:"levels,omitempty"` // of the kernel; nil for the features as they are
	Weights []float64   `json:"weights"`          // of the columns, whose sum is one
	Axes    [][]float64 `json:"axes,omitempty"`   // to which columns are turned before, as rows
	Lo      []float64   `json:"lo"`               // of the context's rows, turned
	Hi      []float64   `json:"hi"`
	// Bent is the variance that a kernel explains and a line does not, and leastBent of what either
	// explains, in standardised units of the target.
	Bent float64 `json:"bent"`
}

// Beyond is how far a row is beyond the range of the context.
type Beyond struct {
	Variance float64 // of what a function may do there, in standardised units of the target
	Share    float64 // the largest g of a column, from 0 within the range to 1 far beyond it
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

// axisRows are axes as rows, nil for none.
func axisRows(axes *mat.Dense) (rows [][]float64) {
	if axes != nil {
		for j := range axes.RawMatrix().Cols {
			rows = append(rows, mat.Col(nil, j, axes))
		}
	}
	return rows
}

// axesOf are axes of their rows, nil for none.
func axesOf(rows [][]float64) *mat.Dense {
	if rows == nil {
		return nil
	}
	axes := mat.NewDense(len(rows), len(rows), nil)
	for j, axis := range rows {
		axes.SetCol(j, axis)
	}
	return axes
}

// hold returns rows of features with what is beyond the range brought back towards it, the numbers
// of the rows that moved, and how far every row is beyond. Rows within the range stay as they are,
// and so do categories.
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

// near is a turned row brought back towards the range, and how far it is beyond.
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
