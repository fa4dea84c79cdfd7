package report

import (
	"math"

	"github.com/pfnamp/pfnamp/evaluate"
)

// pitBins is the number of columns of a PIT histogram.
const pitBins = 10

// totals counts over all rows of a run.
type totals struct {
	rows int
	evaluate.Labelled
	pit     [pitBins]int
	central [19]int // labels inside the central interval of level (i+1)/20

	// sum of the probabilities of the most probable class, where labels are known
	sure        float64
	classes     [pitBins]int // labels by probability of the most probable class
	classesTrue [pitBins]int // those that are that class
}

func (t *totals) add(asked Asked, r Row) {
	t.rows++
	if math.IsNaN(r.Label) || r.Read {
		return
	}
	if asked.Classes != nil {
		t.addClass(r)
		return
	}
	t.Add(r.Label, r.Mean, r.CRPS, evaluate.Interval{Lo: r.LabelLo, Hi: r.LabelHi})
	t.pit[bin(r.PIT)]++
	for i := range t.central {
		if math.Abs(r.PIT-0.5) <= float64(i+1)/40 {
			t.central[i]++
		}
	}
}

func (t *totals) addClass(r Row) {
	probabilities := make([]float64, len(r.Estimates))
	for k, e := range r.Estimates {
		probabilities[k] = e.Point
	}
	t.AddClass(probabilities, r.Best, int(r.Label))
	best := probabilities[r.Best]
	t.sure += best
	t.classes[bin(best)]++
	if int(r.Label) == r.Best {
		t.classesTrue[bin(best)]++
	}
}

func bin(p float64) int { return max(0, min(pitBins-1, int(p*pitBins))) }
