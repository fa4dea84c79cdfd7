package explain

import (
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/joint"
)

// sums are the answers at one point of an effect, added up over rows, in batches of rows.
type sums struct {
	rows    int
	points  []float64   // by functional
	draws   [][]float64 // by functional and draw
	batches [][]float64 // mean of the points, by functional and batch
	batch   []float64   // points of the batch that is under way, and
	inside  int         // its rows
}

func newSums(functionals, draws int) *sums {
	s := &sums{points: make([]float64, functionals), draws: make([][]float64, functionals),
		batches: make([][]float64, functionals), batch: make([]float64, functionals)}
	for f := range s.draws {
		s.draws[f] = make([]float64, draws)
	}
	return s
}

// add counts a row.
func (s *sums) add(r joint.Row) {
	s.rows++
	s.inside++
	for f, v := range r.Points {
		s.points[f] += v
		s.batch[f] += v
		for b, draw := range r.Draws[f] {
			s.draws[f][b] += draw
		}
	}
}

// endBatch ends a batch of rows.
func (s *sums) endBatch() {
	for f, v := range s.batch {
		s.batches[f] = append(s.batches[f], v/float64(s.inside))
		s.batch[f] = 0
	}
	s.inside = 0
}

// mean is the average of a functional over the rows.
func (s *sums) mean(f int) float64 { return s.points[f] / float64(s.rows) }

// means are the draws of that average.
func (s *sums) means(f int) []float64 {
	draws := make([]float64, len(s.draws[f]))
	for b, v := range s.draws[f] {
		draws[b] = v / float64(s.rows)
	}
	return draws
}

// numericalError is the standard error of the average as an estimate of that over all parts rows: the
// spread of batches, which are samples without replacement.
func (s *sums) numericalError(f, parts int) float64 {
	n := float64(len(s.batches[f]))
	if int(n) == parts {
		return 0
	}
	mean, square := 0.0, 0.0
	for _, v := range s.batches[f] {
		mean += v / n
	}
	for _, v := range s.batches[f] {
		square += (v - mean) * (v - mean)
	}
	return math.Sqrt(square / (n - 1) / n * (1 - n/float64(parts)))
}

// Estimate is an average answer, or a difference of two, with its credible intervals.
type Estimate struct {
	Point, Lo, Hi float64
	// BandLo and BandHi hold at all points of an effect at once, with the same probability.
	BandLo, BandHi float64
	// Error is the numerical standard error of the average: it is over a part of the rows. It is 0 where
	// all rows were averaged.
	Error float64
}

// interval summarises draws around a point.
func interval(point float64, draws []float64, level float64, kind amp.IntervalKind) Estimate {
	lo, hi := amp.CredibleInterval(slices.Clone(draws), level, kind)
	return Estimate{Point: point, Lo: lo, Hi: hi, BandLo: math.NaN(), BandHi: math.NaN()}
}

// band adds a simultaneous band to the estimates of an effect's points, by their draws.
func band(estimates []*Estimate, draws [][]float64, level float64) {
	together := amp.NewSimultaneous(len(draws[0]))
	for _, d := range draws {
		together.Add(ranksOf(d))
	}
	at := together.PointwiseLevel(level)
	for i, e := range estimates {
		e.BandLo, e.BandHi = amp.CredibleInterval(slices.Clone(draws[i]), at, amp.EqualTailed)
		e.BandLo, e.BandHi = min(e.BandLo, e.Lo), max(e.BandHi, e.Hi)
	}
}

// ranksOf are the ranks of draws, from 0; equal ones keep their order.
func ranksOf(draws []float64) []int {
	order, ranks := make([]int, len(draws)), make([]int, len(draws))
	for b := range order {
		order[b] = b
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case draws[a] < draws[b]:
			return -1
		case draws[a] > draws[b]:
			return 1
		}
		return 0
	})
	for rank, b := range order {
		ranks[b] = rank
	}
	return ranks
}

// above is the share of draws above 0, ties by half.
func above(draws []float64) float64 {
	return joint.Effect{Draws: [][]float64{draws}}.Above(0)
}
