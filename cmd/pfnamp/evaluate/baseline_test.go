package evaluate

import (
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/evaluate"
)

// A change is a share of the figure before, where that is not 0.
func TestChangeOfZero(t *testing.T) {
	measure := func(metric string, v evaluate.Number) evaluate.Result {
		return evaluate.Result{Measure: evaluate.Measure{Method: evaluate.MethodPPD, Metric: metric,
			Value: v}}
	}
	before := []evaluate.Result{measure("crps", 2), measure("coverage", 0)}
	g, out := gate{file: "old.json", baseline: before}, strings.Builder{}
	err := g.print(&out, []evaluate.Result{measure("crps", 3), measure("coverage", 0)})
	want := "\nscore     old.json  now  change\ncrps      2         3    +50 %\n" +
		"coverage  0         0    \n"
	if err != nil || out.String() != want {
		t.Errorf("%v, %q, want %q", err, out.String(), want)
	}
}
