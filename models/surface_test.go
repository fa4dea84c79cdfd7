package models

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func TestSurfaceRefused(t *testing.T) {
	with := func(levels, posterior any) map[string]any {
		return map[string]any{"levels": levels, "posterior_levels": posterior, "scale": 1}
	}
	half, two := []float64{0.5}, []float64{0.1, 0.9}
	unknown := with(half, two)
	unknown["x"] = 1
	wide, negative := with(half, two), with(half, two)
	wide["scale"], negative["scale"] = 5, -1
	none, missing := with(half, two), with(half, two)
	none["scale"] = 0
	delete(missing, "scale")
	for want, surface := range map[string]any{
		`"surface" is null`:                                         json.RawMessage("null"),
		`"surface.posterior_levels" is missing`:                     map[string]any{"levels": half},
		"unknown field surface.x":                                   unknown,
		"surface.levels: the number of levels 0 is outside 1..99":   with([]float64{}, two),
		"surface.levels: the number of levels 100 is outside 1..99": with(make([]float64, 100), two),
		"surface.levels[0] is 0, but levels must ascend":            with([]float64{0, 0.5}, two),
		"surface.levels[1] is 1, but levels must ascend":            with([]float64{0.5, 1}, two),
		"surface.levels[1] is 0.5, but levels must":                 with([]float64{0.5, 0.5}, two),
		"posterior_levels: the number of levels 1 is outside 2..99": with(half, half),
		"posterior_levels[1] is 0.1, but levels must":               with(half, []float64{0.9, 0.1}),
		"surface.scale 5":                                           wide,
		"surface.scale -1":                                          negative,
		"surface.scale 0 is not in (0, 4]":                          none,
		`"surface.scale" is missing`:                                missing,
		", not a":                                                   with(half, "0.5"),
	} {
		dir := copyOf(t, tinySurface, func(m map[string]any) {
			m["surface"] = surface
		})
		if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %q does not contain %q", err, want)
		}
	}
	dir := copyOf(t, tinySurface, func(m map[string]any) { delete(m, "surface") })
	if _, err := Load(dir); err == nil ||
		!strings.Contains(err.Error(), "outputs are [quantiles surface] instead of [quantiles]") {
		t.Errorf("undeclared: error %v", err)
	}
	_, err := parseManifest(classifierWith(t, manifestFile, "",
		func(m map[string]any) { m["surface"] = with(half, two) }))
	if err == nil || !strings.Contains(err.Error(), `given for head.kind "classes"`) {
		t.Errorf("of a classifier: error %v", err)
	}
}

func TestOutputs(t *testing.T) {
	for want, m := range map[string]*Manifest{
		"quantiles":         {},
		"quantiles surface": {Surface: &Surface{}},
		"logits":            {Head: Head{Kind: BarHead}},
	} {
		if got := m.outputs(); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("outputs %v, want %s", got, want)
		}
	}
}
