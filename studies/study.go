package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/report"
)

// study is a named experiment: a list of cells for [evaluate.Run], and what is shown of their
// results.
type study struct {
	name    string
	title   string // one line
	cells   func(setting) []evaluate.Cell
	show    func(job) []report.Section
	network bool // needs a model: there is no exact one
	classes bool // the model is a classifier
	sets    int  // simulated data sets of a cell, unless told otherwise
}

// publishedSets is the number of data sets behind every figure of the publication's simulations
// here.
const publishedSets = 20

// studies lists the publication's studies, and two of functionals with known truth.
func studies() []study {
	return []study{
		{name: "effect", cells: effectCells, show: effectSections, sets: publishedSets,
			title: "figure 1: credible bands of the median of a one-dimensional effect"},
		{name: "simulation", cells: onGrid(simulationMethods), show: gridSections, sets: publishedSets,
			title: "figure 2: coverage and width on the additive model"},
		{name: "steps", cells: onGrid(stepMethods), show: gridSections, sets: publishedSets,
			title: "figures 3 and 5: number of forward samples of a chain"},
		{name: "ablation", cells: onGrid(ablationMethods), show: gridSections, sets: publishedSets,
			title: "figures 3 and 6: initial distribution and learning rate"},
		{name: "benchmark", cells: benchmarkCells, show: benchmarkSections, network: true,
			title: "tables 1 and 2: intervals on a folder of tables"},
		{name: "calibration", cells: calibrationCells, show: calibrationSections, network: true, sets: 1,
			title: "coverage and width of every functional on ten families of functions"},
		{name: "classes", cells: classCells, show: classSections, network: true, classes: true, sets: 1,
			title: "the same of the probabilities of classes, of a classifier"},
	}
}

// setting says how a study is run. Model nil means the exact model of every simulation.
type setting struct {
	evaluate.Setting
	sets   int              // simulated data sets of a cell
	points int              // query rows of a simulated data set
	tables []evaluate.Table // of the benchmark
}

// medianAndQ90 are the functionals of the publication's experiments.
func medianAndQ90() []amp.Functional {
	return []amp.Functional{amp.Quantile{Level: 0.5}, amp.Quantile{Level: 0.9}}
}

// benchmarkCells is tables 1 and 2 of the publication: every table, every split.
func benchmarkCells(set setting) []evaluate.Cell {
	set.Functionals = medianAndQ90()
	var cells []evaluate.Cell
	for _, t := range set.tables {
		cells = append(cells, set.Cells(t, evaluate.Param{Name: "dataset", Value: t.Name})...)
	}
	return cells
}

// sample is a simulated data set with the functionals that are asked about it.
type sample struct {
	train pfn.Training
	query evaluate.Matrix
	asked []evaluate.Asked
	count func(*evaluate.Tally, *evaluate.Task) // adds scores of the prediction itself; may be nil
}

// place is a cell of a simulation: data sets of one kind.
type place struct {
	key    string
	params []evaluate.Param
	stream string // name of the random stream of one data set; others begin with it
	exact  int    // features that matter to the exact model, which takes the place of no model
	draw   func(*rand.Rand) sample
	one    bool // there is one data set, whose bands are kept
}

// cell scores methods on as many data sets as the setting has, each from a random stream of its
// own: means over data sets with their standard errors.
func (p place) cell(set setting, methods func() []evaluate.Method) evaluate.Cell {
	streams := []string{p.stream}
	if !p.one {
		streams = nil
		for i := range set.sets {
			streams = append(streams, fmt.Sprintf("%s/set%d", p.stream, i))
		}
	}
	run := func(ctx context.Context) (out evaluate.Outcome, err error) {
		var tally evaluate.Tally
		list := methods()
		for _, stream := range streams {
			s := p.draw(evaluate.Stream(set.Seed, stream))
			task := &evaluate.Task{Model: set.Model, Train: s.train, Query: s.query, Level: set.Level,
				Seed: set.Seed, Key: stream}
			if task.Model == nil {
				task.Model = ideal{p.exact}
			}
			if task.Predictions, err = task.Model.Predict(ctx, s.train, s.query); err != nil {
				return out, err
			}
			made, err := score(ctx, &tally, list, task, s.asked)
			if err != nil {
				return out, err
			}
			if s.count != nil {
				s.count(&tally, task)
			}
			if p.one {
				out.Curves = s.curves(task, list, made)
			}
		}
		out.Measures = tally.Measures()
		return out, nil
	}
	return evaluate.Cell{Key: p.key, Params: p.params, Run: run}
}

// curves are the data, the truth and the estimate of the first functional along the first feature,
// and the band of every method.
func (s sample) curves(
	t *evaluate.Task, methods []evaluate.Method, made [][][]evaluate.Interval,
) []evaluate.Curve {
	x, first := s.query.Data, s.asked[0]
	curves := []evaluate.Curve{evaluate.Line("data", s.train.X.Data, s.train.Y),
		evaluate.Line("truth", x, first.Values),
		evaluate.Line("estimate", x, evaluate.Points(t.Predictions, first.Functional))}
	for i, m := range methods {
		if made[i][0] != nil {
			curves = append(curves, evaluate.Band(m.Name(), x, made[i][0]))
		}
	}
	return curves
}

// score adds coverage, width and interval score of the intervals of methods, which it returns by
// method, functional and row; nil of a functional tells that the method has no answer. The interval
// score is (Gneiting and Raftery 2007, section 6.2)
//
//	width + 2/(1 - level) · (distance of a truth outside).
func score(
	ctx context.Context, tally *evaluate.Tally, methods []evaluate.Method, t *evaluate.Task,
	asked []evaluate.Asked,
) (all [][][]evaluate.Interval, err error) {
	for _, m := range methods {
		made, err := tally.Score(ctx, t, m, asked)
		if err != nil {
			return nil, err
		}
		for k, a := range asked {
			if made[k] != nil {
				tally.Add(m.Name(), a.Name, "score", intervalScore(made[k], a.Values, t.Level)/a.Unit)
			}
		}
		all = append(all, made)
	}
	return all, nil
}

// intervalScore is the mean score of intervals, in units of the functional.
func intervalScore(made []evaluate.Interval, truth []float64, level float64) float64 {
	sum := 0.0
	for i, in := range made {
		sum += in.Hi - in.Lo + 2/(1-level)*max(0, in.Miss(truth[i]))
	}
	return sum / float64(len(made))
}
