package pfn

import "github.com/pfnamp/pfnamp/models"

// barHead reads logits of bars. The ensemble turns them into probabilities of common bars. Without
// a network, it uses quantiles.
type barHead struct {
	quantileHead
	compat bool // quantiles end at the outermost borders
}

func barsOf(m *models.Manifest) head {
	if m.Head.Kind != models.BarHead {
		return nil
	}
	return barHead{quantileHead{models.LogitsOutput, m.Head.Levels},
		m.TabPFN.Tails == models.TailsCompat}
}

// barEnsemble is an ensemble of networks with bars.
type barEnsemble interface {
	Borders() []float64                   // in units of the target
	Combine(logits [][]float32) []float64 // probabilities of a row's bars
}

func (h barHead) combiner(e ensemble, _ target) combiner {
	bars := e.(barEnsemble)
	borders := bars.Borders()
	return func(members [][]float32, _ weighing) part {
		return newBars(borders, bars.Combine(members), h.compat)
	}
}
