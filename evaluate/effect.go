package evaluate

import (
	"context"
	"fmt"

	"github.com/pfnamp/pfnamp/amp"
)

// effectPoints is the number of equidistant features at which an effect is drawn.
const effectPoints = 200

// effectCells is figure 1: one data set with one feature per number of rows, credible bands of the
// median, and their coverage and width along the feature.
func effectCells(set Setting) []Cell {
	local := set.local()
	var cells []Cell
	for _, n := range []int{50, 200, 800} {
		s := scene{Additive{1, 1}, n}
		cells = append(cells, Cell{Key: fmt.Sprintf("n%d", n), Params: []Param{{"n", n}},
			Run: func(ctx context.Context) (Outcome, error) {
				methods := simulationMethods(set, s, local)
				return s.effect(ctx, set, methods)
			}})
	}
	return cells
}

// effect draws the bands of one data set.
func (s scene) effect(ctx context.Context, set Setting, methods []Method) (Outcome, error) {
	query := Matrix{Rows: effectPoints, Cols: 1}
	for i := range effectPoints {
		query.X = append(query.X, (float64(i)+0.5)/effectPoints)
	}
	key := "effect/" + s.key()
	draw := s.law.Draw(stream(set.Seed, key), s.rows, query)
	task, err := s.task(ctx, set, draw, key)
	if err != nil {
		return Outcome{}, err
	}
	median := []amp.Functional{amp.Quantile{Level: 0.5}}
	tally, truth := newTally(), draw.truth(median)
	made, err := tally.measure(ctx, task, methods, truth)
	if err != nil {
		return Outcome{}, err
	}
	out := Outcome{Measures: tally.measures(), Curves: []Curve{
		{Name: "data", X: numbers(draw.Train.X), Y: numbers(draw.Train.Y)},
		{Name: "truth", X: numbers(query.X), Y: numbers(draw.Mean)},
		{Name: "estimate", X: numbers(query.X), Y: numbers(task.Prediction.points(median[0]))},
	}}
	for i, m := range methods {
		if made[i][0] != nil {
			out.Curves = append(out.Curves, band(m.Name(), query.X, made[i][0]))
		}
	}
	return out, nil
}

// band is the curve of intervals.
func band(name string, x []float64, intervals []Interval) Curve {
	c := Curve{Name: name, X: numbers(x)}
	for _, in := range intervals {
		c.Lo = append(c.Lo, Number(in.Lo))
		c.Hi = append(c.Hi, Number(in.Hi))
	}
	return c
}

func numbers(x []float64) []Number {
	out := make([]Number, len(x))
	for i, v := range x {
		out[i] = Number(v)
	}
	return out
}
