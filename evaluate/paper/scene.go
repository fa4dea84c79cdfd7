package paper

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
)

// scene is one place of the simulation grid.
type scene struct {
	law  Additive
	rows int
}

// key names a scene in files and random streams.
func (s scene) key() string {
	return fmt.Sprintf("d%d-J%d-n%d", s.law.Features, s.law.Signals, s.rows)
}

func (s scene) params() []evaluate.Param {
	return []evaluate.Param{{Name: "d", Value: s.law.Features}, {Name: "J", Value: s.law.Signals},
		{Name: "n", Value: s.rows}}
}

// model is the setting's, or the exact one of the scene.
func (s scene) model(set Setting) evaluate.Model {
	if set.Model != nil {
		return set.Model
	}
	return Ideal{Signals: s.law.Signals}
}

// simulate measures methods on the data sets of a scene: coverage of the true functional and
// width, as means over data sets with their standard errors, and the model's error.
func (s scene) simulate(
	ctx context.Context, set Setting, methods []evaluate.Method,
) (evaluate.Outcome, error) {
	var tally evaluate.Tally
	for i := range set.Sets {
		key := fmt.Sprintf("%s/set%d", s.key(), i)
		random := evaluate.Stream(set.Seed, key)
		draw := s.law.Draw(random, s.rows, s.law.Points(random, set.Points))
		start := time.Now()
		task, err := s.task(ctx, set, draw, key)
		if err != nil {
			return evaluate.Outcome{}, err
		}
		tally.Add(evaluate.MethodPPD, "", "time_s", time.Since(start).Seconds())
		truth := draw.truth(medianAndQ90())
		for k, f := range truth.Functionals {
			points := task.Prediction.Points(f)
			tally.Add(evaluate.MethodPPD, f.String(), "rmse", rootMeanSquare(points, truth.Values[k]))
		}
		if _, err := tally.Score(ctx, task, methods, truth); err != nil {
			return evaluate.Outcome{}, err
		}
	}
	return evaluate.Outcome{Measures: tally.Measures()}, nil
}

// task predicts the query rows of a draw.
func (s scene) task(ctx context.Context, set Setting, d Draw, key string) (*evaluate.Task, error) {
	model := s.model(set)
	prediction, err := model.Predict(ctx, d.Train, d.Query)
	if err != nil {
		return nil, err
	}
	return &evaluate.Task{Model: model, Train: d.Train, Query: d.Query, Prediction: prediction,
		Level: set.Level, Seed: set.Seed, Key: key}, nil
}

// truth returns the true functionals of the query rows; the functionals must be means or
// quantiles.
func (d Draw) truth(functionals []amp.Functional) evaluate.Truth {
	t := evaluate.Truth{Functionals: functionals, Unit: 1}
	for _, f := range functionals {
		shift, _ := noiseShift(f)
		values := make([]float64, len(d.Mean))
		for i, mean := range d.Mean {
			values[i] = mean + shift
		}
		t.Values = append(t.Values, values)
	}
	return t
}

func rootMeanSquare(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += (a[i] - b[i]) * (a[i] - b[i])
	}
	return math.Sqrt(sum / float64(len(a)))
}
