package pfn

import (
	"fmt"
	"slices"

	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/ort"
)

// head is one output of the query graph: quantiles at the levels i/(levels+1) of the label, or of
// the posterior of its median, or logits of bars or classes.
type head struct {
	name   string
	index  int // among the outputs of the graph
	levels int
	// marginal stands in for the network where no feature varies: knots from the standardised
	// targets alone.
	marginal func(y []float32, levels int) *Quantiles
}

// headsOf finds the outputs that a bundle announces among those of its query graph. The first one
// is the label's.
func headsOf(b *models.Bundle, outputs []ort.Port) ([]head, error) {
	heads := []head{{name: models.QuantileOutput, levels: b.Manifest.Head.Levels,
		marginal: marginal}}
	if b.Manifest.Family == models.TabPFNFamily || b.Manifest.Classifier() {
		heads[0].name = models.LogitsOutput
	}
	if direct := b.Manifest.Direct; direct != nil {
		heads = append(heads, head{name: models.MedianOutput, levels: direct.Levels,
			marginal: sampleMedian})
	}
	for i, h := range heads {
		named := func(p ort.Port) bool { return p.Name == h.name }
		if heads[i].index = slices.IndexFunc(outputs, named); heads[i].index < 0 {
			return nil, &BundleError{Bundle: b.Source,
				Msg: fmt.Sprintf("the query graph has no output %q", h.name)}
		}
	}
	return heads, nil
}

// output takes one head's quantiles of a number of rows out of the results of a run.
func (m *Model) output(h head, out []ort.Tensor, rows int) ([]float32, error) {
	t := out[h.index]
	if len(t.Data) != rows*h.levels {
		return nil, &ModelError{m.name(), fmt.Sprintf(
			"%s have shape %v, need [1 %d %d]", h.name, t.Shape, rows, h.levels)}
	}
	if !finite(t.Data) {
		return nil, &ModelError{m.name(), fmt.Sprintf("the %s contain NaN or Inf", h.name)}
	}
	return t.Data, nil
}
