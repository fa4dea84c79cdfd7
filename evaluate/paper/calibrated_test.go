package paper

import (
	"testing"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
)

// Calibrated intervals of the exact model cover the truth as often as asked for, and are narrower
// than those of the paper's schedule, which cannot know how much the table says.
func TestCalibrated(t *testing.T) {
	local := &evaluate.Local{Kind: amp.Limit, Sampler: evaluate.LocalSampler{Chains: 200, Seed: 1,
		Sizes: []float64{0.25, 1, 4, 16, 64, 256, 1024}}}
	chains := amp.Chains{Ranks: &amp.Ranks{Sampler: amp.Sampler{Chains: 400, Seed: 1}}}
	methods := []evaluate.Method{Calibrated{Local: local, Halves: 2},
		evaluate.Posterior{Method: chains}}
	coverage, width := make([]evaluate.Moments, 2), make([]evaluate.Moments, 2)
	median := []amp.Functional{amp.Quantile{Level: 0.5}}
	law, model := Additive{Features: 1, Signals: 1}, Ideal{Signals: 1}
	for i := range 8 {
		random := evaluate.Stream(77, string(rune('a'+i)))
		draw := law.Draw(random, 800, law.Points(random, 200))
		p, err := model.Predict(t.Context(), draw.Train, draw.Query)
		if err != nil {
			t.Fatal(err)
		}
		task := &evaluate.Task{Model: model, Train: draw.Train, Query: draw.Query, Prediction: p,
			Level: 0.9, Seed: uint64(i), Key: "t"}
		for k, m := range methods {
			made, err := m.Intervals(t.Context(), task, median)
			if err != nil {
				t.Fatal(err)
			}
			coverage[k].Add(evaluate.Coverage(made[0], draw.Mean))
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
