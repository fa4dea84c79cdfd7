package paper

import "github.com/pfnamp/pfnamp/evaluate"

// Setting says how studies are run. All fields must be set, but Model and those that a study does
// not use; the functionals are the studies' own.
type Setting struct {
	evaluate.Setting // Model nil means the exact model, in simulations

	Sets   int              // simulated data sets of a cell
	Points int              // query rows of a simulated data set
	Tables []evaluate.Table // of the benchmark
}
