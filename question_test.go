package pfnamp

import (
	"slices"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/tabular"
)

// All posteriors are resolved before they are compared.
func TestPosteriorsAreResolved(t *testing.T) {
	surface := models.Manifest{Surface: new(models.Surface)}
	for _, c := range []struct {
		asked    Question
		manifest models.Manifest
		want     string // the posteriors, or an error
	}{
		{Question{}, surface, "auto"},
		{Question{Also: []Posterior{Paper}}, surface, "auto paper"},
		{Question{Posterior: Paper, Also: []Posterior{""}}, surface, "paper auto"},
		{Question{Posterior: Limit, Also: []Posterior{Auto}}, models.Manifest{}, "limit paper"},
		{Question{Also: []Posterior{Auto}}, surface, "auto and auto are both auto"},
		{Question{Also: []Posterior{Paper}}, models.Manifest{}, "auto and paper are both paper"},
		{Question{Posterior: Paper, Also: []Posterior{Auto}}, models.Manifest{}, "are both"},
		{Question{Posterior: Paper, Also: []Posterior{Limit, Limit}}, surface, `"limit" is asked for twice`},
		{Question{Posterior: Paper, Also: []Posterior{"wide"}}, surface, `"wide" is not one of`},
		{Question{Posterior: Paper, Also: []Posterior{Direct}}, models.Manifest{}, "posterior"},
		{Question{Workers: -1}, surface, "workers are -1"},
		{Question{Functionals: []amp.Functional{amp.Mean{}, nil}}, surface, "nil"},
	} {
		q, err := c.asked.Complete(&tabular.Schema{}, c.manifest)
		if err != nil {
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("%+v: %v, want %s", c.asked, err, c.want)
			}
			continue
		}
		var got []string
		for _, p := range q.asked() {
			got = append(got, string(p))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%+v: %s, want %s", c.asked, got, c.want)
		}
		again, err := q.Complete(&tabular.Schema{}, c.manifest)
		if err != nil || !slices.Equal(again.asked(), q.asked()) {
			t.Errorf("%+v becomes %+v, %v", q, again, err)
		}
	}
}
