package main

import (
	"encoding/json"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/evaluate"
)

// small is a setting whose studies take a second.
func small() setting {
	return setting{sets: 2, points: 20, Setting: evaluate.Setting{
		Seed: 1, Level: 0.9, Chains: 40, Steps: 10, Workers: 2}}
}

// cellsOf returns those cells of a study that have the keys.
func cellsOf(t *testing.T, name string, set setting, keys ...string) []evaluate.Cell {
	t.Helper()
	s := studies()[slices.IndexFunc(studies(), func(s study) bool { return s.name == name })]
	var cells []evaluate.Cell
	for _, c := range s.cells(set) {
		if slices.Contains(keys, c.Key) {
			cells = append(cells, c)
		}
	}
	if len(cells) != len(keys) {
		t.Fatalf("%d cells of %v", len(cells), keys)
	}
	return cells
}

func TestStudiesHaveDistinctKeys(t *testing.T) {
	for _, s := range studies() {
		seen := map[string]bool{}
		for _, c := range s.cells(small()) {
			if seen[c.Key] || filepath.Base(c.Key) != c.Key {
				t.Errorf("%s: key %q is repeated or no file name", s.name, c.Key)
			}
			seen[c.Key] = true
		}
	}
}

// Every simulation answers for every method, whatever the number of workers.
func TestSimulationStudies(t *testing.T) {
	for _, study := range []struct {
		name    string
		key     string
		methods []string
	}{
		{"simulation", "d10-J5-n50", []string{methodOptimal, evaluate.MethodPaper,
			evaluate.MethodLimit, evaluate.MethodLocal}},
		{"ablation", "d1-J1-n100", []string{evaluate.MethodPaper, "PPD x 0.8", "PPD x 1.25", "beta = 1",
			"no blow-up"}},
		{"steps", "d1-J1-n50", []string{"N = 5", "N = 50"}},
		{"effect", "n50", []string{methodOptimal, evaluate.MethodPaper}},
	} {
		cells := cellsOf(t, study.name, small(), study.key)
		outcomes, err := evaluate.Run(t.Context(), cells, nil, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		results := evaluate.Results(cells, outcomes)
		for _, m := range study.methods {
			c, ok := evaluate.Find(results, m, "q0.5", "coverage")
			w, _ := evaluate.Find(results, m, "q0.5", "width")
			if !ok || !(c.Value >= 0 && c.Value <= 1) || !(w.Value > 0) {
				t.Errorf("%s, %s: coverage %v, width %v", study.name, m, c.Value, w.Value)
			}
		}
	}
}

// The compressed distribution has intervals 0.8 times as wide, exactly.
func TestAblationStretches(t *testing.T) {
	cells := cellsOf(t, "ablation", small(), "d10-J10-n50")
	outcomes, err := evaluate.Run(t.Context(), cells, nil, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	results := evaluate.Results(cells, outcomes)
	whole, _ := evaluate.Find(results, evaluate.MethodPaper, "q0.9", "width")
	less, _ := evaluate.Find(results, "PPD x 0.8", "q0.9", "width")
	if ratio := float64(less.Value / whole.Value); math.Abs(ratio-0.8) > 1e-9 {
		t.Errorf("width ratio %v", ratio)
	}
}

// evaluate.Results do not depend on workers; times apart.
func TestRunIsDeterministic(t *testing.T) {
	keys := []string{"d1-J1-n50", "d10-J5-n50", "d1-J1-n100"}
	var texts []string
	for _, workers := range []int{1, 3} {
		cells := cellsOf(t, "simulation", small(), keys...)
		outcomes, err := evaluate.Run(t.Context(), cells, nil, workers, nil)
		if err != nil {
			t.Fatal(err)
		}
		results := slices.DeleteFunc(evaluate.Results(cells, outcomes),
			func(r evaluate.Result) bool { return r.Metric == "time_s" })
		text, err := json.Marshal(results)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	if texts[0] != texts[1] {
		t.Error("one and three workers give different results")
	}
}

func TestPublished(t *testing.T) {
	all := append(published("tabpfn"), published("tabicl")...)
	if len(all) != 2*2*2*3*8 {
		t.Errorf("%d figures", len(all))
	}
	width, _ := evaluate.Find(only(published("tabpfn"), "dataset", "fish"), evaluate.MethodPaper,
		"q0.5", "width")
	if width.Value != 1.72 || width.SE != 0.04 {
		t.Errorf("table 2 says 1.72 ± 0.08, got %v ± 2 %v", width.Value, width.SE)
	}
}

// The benchmark names its tables, and measures the bootstrap and the calibrated intervals beside
// the program's posteriors.
func TestBenchmark(t *testing.T) {
	set := small()
	set.Model, set.Splits, set.Share, set.Refits = ideal{1}, 2, 0.4, 3
	law, random := additive{features: 1, signals: 1}, evaluate.Stream(1, "benchmark")
	for _, name := range []string{"a", "b"} {
		train, _ := law.draw(random, 40, law.points(random, 1))
		set.tables = append(set.tables, evaluate.Table{Name: name,
			Data: train})
	}
	cells := cellsOf(t, "benchmark", set, "a-split1", "a-split2", "b-split1", "b-split2")
	outcomes, err := evaluate.Run(t.Context(), cells, nil, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	results := evaluate.Average(evaluate.Results(cells, outcomes), "split")
	for _, m := range []string{evaluate.MethodPaper, evaluate.MethodLimit, evaluate.MethodLocal,
		evaluate.MethodDirect, methodCalibrated, evaluate.MethodBootstrap} {
		var tables []string
		for _, r := range results {
			if r.Method == m && r.Functional == "q0.9" && r.Metric == "width" && r.Value > 0 {
				tables = append(tables, r.Param("dataset"))
			}
		}
		if !slices.Equal(tables, []string{"a", "b"}) {
			t.Errorf("%s: widths of the tables %q", m, tables)
		}
	}
}
