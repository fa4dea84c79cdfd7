package evaluate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/pfnamp/pfnamp/amp"
)

func isCancelled(err error) bool { return errors.Is(err, context.Canceled) }

// scene is one place of the simulation grid.
type scene struct {
	law  Additive
	rows int
}

// key names a scene in files and random streams.
func (s scene) key() string {
	return fmt.Sprintf("d%d-J%d-n%d", s.law.Features, s.law.Signals, s.rows)
}

func (s scene) params() []Param {
	return []Param{{"d", s.law.Features}, {"J", s.law.Signals}, {"n", s.rows}}
}

// model is the setting's, or the exact one of the scene.
func (s scene) model(set Setting) Model {
	if set.Model != nil {
		return set.Model
	}
	return Ideal{Signals: s.law.Signals}
}

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
func gridCells(set Setting, methods func(scene) []Method) []Cell {
	var cells []Cell
	for _, s := range grid() {
		cells = append(cells, Cell{Key: s.key(), Params: s.params(),
			Run: func(ctx context.Context) (Outcome, error) {
				return s.simulate(ctx, set, methods(s))
			}})
	}
	return cells
}

// optimal is the analytic optimum beside any model.
type optimal struct{ signals int }

// Name implements Method.
func (optimal) Name() string { return MethodOptimal }

// Intervals implements Method.
func (o optimal) Intervals(
	ctx context.Context, t *Task, functionals []amp.Functional,
) ([][]Interval, error) {
	p, err := Ideal{o.signals}.Predict(ctx, t.Train, t.Query)
	if err != nil {
		return nil, err
	}
	exact := *t
	exact.Prediction = p
	return Posterior{amp.Direct{}}.Intervals(ctx, &exact, functionals)
}

// simulationCells is figure 2.
func simulationCells(set Setting) []Cell {
	local := set.local()
	return gridCells(set, func(s scene) []Method { return simulationMethods(set, s, local) })
}

// simulationMethods are the optimum, the paper's chains, their limit, the local schedule and, of
// a network, its own posterior.
func simulationMethods(set Setting, s scene, local *amp.Local) []Method {
	ranks := set.ranks()
	methods := []Method{optimal{s.law.Signals},
		Posterior{amp.Chains{Kind: amp.Paper, Ranks: ranks}},
		Posterior{amp.Chains{Kind: amp.Limit, Ranks: ranks}},
		Posterior{local},
	}
	if set.Model != nil {
		methods = append(methods,
			Calibrated{Local: local, Halves: halvings},
			Posterior{amp.Direct{}})
	}
	return methods
}

// ranks draws with the paper's schedule.
func (set Setting) ranks() *amp.Ranks {
	sampler := amp.Sampler{Chains: set.Chains, Steps: set.Steps, Seed: set.Seed}
	if set.Workers > 1 {
		sampler.Workers = 1 // cells are computed side by side
	}
	return &amp.Ranks{Sampler: sampler}
}

// local is the local method that all cells share.
func (set Setting) local() *amp.Local {
	return &amp.Local{Kind: amp.Limit, Sampler: amp.LocalSampler{
		Chains: set.Chains, Steps: set.Steps, Seed: set.Seed}}
}

// stepsCells is the left panel of figure 3, and figure 5: the number of forward samples.
func stepsCells(set Setting) []Cell {
	return gridCells(set, func(s scene) []Method {
		var methods []Method
		for _, steps := range []int{5, 10, 20, 50, 100} {
			with := set
			with.Steps = steps
			methods = append(methods, variant{
				Posterior{amp.Chains{Ranks: with.ranks()}}, fmt.Sprintf("N = %d", steps)})
		}
		return methods
	})
}

