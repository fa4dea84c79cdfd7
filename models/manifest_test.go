package models

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
)

// gone is the value of a field that a manifest lacks.
type gone struct{}

// edited is the manifest of a bundle of testdata, "" for the embedded one, with fields changed:
// edits are paths, in which numbers are places of lists, and values in turn.
func edited(t testing.TB, bundle string, edits ...any) []byte {
	t.Helper()
	folder := os.DirFS("default")
	if bundle != "" {
		folder = os.DirFS(filepath.Join("..", "testdata", bundle))
	}
	data, err := fs.ReadFile(folder, manifestFile)
	must.Succeed(t, err)
	var root any
	must.Succeed(t, json.Unmarshal(data, &root))
	for i := 0; i < len(edits); i += 2 {
		object, names := root, strings.Split(edits[i].(string), ".")
		for _, name := range names[:len(names)-1] {
			if list, ok := object.([]any); ok {
				at, _ := strconv.Atoi(name)
				object = list[at]
			} else {
				object = object.(map[string]any)[name]
			}
		}
		fields, last := object.(map[string]any), names[len(names)-1]
		if fields[last] = edits[i+1]; edits[i+1] == (gone{}) {
			delete(fields, last)
		}
	}
	data, err = json.Marshal(root)
	must.Succeed(t, err)
	return data
}

