package main

import (
	"testing"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
)

// Calibrated intervals of the exact model cover the truth as often as asked for, and are narrower
// than those of the paper's schedule, which cannot know how much the table says.
func TestCalibrated(t *testing.T) {
	local := &evaluate.Local{Kind: amp.Limit, Sampler: amp.Sampler{Chains: 200, Seed: 1},
		Sizes: []float64{0.25, 1, 4, 16, 64, 256, 1024}}
	chains := amp.Chains{Ranks: &amp.Ranks{Sampler: amp.Sampler{Chains: 400, Seed: 1}}}
	methods := []evaluate.Method{calibrated{local, 2},
		evaluate.Posterior{Method: chains}}
	coverage, width := make([]evaluate.Moments, 2), make([]evaluate.Moments, 2)
	median := []amp.Functional{amp.Quantile{Level: 0.5}}
	law, model := additive{features: 1, signals: 1}, ideal{1}
	for i := range 8 {
		random := evaluate.Stream(77, string(rune('a'+i)))
		query := law.points(random, 200)
		train, truth := law.draw(random, 800, query)
		p, err := model.Predict(t.Context(), train, query)
		if err != nil {
			t.Fatal(err)
		}
		task := &evaluate.Task{Model: model, Train: train, Query: query, Prediction: p,
			Level: 0.9, Seed: uint64(i), Key: "t"}
		for k, m := range methods {
			made, err := m.Intervals(t.Context(), task, median)
			if err != nil {
				t.Fatal(err)
			}
			coverage[k].Add(evaluate.Coverage(made[0], truth))
			width[k].Add(evaluate.Width(made[0]))
		}
	}
	for k, m := range methods {
		t.Logf("%s: coverage %.3f ± %.3f, width %.3f", m.Name(), coverage[k].Mean(),
			coverage[k].SE(), width[k].Mean())
	}
	if c := coverage[0].Mean(); c < 0.9 {
		t.Errorf("coverage %v", c)
	}
	if ratio := width[0].Mean() / width[1].Mean(); ratio > 0.9 {
		t.Errorf("calibrated intervals are %v times as wide as the paper's", ratio)
	}
}
