package explain

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/run"
	"github.com/pfnamp/pfnamp/explain"
)

// The note on how importance was computed has the column of --group as it is, whatever its signs,
// and the level of --level in percent.
func TestHowImportance(t *testing.T) {
	job := &explainJob{AskJob: run.AskJob{Question: pfnamp.Question{Level: 0.55}}}
	job.From.Fit.Group = "share %d"
	e := importanceExplanation{job: job,
		found: &explain.Importance{Folds: 5, Draws: 8}}
	const want = "55 % intervals by the Bayesian bootstrap over groups of share %d"
	if got := e.how(); !strings.HasSuffix(got, want) {
		t.Errorf("%q, want an end %q", got, want)
	}
}

// A probability is written as in every other answer, and never as certain.
func TestAboveNoise(t *testing.T) {
	for p, want := range map[float64]string{0: "<0.001", 0.0004: "<0.001", 0.001: "0.001",
		0.5: "0.5", 0.999: "0.999", 0.9996: ">0.999", 1: ">0.999"} {
		if got := aboveNoise(p); got != want {
			t.Errorf("%g: %s, want %s", p, got, want)
		}
	}
}

// A share that is a little below 0 reads 0.
func TestPercents(t *testing.T) {
	for share, want := range map[float64]string{-0.004: "0", 0.004: "0", -0.006: "-1", 0.146: "15"} {
		if got := fmt.Sprintf("%.0f", percents(share)); got != want {
			t.Errorf("%g: %s, want %s", share, got, want)
		}
	}
}
