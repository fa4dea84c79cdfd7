package main

import (
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
