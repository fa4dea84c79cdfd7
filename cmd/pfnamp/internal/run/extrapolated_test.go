package run

import (
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/models"
)

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
			[]string{"interval of q0.01 ", "--level 0.999: the network's own posterior ends at " +
				"level 0.9967"}},
		{"q0.001", 0.999, []pfnamp.Posterior{pfnamp.Paper}, with, nil},
		{"q0.001", 0.9, []pfnamp.Posterior{pfnamp.Paper, pfnamp.Auto}, with, []string{"q0.001"}},
		{"q0.001", 0.999, []pfnamp.Posterior{pfnamp.Auto}, models.Manifest{}, nil},
		{"p>3", 0.98, []pfnamp.Posterior{pfnamp.Auto}, classes, nil},
		{"p>3", 0.99, []pfnamp.Posterior{pfnamp.Auto}, classes, []string{"ends at level 0.98,"}},
	} {
		functionals, err := amp.ParseFunctionals(c.functionals)
		if err != nil {
			t.Fatal(err)
		}
		got := extrapolated(pfnamp.Question{Functionals: functionals, Level: c.level,
			Posteriors: c.posteriors}, c.m)
		if len(got) != len(c.want) {
			t.Errorf("%+v: %q", c, got)
			continue
		}
		for i, part := range c.want {
			if !strings.Contains(got[i], part) {
				t.Errorf("%q has no %q", got[i], part)
			}
		}
	}
}
