package report

import (
	"math"

	"github.com/pfnamp/pfnamp/evaluate"
)

// pitBins is the number of columns of a PIT histogram.
const pitBins = 10

// totals counts over all rows of a run.
type totals struct {
	rows, labels int
	covered      int              // labels inside their predictive interval
	square, crps float64          // sums of squared errors of the mean, and of the CRPS
	seen         evaluate.Moments // of the labels
	pit          [pitBins]int
	central      [19]int // labels inside the central interval of level (i+1)/20

	right       int          // labels that are the most probable class
	unknown     int          // labels that no class has
	sure        float64      // sum of the probabilities of the most probable class, where labels are known
	brier       float64      // sum of Brier scores
	classes     [pitBins]int // labels by probability of the most probable class
	classesTrue [pitBins]int // those that are that class
}

// add counts a row.
func (t *totals) add(asked Asked, r Row) {
	t.rows++
	if math.IsNaN(r.Label) {
		return
	}
	t.labels++
	if asked.Classes != nil {
		t.addClass(r)
		return
	}
	t.seen.Add(r.Label)
	t.square += (r.Label - r.Mean) * (r.Label - r.Mean)
	t.crps += r.CRPS
	if r.LabelLo <= r.Label && r.Label <= r.LabelHi {
		t.covered++
	}
	t.pit[bin(r.PIT)]++
	for i := range t.central {
		if math.Abs(r.PIT-0.5) <= float64(i+1)/40 {
			t.central[i]++
		}
	}
}

// addClass counts a row whose class is known.
func (t *totals) addClass(r Row) {
	best := r.Estimates[r.Best].Point
	t.sure += best
	t.classes[bin(best)]++
	if r.Label < 0 {
		t.unknown++
	}
	if int(r.Label) == r.Best {
		t.right++
		t.classesTrue[bin(best)]++
	}
	for k, e := range r.Estimates {
		miss := e.Point
		if float64(k) == r.Label {
			miss--
		}
		t.brier += miss * miss
	}
	if r.Label < 0 {
		t.brier++ // the label's own probability is 0
	}
}

// bin is the column of a probability in a histogram.
func bin(p float64) int { return max(0, min(pitBins-1, int(p*pitBins))) }

// rSquared is 1 - Σ(y-ŷ)² / Σ(y-ȳ)², NaN for fewer than two labels and for equal ones.
func (t *totals) rSquared() float64 {
	n := float64(t.labels)
	about := t.seen.SE() * t.seen.SE() * n * (n - 1) // of the labels about their mean
	if !(about > 0) {
		return math.NaN()
	}
	return 1 - t.square/about
}
