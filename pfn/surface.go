package pfn

import (
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/models"
)

// surfaceOf returns the head of the posterior of the quantile function and the mean.
func surfaceOf(m *models.Manifest) head {
	if m.Surface == nil {
		return nil
	}
	return surfaceHead{m.Surface.Levels, m.Surface.PosteriorLevels, m.Surface.Scale}
}

// surfaceHead reads the surface of a row: K+1 rows of J values, the last one for the mean.
type surfaceHead struct {
	levels, posterior []float64
	scale             float64
}

func (h surfaceHead) output() output {
	return output{models.SurfaceOutput, []int{len(h.levels) + 1, len(h.posterior)}}
}

// combiner sorts every member's surface and averages the members entry by entry, which keeps the
// order. It adds their spread and doubt if one of them has a kernel trend, if they read what trees
// say, or if the row is beyond the context.
func (h surfaceHead) combiner(_ ensemble, t target) combiner {
	middle := middleOf(h.posterior)
	return func(members [][]float32, w weighing) part {
		weights := w.of(len(members))
		mean, ordered := make([]float64, h.output().size()), make([][]float64, len(members))
		for b, raw := range members {
			ordered[b] = widen(raw)
			h.order(ordered[b])
			floats.AddScaled(mean, weights[b], ordered[b])
		}
		if w.doubted || w.beyond.Share > 0 || w.trees != nil {
			h.addSpread(mean, ordered, w, middle)
		}
		floats.AddConst(w.centre, mean)
		return h.surface(mean, t)
	}
}

// addSpread widens every posterior of an averaged surface. It adds the variance of the members'
// medians m_b with weights w_b, the doubt d about their trends, the variance t of the error
// of trees, and beyond the context the variance e of the function's possible change. About its
// median m, stretch adds to the posterior
//
//	sum_b w_b (m_b - m)^2 + d + t + e + c (m - m_0.5)^2.
//
// c is noiseBeyond times the share by which the row is beyond, because the width of the
// distribution is as uncertain there, and the square of the share by which trees' error widens it;
// m_0.5 is m of the quantile of level 0.5. The mean has no such part.
//
// A network does not know the error of a kernel trend. A member that reads its residuals differs
// from the others by its error. If all follow the same law, only the doubt shows the error; the
// network's own posterior already has a part of it.
func (h surfaceHead) addSpread(mean []float64, members [][]float64, w weighing, m middle) {
	median := mean[floats.NearestIdx(h.levels, 0.5)*len(h.posterior)+m.mid]
	for first := 0; first < len(mean); first += len(h.posterior) {
		row := mean[first : first+len(h.posterior)]
		centre := row[m.mid]
		between := w.doubt + w.beyond.Variance + floats.Sum(w.trees)
		between += w.spread(len(members), centre, func(b int) float64 { return members[b][first+m.mid] })
		if first < len(mean)-len(h.posterior) {
			wider := noiseBeyond*w.beyond.Share + w.apart*w.apart
			between += wider * (centre - median) * (centre - median)
		}
		m.stretch(row, between)
	}
	h.order(mean) // the rows of neighbouring levels may cross
}

// order sorts the rows of a surface, then its columns without the row of the mean. The rows stay
// sorted.
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

// surface makes a surface from sorted standardised values, without a copy.
func (h surfaceHead) surface(values []float64, t target) *distr.Surface {
	s := &distr.Surface{Levels: h.levels, PosteriorLevels: h.posterior, Scale: h.scale}
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

// alone returns a point mass, or the confidence distributions of a sample's quantiles and mean:
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

func (h surfaceHead) restore(data []byte) (part, error) {
	s := new(distr.Surface)
	return s, decodeState(data, s)
}

// rank is a place between two order statistics of n values, the k-th and the next, k = 1..n-1:
// (1-share) y_(k) + share y_(k+1). A share outside [0, 1] extrapolates.
type rank struct {
	k     int
	share float64
}

func (r rank) of(sorted []float64) float64 {
	low, high := sorted[r.k-1], sorted[r.k]
	return low + r.share*(high-low)
}

// quantileRank returns where the quantile of level p of the confidence distribution of Q(u) lies.
// Q(u) is the quantile of level u of a continuous distribution, known from n >= 2 values. At order
// statistics it is exact for every such distribution, with B binomial(n, u):
//
//	p_k = P(Q(u) <= y_(k)) = P(B < k)
//
// Between p_k and p_{k+1}, with I = (p - p_k)/(p_{k+1} - p_k), a = k/u and b = (n-k)/(1-u),
//
//	share = b I/(a + (b-a) I).
//
// This is exact if the distances of a value to Q(u) are exponential on either side, and nearly
// exact for every distribution. For the median of five values from a uniform, normal, exponential
// or Cauchy one, the 80 % interval covers 77 to 81 %; with share = I it would cover 84 to 86 %.
// Below p_1 the tail is exponential with the scale y_(2) - y_(1), above p_n with y_(n) - y_(n-1).
// Ties make it conservative.
//
// Source: Hettmansperger and Sheather, "Confidence intervals based on interpolated order
// statistics", Statistics & Probability Letters 4 (1986) 75-79, and for u other than 1/2 Nyblom,
// "Note on interpolated order statistics", ibid. 14 (1992) 129-131; the tails are ours.
func quantileRank(p, u float64, n int) rank {
	if p > 0.5 {
		r := quantileRank(1-p, 1-u, n)
		return rank{n - r.k, 1 - r.share}
	}
	below := func(k int) float64 { // P(B < k) for k = 1..n
		return mathext.RegIncBeta(float64(n-k+1), float64(k), 1-u)
	}
	// The last k with p_k < p, apart from rounding of p_k.
	k := sort.Search(n, func(i int) bool { return below(i+1) >= p*(1-1e-9) })
	switch k {
	case 0:
		return rank{1, math.Log(p / below(1))}
	case n:
		return rank{n - 1, 1 + float64(n)*math.Log(u) - math.Log1p(-p)}
	}
	a, b := float64(k)/u, float64(n-k)/(1-u)
	i := (p - below(k)) / (below(k+1) - below(k))
	return rank{k, b * i / (a + (b-a)*i)}
}
