package run

import (
	"testing"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/models"
)

// Persons with four rows each look like subjects, as texts and as consecutive numbers. Ages, towns
// of different sizes, and numbers of single rows do not.
func TestSubjectsAreRecognised(t *testing.T) {
	var persons, ages, towns, singles []float64
	for i := range 100 {
		persons, singles = append(persons, float64(i/4)), append(singles, float64(i))
		ages, towns = append(ages, float64(20+i%50*i%50)), append(towns, float64(i*i/400))
	}
	for name, c := range map[string]struct {
		values     []float64
		categories bool
		want       bool
	}{
		"persons": {persons, true, true}, "numbers": {persons, false, true},
		"ages": {ages, false, false}, "towns": {towns, true, false}, "single": {singles, true, false},
	} {
		if got := likeSubjects(c.values, c.categories); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// TestExtrapolated: what a network's own posterior does not reach is said, and nothing else.
func TestExtrapolated(t *testing.T) {
	with := models.Manifest{Surface: &models.Surface{Levels: []float64{0.01, 0.5, 0.99},
		PosteriorLevels: []float64{0.0025, 0.5, 0.9975}, Scale: 0.955}}
	classes := models.Manifest{ClassPosterior: &models.ClassPosterior{
		PosteriorLevels: []float64{0.01, 0.5, 0.99}, Scale: 0.5}}
	for _, c := range []struct {
		functionals string
		level       float64
		posteriors  []pfnamp.Posterior
		m           models.Manifest
		want        []string
	}{
		{"mean,q0.01,q0.99,p>3", 0.99, []pfnamp.Posterior{pfnamp.Auto}, with, nil},
		{"q0.001,q0.5,q0.999", 0.9, []pfnamp.Posterior{pfnamp.Auto}, with,
			[]string{"q0.001 is extrapolated", "interval of q0.99 "}},
		{"q0.001", 0.999, []pfnamp.Posterior{pfnamp.Direct}, with,
			[]string{"interval of q0.01 ", "--level 0.999: the learned posterior ends at " +
				"level 0.9967"}},
		{"q0.001", 0.999, []pfnamp.Posterior{pfnamp.Paper}, with, nil},
		{"q0.001", 0.9, []pfnamp.Posterior{pfnamp.Paper, pfnamp.Auto}, with, []string{"q0.001"}},
		{"q0.001", 0.999, []pfnamp.Posterior{pfnamp.Auto}, models.Manifest{}, nil},
		{"p>3", 0.98, []pfnamp.Posterior{pfnamp.Auto}, classes, nil},
		{"p>3", 0.99, []pfnamp.Posterior{pfnamp.Auto}, classes, []string{"ends at level 0.98,"}},
	} {
		functionals, err := amp.ParseFunctionals(c.functionals)
		must.Succeed(t, err)
		got := extrapolated(pfnamp.Question{Functionals: functionals, Level: c.level,
			Posteriors: c.posteriors}, &c.m)
		if len(got) != len(c.want) {
			t.Errorf("%+v: %q", c, got)
			continue
		}
		for i, part := range c.want {
			must.Hold(t, "note", got[i], part)
		}
	}
}
