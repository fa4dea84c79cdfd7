package pfn

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pfnamp/pfnamp/models"
)

// surfaceHead is the surface of a row: its K+1 rows of J values, the last one of the mean.
type surfaceHead struct {
	levels, posterior []float64
	scale             float64
}

func (h surfaceHead) output() output {
	return output{models.SurfaceOutput, []int{len(h.levels) + 1, len(h.posterior)}}
}

// combiner puts every member's surface in order, averages the members entry by entry, which
// keeps it, and adds their spread and doubt if one of them has a kernel's trend.
func (h surfaceHead) combiner(_ ensemble, t target) combiner {
	return func(members [][]float32, w weighing) part {
		weights := w.weights
		if weights == nil {
			weights = equalWeights(len(members))
		}
		mean, ordered := make([]float64, h.output().size()), make([][]float64, len(members))
		for b, raw := range members {
			ordered[b] = widen(raw)
			h.order(ordered[b])
			floats.AddScaled(mean, weights[b], ordered[b])
		}
		widened := 0.0
		if w.kernel {
			widened = h.addSpread(mean, ordered, weights, w.doubt)
		}
		floats.AddConst(w.centre, mean)
		s := h.surface(mean, t)
		s.Widened = widened
		return s
	}
}

// addSpread adds to the variance of every posterior of an averaged surface that of the members'
// medians m_b with weights w_b and half of the doubt d about their trends: it stretches the posterior about
// its median m by
//
//	sqrt(1 + (sum_b w_b (m_b - m)^2 + d/2) / v^2),
//
// where v is the deviation of a normal distribution with the same distance of the quantiles that are
// nearest to the levels 0.05 and 0.95. A network does not know the error of a kernel's trend. The
// member that reads what it leaves differs from the others as it errs, and where all follow the same law
// the doubt tells; a part of that is in the network's own posterior. The factor of the mean is returned.
func (h surfaceHead) addSpread(
	mean []float64, members [][]float64, weights []float64, doubt float64,
) (widened float64) {
	lo, mid, hi := h.nearest(0.05), h.nearest(0.5), h.nearest(0.95)
	apart := distuv.UnitNormal.Quantile(h.posterior[hi]) - distuv.UnitNormal.Quantile(h.posterior[lo])
	for first := 0; first < len(mean); first += len(h.posterior) {
		row := mean[first : first+len(h.posterior)]
		within, centre, between := (row[hi]-row[lo])/apart, row[mid], doubtShare*doubt
		for b, m := range members {
			between += weights[b] * (m[first+mid] - centre) * (m[first+mid] - centre)
		}
		if widened = 1; !(within > leastSpread) {
			continue
		}
		by := math.Sqrt(1 + between/(within*within))
		widened = by
		for i, v := range row {
			row[i] = centre + by*(v-centre)
		}
	}
	h.order(mean) // the rows of neighbouring levels may cross
	return widened
}

// doubtShare is the share of the doubt that is not in the network's posterior.
const doubtShare = 0.5

// nearest is the index of the posterior level that is nearest to p.
func (h surfaceHead) nearest(p float64) int { return floats.NearestIdx(h.posterior, p) }

// order sorts the rows of a surface, then, that of the mean aside, its columns, which leaves every
// row in order.
func (h surfaceHead) order(values []float64) {
	j := len(h.posterior)
	for row := range slices.Chunk(values, j) {
		slices.Sort(row)
	}
	column := make([]float64, len(h.levels))
	for at := range j {
		for k := range column {
			column[k] = values[k*j+at]
		}
		slices.Sort(column)
		for k, v := range column {
			values[k*j+at] = v
		}
	}
}

// surface makes a surface of standardised values in order; it keeps them.
func (h surfaceHead) surface(values []float64, t target) *Surface {
	s := &Surface{Levels: h.levels, PosteriorLevels: h.posterior, Scale: h.scale}
	for i, z := range values {
		values[i] = t.Mean + t.SD*z
	}
	for row := range slices.Chunk(values, len(h.posterior)) {
		s.Quantiles = append(s.Quantiles, row)
	}
	last := len(h.levels)
	s.Quantiles, s.Mean = s.Quantiles[:last:last], s.Quantiles[last]
	return s
}

// alone is a point mass, or what a sample says of the quantiles and the mean of its distribution:
// quantileRank, and with the mean m and the deviation s of n values
//
//	E[y] = m + s/sqrt(n) T,  T of Student's t with n-1 degrees of freedom.
//
// It needs no calibration: its scale is 1.
func (h surfaceHead) alone(t *table) part {
	h.scale = 1
	values := make([]float64, 0, h.output().size())
	if t.Constant {
		return h.surface(values[:cap(values)], t.target) // mean + SD*0
	}
	y := widen(t.labels(nil))
	slices.Sort(y)
	for _, u := range h.levels {
		for _, p := range h.posterior {
			values = append(values, quantileRank(p, u, len(y)).of(y))
		}
	}
	n := float64(len(y))
	mean, sd := stat.MeanStdDev(y, nil)
	student := distuv.StudentsT{Mu: mean, Sigma: sd / math.Sqrt(n), Nu: n - 1}
	for _, p := range h.posterior {
		values = append(values, student.Quantile(p))
	}
	h.order(values) // quantiles of neighbouring levels may cross by rounding
	return h.surface(values, t.target)
}

func (h surfaceHead) restore(data []byte, _ target) (part, error) {
	var s Surface
	if err := decodeState(data, &s); err != nil {
		return nil, err
	}
	same := slices.Equal(s.Levels, h.levels) && slices.Equal(s.PosteriorLevels, h.posterior)
	if !same || s.Scale != 1 || !h.sound(append(slices.Clip(s.Quantiles), s.Mean)) {
		return nil, errors.New("a fixed surface is none")
	}
	return &s, nil
}

// sound checks the size and the order of the rows of a surface, that of the mean last.
func (h surfaceHead) sound(rows [][]float64) bool {
	if len(rows) != len(h.levels)+1 {
		return false
	}
	for k, row := range rows {
		if len(row) != len(h.posterior) || !slices.IsSorted(row) {
			return false
		}
		for j := range row {
			if k > 0 && k < len(h.levels) && row[j] < rows[k-1][j] {
				return false
			}
		}
	}
	return true
}
