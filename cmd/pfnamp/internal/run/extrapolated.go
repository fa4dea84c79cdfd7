package run

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
	if !slices.ContainsFunc(q.Posteriors, pfnamp.Posterior.Own) {
		return nil
	}
	var notes []string
	var widest float64 // level that the outermost posterior levels hold
	switch {
	case m.Surface != nil:
		notes = beyondLevels(q.Functionals, m.Surface.Levels)
		widest = between(m.Surface.PosteriorLevels, m.Surface.Scale)
	case m.ClassPosterior != nil:
		widest = between(m.ClassPosterior.PosteriorLevels, 1) // its quantiles are calibrated
	default:
		return nil
	}
	if q.Level > widest && !math.IsNaN(widest) {
		notes = append(notes, fmt.Sprintf("--level %g: the network's own posterior ends at level %.4g, "+
			"so credible intervals "+
			"have that level", q.Level, widest))
	}
	return notes
}

// between is the probability between the outermost levels where they are read at a scale.
func between(levels []float64, scale float64) float64 {
	outer := distuv.UnitNormal.Quantile(levels[len(levels)-1]) / scale
	return 2*distuv.UnitNormal.CDF(outer) - 1
}

// beyondLevels names the quantiles that lie beyond the levels of a surface.
func beyondLevels(functionals []amp.Functional, levels []float64) []string {
	var notes []string
	first, last := levels[0], levels[len(levels)-1]
	for _, f := range functionals {
		end, beyond := amp.Beyond(f, levels)
		if !beyond {
			continue
		}
		notes = append(notes, fmt.Sprintf("%s is extrapolated: the network's own posterior has "+
			"quantiles of levels %g to %g. "+
			"Beyond, pfnamp shifts the interval of q%g like the quantiles of the label",
			f, first, last, end))
	}
	return notes
}
