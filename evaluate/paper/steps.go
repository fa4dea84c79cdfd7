package paper

import (
	"fmt"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
)

// stepsCells is the left panel of figure 3, and figure 5: the number of forward samples.
func stepsCells(set Setting) []evaluate.Cell {
	return gridCells(set, func(s scene) []evaluate.Method {
		var methods []evaluate.Method
		for _, steps := range []int{5, 10, 20, 50, 100} {
			with := set
			with.Steps = steps
			methods = append(methods, variant{
				evaluate.Posterior{Method: amp.Chains{Ranks: with.Ranks()}}, fmt.Sprintf("N = %d", steps)})
		}
		return methods
	})
}

// variant is a method under another name.
type variant struct {
	evaluate.Method
	name string
}

// Name implements [evaluate.Method].
func (v variant) Name() string { return v.name }