func TestManifestValues(t *testing.T) {
	type object = map[string]any
	half, two := []float64{0.5}, []float64{0.1, 0.9}
	norms := []string{"quantile", "power"}
	for _, c := range []struct {
		bundle, path string
		v            any
		want         string
	}{
		{"", "format", 2, "format is 2"},
		{"", "name", "", "name"},
		{"", "version", "1/2", "version"},
		{"", "family", "other", "family"},
		{"", "task", "dance", "task"},
		{"", "opset", 9, "opset 9"},
		{"", "opset", "17", "is a text, not"},
		{"", "head.kind", "bars", "head.kind"},
		{"", "head.levels", 1, "head.levels"},
		{"", "head.levels", 99.5, "is a number 99.5, not"},
		{"", "limits.min_rows", 1, "limits"},
		{"", "limits.max_rows", 1, "limits"},
		{"", "limits.max_features", 0, "max_features"},
		{"", "ensemble.members", 0, "members"},
		{"", "ensemble.norms", []string{}, "norms is empty"},
		{"", "ensemble.norms", []string{"loud"}, `"loud"`},
		{"", "ensemble.norms", []string{"none", "none"}, "twice"},
		{"", "ensemble.shuffle", "shift", "shuffle"},
		{"", "ensemble.seed", -1, ", not a"},
		{"", "ensemble.outlier_threshold", 0.5, "outlier_threshold"},
		{"", "graphs", map[string]any{}, "graphs has 0 entries"},
		{"", "graphs.context.file", "../context.onnx", "leads out of the bundle"},
		{"", "graphs.query.file", "/etc/passwd", "leads out of the bundle"},
		{"", "graphs.query.file", `..\b`, "leads out of the bundle"},
		{"", "graphs.query.file", "C:b", "leads out of the bundle"},
		{"", "graphs.query.file", ".", "leads out of the bundle"},
		{"", "golden.file", "./golden.json", "leads out of the bundle"},
		{"", "golden.sha256", "abc", "64 lower-case"},
		{"", "graphs.query.sha256", strings.Repeat("A", 64), "64 lower-case"},
		{"", "licence.spdx", "", "licence.spdx"},
		{"", "licence.file", "../LICENSE", "leads out of the bundle"},
		{"", "licence.notice", nil, `"licence.notice" is null`},
		{"", "licence.acceptance", "yes", "licence.acceptance"},
		{"", "provenance.parameters", -1, "parameters"},
		{"", "golden_tolerances", map[string]any{"int4": 0.1}, `the precision "int4" is unknown`},
		{"", "golden_tolerances", map[string]any{"float32": 0.1}, `precision "float32"`},
		{"", "golden_tolerances", map[string]any{"int8": 0}, "golden_tolerances.int8 0 is outside"},
		{"", "golden_tolerances", map[string]any{"int8": 1.5}, "golden_tolerances.int8 1.5"},
		{"", "provenance.recipe_sha256", "abc", "64 lower-case"},
		{"", "extra", 1, "unknown field extra"},
		{"", "graphs.query.extra", 1, "unknown field graphs.query.extra"},
		{"", "ensemble", 1, `"ensemble" is not an object`},
		{"tabicl-classes", "task", "regression", "head.kind"},
		{"tabicl-classes", "family", "tabpfn", "tabpfn is missing for the family"},
		{"tabicl-classes", "head.kind", "quantiles", "head.kind"},
		{"tabicl-classes", "head.levels", 1, "head.levels 1 is outside 2..65536"},
		{"tabicl-classes", "classification", object{"shuffle": "shift"}, "is missing"},
		{"tabicl-classes", "classification.shuffle", "latin", "classification.shuffle"},
		{"tabicl-classes", "classification.shuffle", "shuffle", "classification.shuffle"},
		{"tabicl-classes", "classification.average", "probabilities", "classification.average"},
		{"tabicl-classes", "classification.balanced", true, "classification.balanced"},
		{"tabicl-classes", "classification.temperature", 0, "classification.temperature"},
		{"tabicl-classes", "classification", gone{}, "classification is missing for the task"},
		{"", "classification", object{"shuffle": "shift", "average": "logits", "temperature": 0.9},
			`given for the task "regression"`},
		{"tabpfn-tiny", "family", "tabicl", "head.kind"},
		{"tabpfn-tiny", "head.kind", "quantiles", "head.kind"},
		{"tabpfn-tiny", "tabpfn.preset", "9", "tabpfn.preset"},
		{"tabpfn-tiny", "tabpfn.temperature", 0, "tabpfn.temperature"},
		{"tabpfn-tiny", "tabpfn.cdf", "new", "tabpfn.cdf"},
		{"tabpfn-tiny", "tabpfn.tails", "long", "tabpfn.tails"},
		{"tabpfn-tiny", "tabpfn.svd_sign", "u", "tabpfn.svd_sign"},
		{"tabpfn-tiny", "tabpfn.features_per_group", 3, "features_per_group"},
		{"tabpfn-tiny", "tabpfn.groups", 0, "tabpfn.groups"},
		{"tabpfn-tiny", "tabpfn.borders", gone{}, "tabpfn.borders is missing"},
		{"tabpfn-tiny", "ensemble.norms", []string{"power"}, "ensemble.norms"},
		{"tabpfn-tiny", "ensemble.shuffle", "latin", "ensemble.shuffle"},
		{"tabpfn-tiny", "ensemble.members", 0, "ensemble.members"},
		{"tabpfn-tiny", "ensemble.outlier_threshold", 4, "outlier_threshold"},
		{"tabpfn-tiny", "tabpfn", gone{}, "tabpfn is missing"},
		{"tabpfn-classes", "classification.shuffle", "shift", "known: shuffle, rotate, none"},
		{"tabpfn-classes", "classification.average", "mean", "known: probabilities, logits"},
		{"tabpfn-classes", "classification.temperature", 0, "classification.temperature"},
		{"tabpfn-classes", "tabpfn.temperature", 1, "temperature, cdf, tails or borders"},
		{"tabpfn-classes", "tabpfn.cdf", "fixed", "temperature, cdf, tails or borders"},
		{"tabpfn-classes", "ensemble.norms", norms, "instead of quantile and none"},
		{"tabpfn-classes", "head.kind", "bars", "head.kind"},
		{"nori-tiny", "nori.preset", "0.23.0", `nori.preset "0.23.0" is unknown`},
		{"nori-tiny", "nori.features_per_group", 0, "nori.features_per_group 0 is outside"},
		{"nori-tiny", "nori.pipelines", []any{}, "nori.pipelines: their number 0 is outside"},
		{"nori-tiny", "nori.pipelines.4.transform", "svd", `pipelines[4].transform "svd" is unknown`},
		{"nori-tiny", "nori.pipelines.4.products", -1, "pipelines[4].products -1 is outside"},
		{"nori-tiny", "ensemble.norms", []string{"none"},
			`ensemble.norms are ["none"], but nori.pipelines`},
		{"nori-tiny", "ensemble.shuffle", "latin", `ensemble.shuffle "latin" is unknown`},
		{"nori-tiny", "limits.max_rows", 10_001, "max_rows 10001 is outside 0..10000"},
		{"nori-tiny", "limits.max_features", 300, "max_features 300 is outside 0..256"},
		{"nori-tiny", "task", ClassificationTask, `the family "nori" has no task "classification"`},
		{"nori-tiny", "nori", gone{}, `nori is missing for the family "nori"`},
		{"tabpfn25-tiny", "tabpfn.recipe.pipelines.1.transform", "kdi",
			`pipelines[1].transform "kdi" is unknown (known: none, `},
		{"tabpfn25-tiny", "tabpfn.recipe.pipelines.1.categories", "target",
			`pipelines[1].categories "target" is unknown`},
		{"tabpfn25-tiny", "tabpfn.recipe.pipelines.1.components", "pca",
			`pipelines[1].components "pca" is unknown`},
		{"tabpfn25-tiny", "tabpfn.recipe.pipelines.1.append", true, "append"},
		{"tabpfn25-tiny", "tabpfn.recipe.pipelines.1.max_columns", 0, "max_columns 0"},
		{"tabpfn25-tiny", "tabpfn.recipe.targets", []string{"power"}, `targets "power" is unknown`},
		{"tabpfn25-tiny", "tabpfn.recipe.targets", []string{}, "recipe.targets: their number 0"},
		{"tabpfn25-tiny", "tabpfn.recipe.products", -2, "products -2 is outside -1..8192"},
		{"tabpfn25-tiny", "tabpfn.recipe.subsets", "gini", `subsets "gini" is unknown`},
		{"tabpfn25-tiny", "tabpfn.recipe.rows_to_infer", -1, "rows_to_infer -1 is outside"},
		{"tabpfn25-tiny", "tabpfn.recipe.polynomials", 10, "polynomials"},
		{"tabpfn25-tiny", "tabpfn.recipe", gone{}, "recipe is missing"},
		{"tabpfn25-tiny", "tabpfn.preset", "8.5.0",
			`preset "8.5.0" is unknown (known: 2.0.9, 8.4.0, 9.2.0)`},
		{"tabpfn25-tiny", "ensemble.norms", []string{"a"}, "for 2 pipelines"},
		{"tabpfn25-tiny", "ensemble.norms", []string{"a", "a"}, "repeat a name"},
		{"tabpfn25-tiny", "tabpfn.features_per_group", 17, "outside 1..16"},
		{"tabicl-many", "limits.max_classes", gone{}, "graphs has 6 entries"},
		{"tabicl-many", "graphs.icl_query", gone{}, "graphs has 5 entries"},
		{"tabicl-many", "limits.max_classes", 10, "max_classes 10 is out"},
		{"tabicl-many", "limits.max_classes", 10001, "outside 11..10000"},
		{"tiny-surface", "surface.posterior_levels", gone{}, `"surface.posterior_levels" is missing`},
		{"tiny-surface", "surface.levels", []float64{},
			"surface.levels: the number of levels 0 is outside 1..99"},
		{"tiny-surface", "surface.levels", make([]float64, 100),
			"the number of levels 100 is outside 1..99"},
		{"tiny-surface", "surface.levels", []float64{0, 0.5},
			"surface.levels[0] is 0, but levels must ascend"},
		{"tiny-surface", "surface.levels", []float64{0.5, 1},
			"surface.levels[1] is 1, but levels must ascend"},
		{"tiny-surface", "surface.levels", []float64{0.5, 0.5},
			"surface.levels[1] is 0.5, but levels must"},
		{"tiny-surface", "surface.posterior_levels", half,
			"posterior_levels: the number of levels 1 is outside 2..99"},
		{"tiny-surface", "surface.scale", 5, "surface.scale 5"},
		{"tiny-surface", "surface.scale", 0, "surface.scale 0 is not in (0, 4]"},
		{"tabicl-classes", "surface", object{"levels": half, "posterior_levels": two, "scale": 1},
			`given for head.kind "classes"`},
		{"tiny-classes", "class_posterior.scale", 5, "class_posterior.scale 5 is not"},
		{"tiny-classes", "class_posterior.scale", 0, "class_posterior.scale 0 is not in"},
		{"tiny-classes", "class_posterior.posterior_levels", half,
			"posterior_levels: the number of levels 1 is outside 2..99"},
		{"tiny-classes", "class_posterior.posterior_levels", []float64{0.1, 0.8},
			"0.1 and 0.8 are not symmetric about 0.5"},
		{"tiny-classes", "class_posterior.posterior_levels", gone{},
			`"class_posterior.posterior_levels" is missing`},
		{"tiny", "class_posterior", object{"posterior_levels": two, "scale": 1}, `head.kind "quantiles"`},
		{"", "format", gone{}, `"format" is missing`},
		{"", "description", gone{}, `"description" is missing`},
		{"", "limits.min_rows", gone{}, `"limits.min_rows" is missing`},
		{"", "ensemble.seed", gone{}, `"ensemble.seed" is missing`},
		{"", "graphs.query.sha256", gone{}, `"graphs.query.sha256" is missing`},
		{"", "licence.notice", gone{}, `"licence.notice" is missing`},
		{"", "provenance.tools", gone{}, `"provenance.tools" is missing`},
	} {
		_, err := parseManifest(edited(t, c.bundle, c.path, c.v))
		must.Fail(t, c, err, c.want)
	}
	for _, c := range []struct {
		bundle string
		edits  []any
		want   string
	}{
		{"nori-tiny", []any{"nori.pipelines.4.transform", "none",
			"nori.pipelines.4.components", true}, "pipelines[4] has original columns"},
		{"tabpfn25-tiny", []any{"tabpfn.recipe.products", -1,
			"tabpfn.recipe.pipelines.1.max_columns", 9000}, "max_columns 9000 is outside 1..8192"},
		{"tabpfn25-tiny", []any{"tabpfn.preset", "2.0.9",
			"ensemble.norms", norms}, "recipe is given for the preset 2.0.9"},
		{"tabicl-many", []any{"task", RegressionTask,
			"head", object{"kind": QuantileHead, "levels": 9}, "classification", gone{}},
			"is given for the task"},
		{"tabicl-many", []any{"graphs.rows_query", gone{},
			"graphs.other", object{"file": "a", "sha256": "b"}}, `graphs has no "rows_query"`},
	} {
		_, err := parseManifest(edited(t, c.bundle, c.edits...))
		must.Fail(t, c, err, c.want)
	}
	sum := strings.Repeat("0a", 32)
	m, err := parseManifest(edited(t, "", "provenance.recipe_sha256", sum, "golden_tolerances",
		object{"int8": 0.02}))
	if err != nil || m.Provenance.RecipeSHA256 != sum || m.GoldenTolerances[Int8] != 0.02 {
		t.Errorf("%+v: %v", m, err)
	}
	for _, accept := range []bool{true, false} {
		m, err := parseManifest(edited(t, "", "licence.acceptance", accept))
		if err != nil || m.Licence.Acceptance != accept {
			t.Errorf("acceptance %v: %v", accept, err)
		}
	}
	for _, shuffle := range []string{RotateClasses, KeepClasses} {
		_, err := parseManifest(edited(t, "tabpfn-classes", "classification.shuffle", shuffle,
			"classification.average", AverageLogits, "classification.balanced", true))
		if err != nil {
			t.Errorf("%s: %v", shuffle, err)
		}
	}
}

// FuzzManifest parses any JSON: a manifest that is admitted names files in its bundle only, and is
// admitted again as it is written.
func FuzzManifest(f *testing.F) {
	f.Add(edited(f, ""))
	f.Add([]byte(`{"format":1,"graphs":{"context":{"file":"../x"}}}`))
	bundles, err := filepath.Glob(filepath.Join("..", "testdata", "*", manifestFile))
	if err != nil || bundles == nil {
		f.Fatalf("no bundles: %v", err)
	}
	for _, path := range bundles {
		data, err := os.ReadFile(path)
		must.Succeed(f, err)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := parseManifest(data)
		if err != nil {
			return
		}
		files := []string{m.Golden.File, m.Licence.File, m.Graphs[ContextGraph].File,
			m.Graphs[QueryGraph].File}
		for _, file := range files {
			if !filepath.IsLocal(file) {
				t.Errorf("path %q is admitted", file)
			}
		}
		written, err := json.Marshal(m)
		if err == nil {
			_, err = parseManifest(written)
		}
		if err != nil {
			t.Errorf("not admitted again: %v", err)
		}
	})
}
