package main

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/models"
)

// extrapolated says what of a question lies beyond the levels of a network's own posterior, a
// sentence each.
func extrapolated(q pfnamp.Question, m models.Manifest) []string {
	own := func(p pfnamp.Posterior) bool { return p == pfnamp.Auto || p == pfnamp.Direct }
	if m.Surface == nil || !own(q.Posterior) && !slices.ContainsFunc(q.Also, own) {
		return nil
	}
	var notes []string
	levels := m.Surface.Levels
	first, last := levels[0], levels[len(levels)-1]
	for _, f := range q.Functionals {
		u, ok := f.(amp.Quantile)
		if !ok || u.Level >= first && u.Level <= last {
			continue
		}
		end := first
		if u.Level > last {
			end = last
		}
		notes = append(notes, fmt.Sprintf("%s: extrapolated: the network's own posterior knows quantiles of "+
			"levels %g to %g; beyond, it is that of q%g, moved as far as the label's quantiles are apart",
			f, first, last, end))
	}
	tails := m.Surface.PosteriorLevels
	outer := distuv.UnitNormal.Quantile(tails[len(tails)-1]) / m.Surface.Calibration()
	if widest := 2*distuv.UnitNormal.CDF(outer) - 1; q.Level > widest && !math.IsNaN(widest) {
		notes = append(notes, fmt.Sprintf("--level %g: the network's own posterior has no level beyond "+
			"%.4g: its credible intervals are those of that level", q.Level, widest))
	}
	return notes
}
