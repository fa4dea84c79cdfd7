package explain

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/joint"
)

// sums are the answers at one point of an effect for rows so far.
type sums struct {
	points [][]float64 // by functional and row
	draws  [][]float64 // sums over rows, by functional and draw
}

func newSums(functionals, draws int) *sums {
	s := &sums{points: make([][]float64, functionals), draws: make([][]float64, functionals)}
	for f := range s.draws {
		s.draws[f] = make([]float64, draws)
	}
	return s
}

// add counts a row.
func (s *sums) add(r joint.Row) {
	for f, v := range r.Points {
		s.points[f] = append(s.points[f], v)
		for b, draw := range r.Together[f] {
			s.draws[f][b] += draw
		}
	}
}

func (s *sums) rows() int { return len(s.points[0]) }

// average is that of a functional over all rows of a population, estimated from those so far.
type average struct {
	point float64
	error float64 // standard error of the estimate, 0 if all rows were asked
	draws []float64
}

// average estimates the average over all of n rows with the help of a control, which is known for
// all: c are its values at the rows so far, and all is its mean over the population. The estimate
// is that of regression,
//
//	m = mean_S f - β (mean_S c - mean c),  β = cov_S(f, c) / var_S(c),
//
// whose standard error is that of the residuals, of rows drawn without replacement (Cochran 1977,
// chapter 7). Draws move by as much as the point does.
func (s *sums) average(f int, c []float64, all float64, n int) average {
	values, r := s.points[f], float64(s.rows())
	mean, beta, residual := regression(values, c)
	shift := beta * (floats.Sum(c)/r - all)
	if s.rows() == n {
		shift = 0
	}
	a := average{point: mean - shift, draws: make([]float64, len(s.draws[f])),
		error: math.Sqrt(residual / r * max(0, 1-r/float64(n)))}
	for b, sum := range s.draws[f] {
		a.draws[b] = sum/r - shift
	}
	return a
}

// regression returns the mean of y, its slope on x and the variance around the line; the slope is 0
// where x does not vary.
func regression(y, x []float64) (mean, slope, variance float64) {
	n := float64(len(y))
	mean = floats.Sum(y) / n
	xMean, xx, xy, yy := floats.Sum(x)/n, 0.0, 0.0, 0.0
	for i := range y {
		dx, dy := x[i]-xMean, y[i]-mean
		xx, xy, yy = xx+dx*dx, xy+dx*dy, yy+dy*dy
	}
	if xx > 0 {
		slope = xy / xx
	}
	return mean, slope, max(0, yy-slope*xy) / max(1, n-2)
}

// Estimate is an average answer, or a difference of two, in units of the target or as a
// probability.
type Estimate struct {
	Point, Lo, Hi float64 // Lo and Hi are the credible interval
	// BandLo and BandHi are the simultaneous band: it contains the averages at all points of an
	// effect with the probability of the interval. Of a difference, it is the interval.
	BandLo, BandHi float64
	// Error is the numerical standard error, as the average is over a sample of the rows; 0 if all
	// rows were averaged.
	Error float64
}

// interval summarises draws around a point.
func interval(point float64, draws []float64, level float64, kind amp.IntervalKind) Estimate {
	e := joint.Effect{Points: []float64{point}, Draws: [][]float64{draws}}.Estimate(0, level, kind)
	return Estimate{Point: point, Lo: e.Lo, Hi: e.Hi, BandLo: e.Lo, BandHi: e.Hi}
}

// band adds a simultaneous band to the estimates of an effect's points, by their draws.
func band(estimates []*Estimate, draws [][]float64, level float64) {
	var together amp.Simultaneous
	for _, d := range draws {
		together.Add(amp.RanksOf(d))
	}
	at := together.PointwiseLevel(level)
	for i, e := range estimates {
		e.BandLo, e.BandHi = amp.CredibleInterval(slices.Clone(draws[i]), at, amp.EqualTailed)
		e.BandLo, e.BandHi = min(e.BandLo, e.Lo), max(e.BandHi, e.Hi)
	}
}

// above is the share of draws above 0, ties by half.
func above(draws []float64) float64 {
	return joint.Effect{Draws: [][]float64{draws}}.Above(0)
}
