package paper

import (
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
)

// Study is a named experiment.
type Study struct {
	Name  string
	Title string // one line
	Cells func(Setting) []evaluate.Cell
}

// Studies lists the studies.
func Studies() []Study {
	return []Study{
		{"effect", "figure 1: credible bands of the median of a one-dimensional effect", effectCells},
		{"simulation", "figure 2: coverage and width on the additive model", simulationCells},
		{"steps", "figures 3 and 5: number of forward samples of a chain", stepsCells},
		{"ablation", "figures 3 and 6: initial distribution and learning rate", ablationCells},
		{"benchmark", "tables 1 and 2: intervals on a folder of tables", benchmarkCells},
	}
}

// FindStudy returns the study of a name; ok tells whether there is one.
func FindStudy(name string) (s Study, ok bool) {
	for _, s := range Studies() {
		if s.Name == name {
			return s, true
		}
	}
	return Study{}, false
}

// medianAndQ90 are the functionals of the paper's experiments.
func medianAndQ90() []amp.Functional {
	return []amp.Functional{amp.Quantile{Level: 0.5}, amp.Quantile{Level: 0.9}}
}
