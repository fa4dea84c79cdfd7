package models

import (
	"strings"
	"testing"
)

// tinyPosterior is a classifier of random weights with a posterior of the class probabilities.
const tinyPosterior = "../testdata/tiny-classes"

func TestLoadClassPosterior(t *testing.T) {
	b, err := Load(tinyPosterior)
	if err != nil {
		t.Fatal(err)
	}
	p := b.Manifest.ClassPosterior
	if p == nil || len(p.PosteriorLevels) != 7 || p.Scale != 1 {
		t.Errorf("class posterior %+v", p)
	}
}

func TestClassPosteriorRefused(t *testing.T) {
	with := func(scale float64, levels ...float64) map[string]any {
		return map[string]any{"posterior_levels": levels, "scale": scale}
	}
	for want, posterior := range map[string]map[string]any{
		"class_posterior.scale 5 is not":                            with(5, 0.1, 0.9),
		"class_posterior.scale -1 is not":                           with(-1, 0.1, 0.9),
		"posterior_levels: the number of levels 1 is outside 2..99": with(1, 0.5),
		"posterior_levels[1] is 0.1, but levels must":               with(1, 0.9, 0.1),
		"0.1 and 0.8 are not symmetric about 0.5":                   with(1, 0.1, 0.8),
		`"class_posterior.posterior_levels" is missing`:             {"scale": 1},
		"class_posterior.scale 0 is not in":                         with(0, 0.1, 0.9),
		`"class_posterior.scale" is missing`:                        {"posterior_levels": []int{}},
		"unknown field class_posterior.x": {"posterior_levels": []int{},
			"scale": 1, "x": 1},
	} {
		_, err := parseManifest(classifierWith(t, manifestFile, "",
			func(m map[string]any) { m["class_posterior"] = posterior }))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not contain %q", err, want)
		}
	}
	dir := tinyCopy(t, func(m map[string]any) { m["class_posterior"] = with(1, 0.1, 0.9) })
	if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), `head.kind "quantiles"`) {
		t.Errorf("of a regression: error %v", err)
	}
}
