package paper

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
)

// calibrationCells measures credible intervals of every functional where the truth is known: ten
// families of functions, numbers of features and rows, little and much noise.
func calibrationCells(set Setting) []evaluate.Cell {
	ranks := set.Ranks()
	methods := []evaluate.Method{
		evaluate.Posterior{Method: amp.Chains{Kind: amp.Paper, Ranks: ranks}},
		evaluate.Posterior{Method: amp.Chains{Kind: amp.Limit, Ranks: ranks}},
		evaluate.Posterior{Method: amp.Direct{}},
	}
	var cells []evaluate.Cell
	for _, k := range families() {
		for _, d := range []int{2, 5, 10, 20} {
			for _, n := range []int{50, 200, 800} {
				for _, noise := range []string{"little", "much"} {
					p := place{k, d, n, noise}
					cells = append(cells, evaluate.Cell{Key: p.key(), Params: p.params(),
						Run: func(ctx context.Context) (evaluate.Outcome, error) {
							return p.calibrate(ctx, set, methods)
						}})
				}
			}
		}
	}
	return cells
}

// place is one place of the grid of families.
type place struct {
	family
	features, rows int
	noise          string // "little" or "much"
}

// noises are standard deviations of the noise, in that of the function.
var noises = map[string]float64{"little": 0.2, "much": 0.8}

func (p place) key() string {
	return fmt.Sprintf("%s-d%d-n%d-%s", p.name, p.features, p.rows, p.noise)
}

func (p place) params() []evaluate.Param {
	return []evaluate.Param{{Name: "family", Value: p.name}, {Name: "d", Value: p.features},
		{Name: "n", Value: p.rows}, {Name: "noise", Value: p.noise}}
}

// calibrate scores the posteriors on the data sets of a place.
func (p place) calibrate(
	ctx context.Context, set Setting, methods []evaluate.Method,
) (evaluate.Outcome, error) {
	all := measured{"calibration", p.key(), methods, func(random *rand.Rand) drawn {
		w := p.sample(random, p.features, p.rows, set.Points, noises[p.noise])
		return drawn{w.Train, w.Query, w.asked(), func(tally *evaluate.Tally, t *evaluate.Task) {
			w.predictive(tally, random, t)
		}}
	}}
	return all.run(ctx, set)
}

// drawn is a data set with its functionals and their true values; count adds further scores.
type drawn struct {
	train evaluate.Data
	query evaluate.Matrix
	asked []asked
	count func(*evaluate.Tally, *evaluate.Task)
}

// measured are the data sets of a place of a study, each from a random stream of its own.
type measured struct {
	study, place string
	methods      []evaluate.Method
	draw         func(*rand.Rand) drawn
}

// run scores the methods on as many data sets as the setting has.
func (all measured) run(ctx context.Context, set Setting) (evaluate.Outcome, error) {
	var tally evaluate.Tally
	for i := range set.Sets {
		key := fmt.Sprintf("%s/set%d", all.place, i)
		d := all.draw(evaluate.Stream(set.Seed, all.study+"/"+key))
		prediction, err := set.Model.Predict(ctx, d.train, d.query)
		if err != nil {
			return evaluate.Outcome{}, err
		}
		task := &evaluate.Task{Model: set.Model, Train: d.train, Query: d.query,
			Prediction: prediction, Level: set.Level, Seed: set.Seed, Key: key}
		for _, m := range all.methods {
			if err := score(ctx, &tally, m, task, d.asked); err != nil {
				return evaluate.Outcome{}, err
			}
		}
		d.count(&tally, task)
	}
	return evaluate.Outcome{Measures: tally.Measures()}, nil
}

// asked is a functional under the name that it has in all data sets, with its truth.
type asked struct {
	name  string
	f     amp.Functional
	truth []float64
	unit  float64 // of widths
}

// EventName is how the study "calibration" calls the probability that a label exceeds the 0.7-
// quantile of the training labels.
const EventName = "event"

// asked lists the functionals of the study. Units are the standard deviation of the training
// labels, but for the event.
func (w world) asked() []asked {
	unit := stat.StdDev(w.Train.Y, nil)
	t := quantileOf(w.Train.Y, 0.7)
	all := []asked{{name: "mean", f: amp.Mean{}, unit: unit}}
	for _, u := range []float64{0.1, 0.5, 0.9} {
		f := amp.Quantile{Level: u}
		all = append(all, asked{name: f.String(), f: f, unit: unit})
	}
	all = append(all, asked{name: EventName, f: amp.Above(t), unit: 1})
	for i := range w.f {
		all[0].truth = append(all[0].truth, w.mean(i))
		for k, u := range []float64{0.1, 0.5, 0.9} {
			all[k+1].truth = append(all[k+1].truth, w.quantile(i, u))
		}
		all[4].truth = append(all[4].truth, w.exceeds(i, t))
	}
	return all
}

