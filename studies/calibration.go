package main

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
)

// calibrationCells measures credible intervals of every functional where the truth is known: ten
// families of functions, numbers of features and rows, little and much noise.
func calibrationCells(set setting) []evaluate.Cell {
	ranks := set.Ranks()
	methods := []evaluate.Method{chains(amp.PaperPosterior, ranks),
		chains(amp.LimitPosterior, ranks), direct, companion}
	var cells []evaluate.Cell
	for _, k := range families() {
		for _, d := range []int{2, 5, 10, 20} {
			for _, n := range []int{50, 200, 800} {
				for _, noise := range []string{"little", "much"} {
					p := k.place(d, n, evaluate.Param{Name: "noise", Value: noise})
					p.key += "-" + noise
					p.stream = "calibration/" + p.key
					p.draw = func(random *rand.Rand) sample {
						w := k.world(random, d, n, set.points, noises[noise])
						return sample{w.train, w.query, w.asked(), func(tally *evaluate.Tally, t *evaluate.Task) {
							w.predictive(tally, random, t)
						}}
					}
					cells = append(cells, p.cell(set, func() []evaluate.Method { return methods }))
				}
			}
		}
	}
	return cells
}

// noises are standard deviations of the noise, in that of the function.
var noises = map[string]float64{"little": 0.2, "much": 0.8}

// place is a place of a grid of families, whose last coordinate ends its key.
func (k family) place(features, rows int, last evaluate.Param) place {
	return place{key: fmt.Sprintf("%s-d%d-n%d", k.name, features, rows),
		params: []evaluate.Param{{Name: "family", Value: k.name}, {Name: "d", Value: features},
			{Name: "n", Value: rows}, last}}
}

// eventName is how the study "calibration" calls the probability that a label exceeds the 0.7-
// quantile of the training labels.
const eventName = "event"

// asked lists the functionals of the study. Units are the standard deviation of the training
// labels, but for the event.
func (w world) asked() []evaluate.Asked {
	unit := stat.StdDev(w.train.Y, nil)
	t := stat.Quantile(0.7, stat.LinInterp, slices.Sorted(slices.Values(w.train.Y)), nil)
	all := []evaluate.Asked{{Name: "mean", Functional: amp.Mean{}, Unit: unit,
		Values: w.each(w.mean)}}
	for _, u := range []float64{0.1, 0.5, 0.9} {
		f := amp.Quantile{Level: u}
		all = append(all, evaluate.Asked{Name: f.String(), Functional: f, Unit: unit,
			Values: w.each(func(i int) float64 { return w.quantile(i, u) })})
	}
	return append(all, evaluate.Asked{Name: eventName, Functional: amp.Above(t), Unit: 1,
		Values: w.each(func(i int) float64 { return w.exceeds(i, t) })})
}

// each is a true functional of every query row.
func (w world) each(of func(i int) float64) []float64 {
	truth := make([]float64, len(w.f))
	for i := range truth {
		truth[i] = of(i)
	}
	return truth
}

// predictive counts coverage and width of the predictive intervals, for comparison.
func (w world) predictive(tally *evaluate.Tally, random *rand.Rand, t *evaluate.Task) {
	unit, held, width := stat.StdDev(w.train.Y, nil), 0.0, 0.0
	for i, row := range t.Predictions {
		lo, hi := amp.PredictiveInterval(row.PPD, t.Level)
		if y := w.quantile(i, random.Float64()); lo <= y && y <= hi {
			held++
		}
		width += hi - lo
	}
	n := float64(len(w.f))
	tally.Add(evaluate.MethodPPD, "", "coverage", held/n)
	tally.Add(evaluate.MethodPPD, "", "width", width/n/unit)
}
