package pfnamp

import (
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/tabular"
)

// Every posterior of the table makes the method that tables call so, says what it is, and asks the
// network unless it is chains.
func TestPosteriorsAreWhole(t *testing.T) {
	for _, form := range amp.PosteriorForms() {
		bundle := models.Manifest{Surface: &models.Surface{}}
		if form.Name == Companion {
			bundle = models.Manifest{Companion: &models.Bundle{}}
		}
		q, err := Question{Posteriors: []Posterior{form.Name}}.Complete(&tabular.Schema{}, bundle)
		must.Succeed(t, err)
		if made := q.methods(Task{})[0]; made.Name() != string(form.Name) ||
			made.name != form.Name {
			t.Errorf("%s makes the method %s", form.Name, made.Name())
		}
		if form.Meaning == "" || form.Chained && form.Chainless || strings.HasSuffix(form.Meaning, "\n") {
			t.Errorf("%+v", form)
		}
		if own := q.own(); own == form.Chained {
			t.Errorf("%s asks the network: %t", form.Name, own)
		}
	}
	if amp.AutoPosterior != amp.Posteriors()[0] {
		t.Error("the default is not the first one")
	}
}
