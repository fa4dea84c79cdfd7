package reading

import (
	"math"
	"sync/atomic"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/distr"
)

// labelLevels is the number of quantiles of a widened label distribution.
const labelLevels = 199

// coherence makes the label's distribution and the surface of a row agree (amp.Coherence). If they
// contradict each other, it moves the label's distribution to the nearest possible one, given the
// surface. Its scratch space makes it unsafe for concurrent use.
type coherence struct {
	*prepared
	least, most, knots []float64
}

// prepared is the part that surfaces with the same levels share.
type prepared struct {
	*amp.Coherence
	levels []float64
}

// latest is the coherence of the most recent surfaces. Surfaces of one model have the same levels,
// and preparing takes as long as the bounds of some hundred rows.
var latest atomic.Pointer[prepared]

// newCoherence prepares for surfaces with the levels of s.
func newCoherence(s *amp.Surface) *coherence {
	p := latest.Load()
	if p == nil || !p.Fits(s) {
		p = &prepared{levels: make([]float64, labelLevels)}
		for i := range p.levels {
			p.levels[i] = float64(i+1) / (labelLevels + 1)
		}
		p.Coherence = amp.NewCoherence(s, p.levels)
		latest.Store(p)
	}
	return &coherence{p, make([]float64, labelLevels), make([]float64, labelLevels),
		make([]float64, labelLevels)}
}

// agreeRows is how many rows one goroutine makes agree, 28 µs each.
const agreeRows = 64

// agree makes the labels of predictions agree with their surfaces. Unless own is set, it drops the
// surfaces. The label is the same for every posterior.
func agree(rows []amp.Prediction, own bool) {
	var c *coherence
	for i := range rows {
		s, ok := rows[i].Own.(*amp.Surface)
		if !ok {
			continue
		}
		if c == nil {
			c = newCoherence(s)
		}
		agreed := *s
		agreed.Label = c.label(rows[i].PPD.(distr.PPD), s)
		rows[i].PPD, rows[i].Own = agreed.Label, nil
		if own {
			rows[i].Own = &agreed
		}
	}
}

// label returns a label distribution that agrees with a surface: ppd itself if it does.
func (c *coherence) label(ppd distr.PPD, s *amp.Surface) distr.PPD {
	c.Bounds(s, c.least, c.most)
	amp.Quantiles(ppd, c.knots, c.levels)
	moved, last := false, math.Inf(-1)
	for i, q := range c.knots {
		to := max(min(max(q, c.least[i]), c.most[i]), last)
		moved = moved || to != q
		c.knots[i], last = to, to
	}
	if !moved {
		return ppd
	}
	return distr.QuantilesOf(c.knots)
}

// Reach widens central intervals of labels to the values that the surfaces of their rows leave
// possible. Rows that chains answer keep their intervals.
func Reach(intervals []distr.Interval, rows []amp.Prediction, fallen []bool, level float64) {
	var c *amp.Coherence
	tail := (1 - level) / 2
	least, most := make([]float64, 2), make([]float64, 2)
	for i := range intervals {
		s, ok := rows[i].Own.(*amp.Surface)
		if !ok || s.Companion || fallen[i] {
			continue
		}
		if c == nil {
			c = amp.NewCoherence(s, []float64{tail, 1 - tail})
		}
		c.Bounds(s, least, most)
		intervals[i].Lo, intervals[i].Hi = min(intervals[i].Lo, most[0]), max(intervals[i].Hi, least[1])
	}
}
