package evaluate

import (
	"testing"

	"github.com/pfnamp/pfnamp/amp"
)

// Calibrated intervals of least squares cover the truth about as often as asked for, and are far
// narrower than those of the paper's schedule, which cannot know that the model has two
// parameters.
func TestCalibrated(t *testing.T) {
	local := &amp.Local{Kind: amp.Limit, Sampler: amp.LocalSampler{Chains: 400, Seed: 1,
		Sizes: []float64{0.25, 1, 4, 16, 64, 256, 1024}}}
	methods := []Method{Calibrated{Local: local, Halves: 3},
		Posterior{amp.Chains{Ranks: &amp.Ranks{Sampler: amp.Sampler{Chains: 400, Seed: 1}}}}}
	coverage, width := make([]Moments, 2), make([]Moments, 2)
	median := []amp.Functional{amp.Quantile{Level: 0.5}}
	for i := range 30 {
		table := line(400)
		random := stream(77, string(rune('a'+i)))
		truth := make([]float64, table.Rows)
		for row := range table.Y {
			truth[row] = 3 * table.Row(row)[0]
			table.Y[row] = truth[row] + random.NormFloat64()
		}
		p, err := ridge{}.Predict(t.Context(), table.Data, table.Matrix)
		if err != nil {
			t.Fatal(err)
		}
		task := &Task{Model: ridge{}, Train: table.Data, Query: table.Matrix, Prediction: p,
			Level: 0.9, Seed: uint64(i), Key: "t"}
		for k, m := range methods {
			made, err := m.Intervals(t.Context(), task, median)
			if err != nil {
				t.Fatal(err)
			}
			coverage[k].Add(Coverage(made[0], truth))
			width[k].Add(Width(made[0]))
		}
	}
	for k, m := range methods {
		t.Logf("%s: coverage %.3f ± %.3f, width %.3f", m.Name(), coverage[k].Mean(),
			coverage[k].SE(), width[k].Mean())
	}
	if c := coverage[0].Mean(); c < 0.8 {
		t.Errorf("coverage %v", c)
	}
	if ratio := width[0].Mean() / width[1].Mean(); ratio > 0.9 {
		t.Errorf("calibrated intervals are %v times as wide as the paper's", ratio)
	}
}
