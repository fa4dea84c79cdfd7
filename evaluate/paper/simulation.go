package paper

import (
	"context"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
)

// grid lists the scenes of the paper's simulation study: d ∈ {1, 10, 20}, J ∈ {⌈d/2⌉, d}, n ∈
// {50, 100, 200, 400, 800}.
func grid() []scene {
	var scenes []scene
	for _, law := range []Additive{{1, 1}, {10, 5}, {10, 10}, {20, 10}, {20, 20}} {
		for _, n := range []int{50, 100, 200, 400, 800} {
			scenes = append(scenes, scene{law, n})
		}
	}
	return scenes
}

// gridCells makes one cell per scene of the grid, with the methods of each.
func gridCells(set Setting, methods func(scene) []evaluate.Method) []evaluate.Cell {
	var cells []evaluate.Cell
	for _, s := range grid() {
		cells = append(cells, evaluate.Cell{Key: s.key(), Params: s.params(),
			Run: func(ctx context.Context) (evaluate.Outcome, error) {
				return s.simulate(ctx, set, methods(s))
			}})
	}
	return cells
}

// simulationCells is figure 2.
func simulationCells(set Setting) []evaluate.Cell {
	local := set.Local()
	return gridCells(set, func(s scene) []evaluate.Method { return simulationMethods(set, s, local) })
}

// simulationMethods are the optimum, the paper's chains, their limit, the local schedule and, of
// a network, its own posterior.
func simulationMethods(set Setting, s scene, local *evaluate.Local) []evaluate.Method {
	ranks := set.Ranks()
	methods := []evaluate.Method{optimal{s.law.Signals},
		evaluate.Posterior{Method: amp.Chains{Kind: amp.Paper, Ranks: ranks}},
		evaluate.Posterior{Method: amp.Chains{Kind: amp.Limit, Ranks: ranks}},
		evaluate.Posterior{Method: local},
	}
	if set.Model != nil {
		methods = append(methods,
			Calibrated{Local: local, Halves: halvings},
			evaluate.Posterior{Method: amp.Direct{}})
	}
	return methods
}
