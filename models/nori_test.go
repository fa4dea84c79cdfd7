package models

import (
	"strings"
	"testing"
	"testing/fstest"
)

// tinyNori is the fixture that scripts/export_onnx.py made of a random network.
const tinyNori = "../testdata/nori-tiny"

func TestNoriManifestValues(t *testing.T) {
	b, err := Load(tinyNori)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(b.Manifest.Nori.Pipelines); n != 8 || b.Manifest.Limits.MaxFeatures != 256 {
		t.Errorf("%d pipelines, limits %+v", n, b.Manifest.Limits)
	}
	pipeline := func(field string, value any) func(map[string]any) {
		return func(m map[string]any) {
			m["nori"].(map[string]any)["pipelines"].([]any)[4].(map[string]any)[field] = value
		}
	}
	part := func(name, field string, value any) func(map[string]any) {
		return func(m map[string]any) { m[name].(map[string]any)[field] = value }
	}
	for want, edit := range map[string]func(map[string]any){
		`nori.preset "0.23.0" is unknown`:                   part("nori", "preset", "0.23.0"),
		`nori.features_per_group 0 is outside`:              part("nori", "features_per_group", 0),
		`nori.pipelines: their number 0 is outside`:         part("nori", "pipelines", []any{}),
		`pipelines[4].transform: the step "svd" is unknown`: pipeline("transform", "svd"),
		`pipelines[4].products -1 is outside`:               pipeline("products", -1),
		`pipelines[4] has original columns`:                 pipeline("transform", "none"),
		`ensemble.norms are ["none"], but nori.pipelines`:   part("ensemble", "norms", []string{"none"}),
		`ensemble.shuffle "latin" is unknown`:               part("ensemble", "shuffle", "latin"),
		`takes at most 10000 rows and 256 features`:         part("limits", "max_rows", 10_001),
		`10000 rows and 256 features, not 10000 and 30`:     part("limits", "max_features", 300),
		`the family "nori" has no task "classification"`: func(m map[string]any) {
			m["task"] = ClassificationTask
		},
		`nori is missing for the family "nori"`: func(m map[string]any) { delete(m, "nori") },
	} {
		err := folderWith(t, tinyNori, func(m map[string]any, _ fstest.MapFS) {
			if want == `pipelines[4] has original columns` {
				pipeline("components", true)(m)
			}
			edit(m)
		})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not contain %q", err, want)
		}
	}
}
