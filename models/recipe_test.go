package models

import (
	"strings"
	"testing"
	"testing/fstest"
)

// tinyTabPFN25 is the fixture that scripts/export_onnx.py made of a random network of v2.5.
const tinyTabPFN25 = "../testdata/tabpfn25-tiny"

func TestLoadRecipe(t *testing.T) {
	b, err := Load(tinyTabPFN25)
	if err != nil {
		t.Fatal(err)
	}
	r := b.Manifest.TabPFN.Recipe
	if r == nil || len(r.Pipelines) != 2 || r.Pipelines[1].Components != "svd_quarter_components" {
		t.Errorf("recipe %+v", r)
	}
	if !b.Manifest.Licence.Acceptance {
		t.Error("the licence need not be accepted")
	}
}

func TestRecipeValues(t *testing.T) {
	section := func(m map[string]any) map[string]any { return m["tabpfn"].(map[string]any) }
	recipe := func(m map[string]any) map[string]any {
		return section(m)["recipe"].(map[string]any)
	}
	pipeline := func(m map[string]any) map[string]any {
		return recipe(m)["pipelines"].([]any)[1].(map[string]any)
	}
	for name, c := range map[string]struct {
		edit func(m map[string]any)
		want string
	}{
		"a transform": {func(m map[string]any) { pipeline(m)["transform"] = "kdi" },
			`pipelines[1].transform: the step "kdi" is unknown (known: none, `},
		"an encoding": {func(m map[string]any) { pipeline(m)["categories"] = "target" },
			`pipelines[1].categories: the step "target" is unknown`},
		"components": {func(m map[string]any) { pipeline(m)["components"] = "pca" },
			`pipelines[1].components: the step "pca" is unknown`},
		"append":  {func(m map[string]any) { pipeline(m)["append"] = true }, "append"},
		"columns": {func(m map[string]any) { pipeline(m)["max_columns"] = 0 }, "max_columns 0"},
		"a target": {func(m map[string]any) { recipe(m)["targets"] = []string{"power"} },
			`targets: the step "power" is unknown`},
		"no targets": {func(m map[string]any) { recipe(m)["targets"] = []string{} },
			"recipe.targets: their number 0"},
		"products": {func(m map[string]any) { recipe(m)["products"] = -2 },
			"products -2 is outside -1..8192"},
		"products of too many": {func(m map[string]any) {
			recipe(m)["products"], pipeline(m)["max_columns"] = -1, 9000
		}, "max_columns 9000 is more than 8192"},
		"subsets": {func(m map[string]any) { recipe(m)["subsets"] = "gini_feature_importance" },
			`subsets: the step "gini_feature_importance" is unknown`},
		"sizes":       {func(m map[string]any) { recipe(m)["rows_to_infer"] = -1 }, "negative"},
		"an addition": {func(m map[string]any) { recipe(m)["polynomials"] = 10 }, "polynomials"},
		"no recipe":   {func(m map[string]any) { delete(section(m), "recipe") }, "recipe is missing"},
		"another preset": {func(m map[string]any) { section(m)["preset"] = "8.5.0" },
			`preset "8.5.0" is unknown (known: 2.0.9, 8.4.0, 9.2.0)`},
		"a recipe of 2.0.9": {func(m map[string]any) {
			section(m)["preset"] = "2.0.9"
			m["ensemble"].(map[string]any)["norms"] = []string{"quantile", "power"}
		}, "recipe is given for the preset 2.0.9"},
		"names": {func(m map[string]any) {
			m["ensemble"].(map[string]any)["norms"] = []string{"a"}
		}, "for 2 pipelines"},
		"equal names": {func(m map[string]any) {
			m["ensemble"].(map[string]any)["norms"] = []string{"a", "a"}
		}, "repeat a name"},
		"groups": {func(m map[string]any) { section(m)["features_per_group"] = 17 },
			"outside 1..16"},
	} {
		err := folderWith(t, tinyTabPFN25, func(m map[string]any, _ fstest.MapFS) { c.edit(m) })
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
	}
}
