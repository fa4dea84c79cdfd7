package models

import (
	"fmt"
	"slices"
	"strings"
)

// Values of TabPFN.Preset: versions of the tabpfn package with pipelines in this program.
const (
	PresetOld = "2.0.9" // for TabPFN v2
	PresetNew = "8.4.0" // for TabPFN v2.5 to v3, with a recipe
	Preset9   = "9.2.0" // for TabPFN v3.5, with a recipe; same results as the pipelines of 8.4.0
)

// Recipe is the composition of an ensemble of package 8.4.0 or 9.2.0, whose networks contain it.
type Recipe struct {
	Pipelines       []Pipeline `json:"pipelines"`         // in the order of ensemble.norms
	Targets         []string   `json:"targets,omitempty"` // of numbers: "none" or "safepower"
	Subsets         string     `json:"subsets"`           // of columns: "random" or "balanced"
	Products        int        `json:"products"`          // of two columns, -1 for all, 0 for none
	MaxCategories   int        `json:"max_categories"`    // most values of a declared category
	RowsToInfer     int        `json:"rows_to_infer"`     // more rows are needed to infer a category
	FewestForNumber int        `json:"fewest_for_number"` // distinct values of a number
}

// Pipeline is a feature pipeline. The names of its steps are the package's.
type Pipeline struct {
	Transform  string `json:"transform"`   // of numbers
	Append     string `json:"append"`      // "yes", "no" or "auto"
	Categories string `json:"categories"`  // encoding of categorical columns
	MaxOneHot  int    `json:"max_onehot"`  // most values for indicators, 0 for any
	Components string `json:"components"`  // singular components
	MaxColumns int    `json:"max_columns"` // most columns that a member reads
}

// Steps of this program, as in scripts/export/tabpfn/recipe.py.
var (
	transforms = []string{"none", "quantile_uni", "quantile_uni_coarse", "quantile_uni_fine",
		"quantile_uni_extrapolate", "quantile_norm", "quantile_norm_coarse", "quantile_norm_fine",
		"safepower", "robust", "squashing_scaler_default", "squashing_scaler_max10"}
	encodings = []string{"none", "numeric", "onehot", "ordinal", "ordinal_shuffled",
		"ordinal_very_common_categories_shuffled"}
	componentNames = []string{"none", "svd", "svd_quarter_components"}
	appends        = []string{"yes", "no", "auto"}
	targets        = []string{"none", "safepower"}
	subsets        = []string{"random", "balanced"}
)

// maxProducts limits the products of columns, and the columns of a member with products.
const maxProducts = 1 << 13

// checkNorms compares the names of the feature pipelines with the preset.
func (m *Manifest) checkNorms() error {
	norms, t := m.Ensemble.Norms, m.TabPFN
	switch t.Preset {
	case PresetOld:
		need := []string{"quantile", "power"}
		if m.Classifier() {
			need[1] = "none"
		}
		if !slices.Equal(norms, need) {
			return fmt.Errorf("ensemble.norms are %q instead of %s and %s", norms, need[0], need[1])
		}
		if t.Recipe != nil {
			return fmt.Errorf("tabpfn.recipe is given for the preset %s", t.Preset)
		}
		return nil
	case PresetNew, Preset9:
		if t.Recipe == nil {
			return fmt.Errorf("tabpfn.recipe is missing for the preset %s", t.Preset)
		}
		if len(norms) != len(t.Recipe.Pipelines) {
			return fmt.Errorf("ensemble.norms are %q for %d pipelines", norms,
				len(t.Recipe.Pipelines))
		}
		if sorted := slices.Sorted(slices.Values(norms)); len(slices.Compact(sorted)) < len(norms) {
			return fmt.Errorf("ensemble.norms %q repeat a name", norms)
		}
		return t.Recipe.check(m.Classifier())
	}
	return fmt.Errorf("tabpfn.preset %q is unknown (known: %s, %s, %s)", t.Preset,
		PresetOld, PresetNew, Preset9)
}

// check refuses unknown steps.
func (r *Recipe) check(classifier bool) error {
	if n := len(r.Pipelines); n < 1 || n > 64 {
		return fmt.Errorf("tabpfn.recipe.pipelines: their number %d is outside 1..64", n)
	}
	for i, p := range r.Pipelines {
		if err := p.check(); err != nil {
			return fmt.Errorf("tabpfn.recipe.pipelines[%d].%w", i, err)
		}
		if r.Products != 0 && p.MaxColumns > maxProducts {
			return fmt.Errorf("tabpfn.recipe.pipelines[%d].max_columns %d is more than %d, "+
				"the most with products", i, p.MaxColumns, maxProducts)
		}
	}
	switch n := len(r.Targets); {
	case classifier && n > 0:
		return fmt.Errorf("tabpfn.recipe.targets: %d are given for a classifier", n)
	case !classifier && (n < 1 || n > 64):
		return fmt.Errorf("tabpfn.recipe.targets: their number %d is outside 1..64", n)
	}
	for _, target := range r.Targets {
		if err := known("targets", target, targets); err != nil {
			return fmt.Errorf("tabpfn.recipe.%w", err)
		}
	}
	if err := known("subsets", r.Subsets, subsets); err != nil {
		return fmt.Errorf("tabpfn.recipe.%w", err)
	}
	if r.Products < -1 || r.Products > maxProducts {
		return fmt.Errorf("tabpfn.recipe.products %d is outside -1..%d", r.Products, maxProducts)
	}
	if r.MaxCategories < 0 || r.RowsToInfer < 0 || r.FewestForNumber < 0 {
		return fmt.Errorf("tabpfn.recipe: a size is negative")
	}
	return nil
}

func (p Pipeline) check() error {
	for _, field := range []struct {
		name, value string
		known       []string
	}{
		{"transform", p.Transform, transforms}, {"append", p.Append, appends},
		{"categories", p.Categories, encodings}, {"components", p.Components, componentNames},
	} {
		if err := known(field.name, field.value, field.known); err != nil {
			return err
		}
	}
	if p.MaxOneHot < 0 || p.MaxColumns < 1 || p.MaxColumns > 1<<20 {
		return fmt.Errorf("max_columns %d is outside 1..2^20, or max_onehot %d is negative",
			p.MaxColumns, p.MaxOneHot)
	}
	return nil
}

// known refuses an unknown step.
func known(field, value string, names []string) error {
	if slices.Contains(names, value) {
		return nil
	}
	return fmt.Errorf("%s: the step %q is unknown (known: %s)", field, value,
		strings.Join(names, ", "))
}
