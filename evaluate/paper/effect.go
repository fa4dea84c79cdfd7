package paper

import (
	"context"
	"fmt"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
)

// effectPoints is the number of equidistant features at which an effect is drawn.
const effectPoints = 200

// effectCells is figure 1: one data set with one feature per number of rows, credible bands of the
// median, and their coverage and width along the feature.
func effectCells(set Setting) []evaluate.Cell {
	local := set.Local()
	var cells []evaluate.Cell
	for _, n := range []int{50, 200, 800} {
		s := scene{Additive{1, 1}, n}
		cells = append(cells, evaluate.Cell{Key: fmt.Sprintf("n%d", n),
			Params: []evaluate.Param{{Name: "n", Value: n}},
			Run: func(ctx context.Context) (evaluate.Outcome, error) {
				methods := simulationMethods(set, s, local)
				return s.effect(ctx, set, methods)
			}})
	}
	return cells
}

// effect draws the bands of one data set.
func (s scene) effect(
	ctx context.Context, set Setting, methods []evaluate.Method,
) (evaluate.Outcome, error) {
	query := evaluate.Matrix{Rows: effectPoints, Cols: 1}
	for i := range effectPoints {
		query.Data = append(query.Data, (float64(i)+0.5)/effectPoints)
	}
	key := "effect/" + s.key()
	draw := s.law.Draw(evaluate.Stream(set.Seed, key), s.rows, query)
	task, err := s.task(ctx, set, draw, key)
	if err != nil {
		return evaluate.Outcome{}, err
	}
	median := []amp.Functional{amp.Quantile{Level: 0.5}}
	var tally evaluate.Tally
	truth := draw.truth(median)
	made, err := tally.Score(ctx, task, methods, truth)
	if err != nil {
		return evaluate.Outcome{}, err
	}
	out := evaluate.Outcome{Measures: tally.Measures(), Curves: []evaluate.Curve{
		evaluate.Line("data", draw.Train.Data, draw.Train.Y),
		evaluate.Line("truth", query.Data, draw.Mean),
		evaluate.Line("estimate", query.Data, task.Prediction.Points(median[0])),
	}}
	for i, m := range methods {
		if made[i][0] != nil {
			out.Curves = append(out.Curves, evaluate.Band(m.Name(), query.Data, made[i][0]))
		}
	}
	return out, nil
}
