package main

import (
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/models"
)

// The embedded model answers --posterior direct if its manifest says so, and
// is refused with a remedy if not.
func TestDirectPosteriorOfDefault(t *testing.T) {
	t.Setenv("PFNAMP_ORT_LIB", orttest.Library(t))
	bundle, err := models.Default()
	if err != nil {
		t.Fatal(err)
	}
	writeReadmeTables(t)
	status, out, message := runCommand(t,
		"predict train.csv test.csv -y y --posterior direct -f median")
	if bundle.Manifest.Direct != nil {
		if status != exitOK || strings.Count(out, "\n") != 21 {
			t.Errorf("exit status %d\n%s%s", status, out, message)
		}
		return
	}
	if status != exitModel || !strings.Contains(message, "has no direct output") ||
		!strings.Contains(message, "hint: use --posterior paper or limit") {
		t.Errorf("exit status %d\n%s", status, message)
	}
	if _, out, _ := runCommand(t, "models show"); !strings.Contains(out, "direct output  no") {
		t.Errorf("models show does not tell:\n%s", out)
	}
}

// An interval that says little more than the predictive one is pointed out, with what says more.
func TestWideIntervalsAreNoted(t *testing.T) {
	t.Setenv("PFNAMP_ORT_LIB", orttest.Library(t))
	writeReadmeTables(t)
	_, _, wide := runCommand(t, "predict train.csv test.csv -y y -f median,p>150 --posterior paper --chains 200")
	if !strings.Contains(wide, "note: q0.5: its credible interval is on average 0.9") ||
		strings.Contains(wide, "note: p>150: its") {
		t.Errorf("no note, or one too many:\n%s", wide)
	}
	_, _, narrow := runCommand(t, "predict train.csv test.csv -y y -f median --posterior direct")
	if strings.Contains(narrow, "times as wide") {
		t.Errorf("a note on what the network says itself:\n%s", narrow)
	}
}