// ablationCells is the right panel of figure 3, and figure 6.
func ablationCells(set Setting) []Cell {
	return gridCells(set, func(s scene) []Method {
		ranks, steep, plain := set.ranks(), set.ranks(), set.ranks()
		steep.Beta = 1
		plain.Schedule = func(context amp.Shape) amp.Schedule { return unblown(context, set.Steps) }
		paper := Posterior{amp.Chains{Ranks: ranks}}
		return []Method{
			paper,
			stretched{paper, 0.8},
			stretched{paper, 1.25},
			variant{Posterior{amp.Chains{Ranks: steep}}, "beta = 1"},
			variant{Posterior{amp.Chains{Ranks: plain}}, "no blow-up"},
		}
	})
}

// unblown is the paper's schedule without the factor 1/C that makes up for finite chains.
func unblown(context amp.Shape, steps int) amp.FixedSchedule {
	rates := make(amp.FixedSchedule, steps)
	for k := range rates {
		rates[k] = math.Min(1,
			math.Pow(2/float64(context.Rows+k+1), amp.PaperBeta(context.Features)))
	}
	return rates
}

// variant is a method under another name.
type variant struct {
	Method
	name string
}

// Name implements [Method].
func (v variant) Name() string { return v.name }

// stretched runs a method on predictive distributions stretched by a factor.
type stretched struct {
	Method
	factor float64
}

// Name implements [Method].
func (s stretched) Name() string { return fmt.Sprintf("PPD x %g", s.factor) }

// Intervals implements [Method].
func (s stretched) Intervals(
	ctx context.Context, t *Task, functionals []amp.Functional,
) ([][]Interval, error) {
	task := *t
	task.Prediction.PPDs = make([]PPD, len(t.Prediction.PPDs))
	for i, ppd := range t.Prediction.PPDs {
		task.Prediction.PPDs[i] = Stretched{ppd, s.factor}
	}
	return s.Method.Intervals(ctx, &task, functionals)
}

// medianAndQ90 are the functionals of the paper's experiments.
func medianAndQ90() []amp.Functional {
	return []amp.Functional{amp.Quantile{Level: 0.5}, amp.Quantile{Level: 0.9}}
}

// simulate measures methods on the data sets of a scene: coverage of the true functional and
// width, as means over data sets with their standard errors, and the model's error.
func (s scene) simulate(ctx context.Context, set Setting, methods []Method) (Outcome, error) {
	tally := newTally()
	for i := range set.Sets {
		key := fmt.Sprintf("%s/set%d", s.key(), i)
		random := stream(set.Seed, key)
		draw := s.law.Draw(random, s.rows, s.law.Points(random, set.Points))
		start := time.Now()
		task, err := s.task(ctx, set, draw, key)
		if err != nil {
			return Outcome{}, err
		}
		tally.add(MethodPPD, "", "time_s", time.Since(start).Seconds())
		truth := draw.truth(medianAndQ90())
		for k, f := range truth.functionals {
			points := task.Prediction.points(f)
			tally.add(MethodPPD, f.String(), "rmse", rootMeanSquare(points, truth.values[k]))
		}
		if _, err := tally.measure(ctx, task, methods, truth); err != nil {
			return Outcome{}, err
		}
	}
	return Outcome{Measures: tally.measures()}, nil
}

// task predicts the query rows of a draw.
func (s scene) task(ctx context.Context, set Setting, d Draw, key string) (*Task, error) {
	model := s.model(set)
	prediction, err := model.Predict(ctx, d.Train, d.Query)
	if err != nil {
		return nil, err
	}
	return &Task{Model: model, Train: d.Train, Query: d.Query, Prediction: prediction,
		Level: set.Level, Seed: set.Seed, Key: key}, nil
}

// truth returns the true functionals of the query rows; the functionals must be means or
// quantiles.
func (d Draw) truth(functionals []amp.Functional) answers {
	a := answers{functionals: functionals, unit: 1}
	for _, f := range functionals {
		shift, _ := noiseShift(f)
		values := make([]float64, len(d.Mean))
		for i, mean := range d.Mean {
			values[i] = mean + shift
		}
		a.values = append(a.values, values)
	}
	return a
}

func rootMeanSquare(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += (a[i] - b[i]) * (a[i] - b[i])
	}
	return math.Sqrt(sum / float64(len(a)))
}
