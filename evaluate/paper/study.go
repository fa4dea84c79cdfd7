package paper

import (
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
)

// Study is a named experiment.
type Study struct {
	Name    string
	Title   string // one line
	Cells   func(Setting) []evaluate.Cell
	Network bool // needs a model: there is no exact one
	Classes bool // the model is a classifier
	Sets    int  // simulated data sets of a cell, unless told otherwise
}

// publishedSets is the number of data sets behind every figure of the publication's simulations
// here.
const publishedSets = 20

// Studies lists the studies: the publication's, and one of all functionals with known truth.
func Studies() []Study {
	return []Study{
		{Name: "effect", Cells: effectCells, Sets: publishedSets,
			Title: "figure 1: credible bands of the median of a one-dimensional effect"},
		{Name: "simulation", Cells: simulationCells, Sets: publishedSets,
			Title: "figure 2: coverage and width on the additive model"},
		{Name: "steps", Cells: stepsCells, Sets: publishedSets,
			Title: "figures 3 and 5: number of forward samples of a chain"},
		{Name: "ablation", Cells: ablationCells, Sets: publishedSets,
			Title: "figures 3 and 6: initial distribution and learning rate"},
		{Name: "benchmark", Cells: benchmarkCells, Network: true,
			Title: "tables 1 and 2: intervals on a folder of tables"},
		{Name: "calibration", Cells: calibrationCells, Network: true, Sets: 1,
			Title: "ranks, coverage and width of every functional on ten families of functions"},
		{Name: "classes", Cells: classCells, Network: true, Classes: true, Sets: 1,
			Title: "the same of the probabilities of classes, of a classifier"},
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
