package report

import (
	"testing"

	"github.com/pfnamp/pfnamp/evaluate"
)

// No figure reads 0 that is not 0, and splits that agree have no error.
func TestSpread(t *testing.T) {
	for _, c := range []struct {
		value, errors float64
		want          string
	}{
		{0.935, 0.041, "0.94 ± 0.04"},
		{1, 0, "1.00"},
		{0.812, 0.004, "0.81 ± <0.01"},
		{0.003, 0.002, "<0.01"},
		{0, 0, "0.00"},
		{-0.05, 0.051, "-0.05 ± 0.05"},
	} {
		if got := spread(c.value, c.errors, 2); got != c.want {
			t.Errorf("%g, %g: %q, want %q", c.value, c.errors, got, c.want)
		}
	}
}

// Figures in the unit of the target have two digits, however small the unit.
func TestCell(t *testing.T) {
	for _, c := range []struct {
		metric    string
		value, se evaluate.Number
		want      string
	}{
		{"rmse", 0.00346, 0.00041, "0.0035 ± 0.0008"},
		{"crps", 0.00184, 0.0001, "0.0018 ± 0.0002"},
		{"rmse", 0.346, 0.041, "0.35 ± 0.08"},
		{"rmse", 34.6, 4.1, "34.6 ± 8.2"},
		{"width", 1e-9, 1e-10, "<0.01"},
		{"coverage", 0.03, 0.01, "0.03 ± 0.02"},
	} {
		var r evaluate.Result
		r.Method, r.Metric, r.Value, r.SE = "ridge", c.metric, c.value, c.se
		g := group{results: []evaluate.Result{r}}
		if got := g.cell("ridge", "", c.metric); got != c.want {
			t.Errorf("%s of %v: %q, want %q", c.metric, c.value, got, c.want)
		}
	}
}