// predictive counts coverage and width of the predictive intervals, for comparison.
func (w world) predictive(tally *evaluate.Tally, random *rand.Rand, t *evaluate.Task) {
	unit, held, width := stat.StdDev(w.Train.Y, nil), 0.0, 0.0
	for i, ppd := range t.Prediction.PPDs {
		lo, hi := amp.PredictiveInterval(ppd, t.Level)
		if y := w.quantile(i, random.Float64()); lo <= y && y <= hi {
			held++
		}
		width += hi - lo
	}
	n := float64(len(w.f))
	tally.Add(evaluate.MethodPPD, "", "coverage", held/n)
	tally.Add(evaluate.MethodPPD, "", "width", width/n/unit)
}

// score adds the scores of a method's intervals: coverage, width, the interval score, the share of
// truths in intervals of other levels, and the share of truths in every tenth of the posterior.
// The interval score is (Gneiting and Raftery 2007, section 6.2)
//
//	width + 2/(1 - level) · (distance of a truth outside).
func score(
	ctx context.Context, tally *evaluate.Tally, m evaluate.Method, t *evaluate.Task, list []asked,
) error {
	functionals := make([]amp.Functional, len(list))
	for i, a := range list {
		functionals[i] = a.f
	}
	made, err := m.Intervals(ctx, t, functionals)
	if err != nil {
		return err
	}
	levels := NestedLevels()
	nested := make([][][]evaluate.Interval, len(levels))
	for i, level := range levels {
		inner := *t
		inner.Level = level
		if nested[i], err = m.Intervals(ctx, &inner, functionals); err != nil {
			return err
		}
	}
	for k, a := range list {
		if made[k] == nil {
			continue
		}
		tally.Add(m.Name(), a.name, "coverage", evaluate.Coverage(made[k], a.truth))
		tally.Add(m.Name(), a.name, "width", evaluate.Width(made[k])/a.unit)
		tally.Add(m.Name(), a.name, "score", intervalScore(made[k], a.truth, t.Level)/a.unit)
		for i, level := range levels {
			tally.Add(m.Name(), a.name, NestedMetric(level),
				evaluate.Coverage(nested[i][k], a.truth))
		}
		for i, share := range tenths(nested, k, a.truth) {
			tally.Add(m.Name(), a.name, RankMetric(i), share)
		}
	}
	return nil
}

// NestedLevels are those of the equal-tailed intervals whose ends are the tenths of a posterior.
func NestedLevels() []float64 { return []float64{0.2, 0.4, 0.6, 0.8} }

// NestedMetric names the coverage of intervals of a level.
func NestedMetric(level float64) string { return fmt.Sprintf("coverage_%g", level) }

// Tenths is the number of parts of a rank histogram.
const Tenths = 10

// RankMetric names the share of truths in the i-th tenth of the posterior, from 0.
func RankMetric(i int) string { return fmt.Sprintf("rank_%d", i) }

// intervalScore is the mean score of intervals, in units of the functional.
func intervalScore(made []evaluate.Interval, truth []float64, level float64) float64 {
	sum := 0.0
	for i, in := range made {
		outside := math.Max(0, in.Lo-truth[i]) + math.Max(0, truth[i]-in.Hi)
		sum += in.Hi - in.Lo + 2/(1-level)*outside
	}
	return sum / float64(len(made))
}

// tenths returns the shares of truths by tenth of the posterior of functional k. The two in the
// middle share what the innermost interval holds, by the side of its centre.
func tenths(nested [][][]evaluate.Interval, k int, truth []float64) [Tenths]float64 {
	var shares [Tenths]float64
	for row, y := range truth {
		at := Tenths / 2
		if in := nested[0][k][row]; y < (in.Lo+in.Hi)/2 {
			at--
		}
		for i := range nested {
			switch in := nested[i][k][row]; {
			case y < in.Lo:
				at = Tenths/2 - 2 - i
			case y > in.Hi:
				at = Tenths/2 + 1 + i
			}
		}
		shares[at] += 1 / float64(len(truth))
	}
	return shares
}

// quantileOf is the p-quantile of a sample, between the order statistics.
func quantileOf(sample []float64, p float64) float64 {
	sorted := slices.Sorted(slices.Values(sample))
	return stat.Quantile(p, stat.LinInterp, sorted, nil)
}
