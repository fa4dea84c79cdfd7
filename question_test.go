package pfnamp

import (
	"slices"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/internal/must"
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
		{Question{Posteriors: []Posterior{"", Paper}}, surface, "auto paper"},
		{Question{Posteriors: []Posterior{Paper, ""}}, surface, "paper auto"},
		{Question{Posteriors: []Posterior{Limit, Auto}}, models.Manifest{}, "limit paper"},
		{Question{Posteriors: []Posterior{"", Auto}}, surface, "auto and auto are both auto"},
		{Question{Posteriors: []Posterior{"", Paper}}, models.Manifest{},
			"auto and paper are both paper"},
		{Question{Posteriors: []Posterior{Paper, Auto}}, models.Manifest{}, "are both"},
		{Question{Posteriors: []Posterior{Paper, Limit, Limit}}, surface, `"limit" is listed twice`},
		{Question{Posteriors: []Posterior{Paper, "wide"}}, surface, `"wide" is not one of`},
		{Question{Posteriors: []Posterior{Paper, Direct}}, models.Manifest{}, "posterior"},
		{Question{Workers: -1}, surface, "workers -1 are negative"},
		{Question{Functionals: []amp.Functional{amp.Mean{}, nil}}, surface, "nil"},
	} {
		q, err := c.asked.Complete(&tabular.Schema{}, c.manifest)
		if err != nil {
			must.Hold(t, c.asked, err.Error(), c.want)
			continue
		}
		var got []string
		for _, p := range q.Posteriors {
			got = append(got, string(p))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%+v: %s, want %s", c.asked, got, c.want)
		}
		again, err := q.Complete(&tabular.Schema{}, c.manifest)
		if err != nil || !slices.Equal(again.Posteriors, q.Posteriors) {
			t.Errorf("%+v becomes %+v, %v", q, again, err)
		}
	}
}
