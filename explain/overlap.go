package explain

import "math"

// Overlap measures whether the rows of both arms are similar enough for a comparison.
type Overlap struct {
	Chances []float64 // by row: probability of the second arm, from a model that has not read the row
	Treated []bool    // by row: it is in the second arm
	Outside float64   // share of rows whose chance is below OverlapEdge or above 1-OverlapEdge
	// Effective is the effective sample size of each arm after weighting it to look like all rows:
	// (Σw)²/Σw² with w = 1/P(A = a | X) (Kish 1965).
	Effective [2]float64
}

// OverlapEdge is the probability of an arm below which a row counts as outside the overlap.
const OverlapEdge = 0.05

// Limits of the chances in the correction, so that no row counts more than 1/leastChance times, and
// of the share of rows outside.
const (
	leastChance  = 0.02
	fewOutside   = 0.05
	allOutside   = 0.8
	leastWorking = 5 // effective rows of an arm
)

func newOverlap(chances []float64, arm []int) Overlap {
	o := Overlap{Chances: chances, Treated: make([]bool, len(arm))}
	var sum, square [2]float64
	for i, p := range chances {
		if p < OverlapEdge || p > 1-OverlapEdge {
			o.Outside += 1 / float64(len(chances))
		}
		k := arm[i]
		o.Treated[i] = k == 1
		w := 1 / bounded(p)
		if k == 0 {
			w = 1 / (1 - bounded(p))
		}
		sum[k], square[k] = sum[k]+w, square[k]+w*w
	}
	for k := range sum {
		o.Effective[k] = sum[k] * sum[k] / square[k]
	}
	return o
}

// bounded holds a chance away from 0 and 1.
func bounded(p float64) float64 { return math.Max(leastChance, math.Min(1-leastChance, p)) }

// Holds reports whether at most 5 % of the rows are outside the overlap. Otherwise the interval may
// contain the effect less often than its level.
func (o Overlap) Holds() bool { return o.Outside <= fewOutside }

// none reports that arms cannot be compared at all.
func (o Overlap) none() bool {
	return o.Outside >= allOutside || min(o.Effective[0], o.Effective[1]) < leastWorking
}
