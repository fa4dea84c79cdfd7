package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/internal/orttest"
)

// The embedded model has a posterior of every functional; a model without one is refused with a
// remedy.
func TestDirectPosterior(t *testing.T) {
	t.Setenv("PFNAMP_ORT_LIB", orttest.Library(t))
	without, err := filepath.Abs("../../testdata/tabpfn-tiny")
	if err != nil {
		t.Fatal(err)
	}
	writeReadmeTables(t)
	const ask = "predict train.csv test.csv -y y --posterior direct -f "
	status, out, message := runCommand(t, ask+"mean,median,q0.9,p>150")
	if status != fault.ExitOK || strings.Count(out, "\n") != 21 {
		t.Errorf("exit status %d\n%s%s", status, out, message)
	}
	status, _, message = runCommand(t, ask+"median --model "+without)
	if status != fault.ExitModel || !strings.Contains(message, "has no posterior of its own") ||
		!strings.Contains(message, "hint: use --posterior paper or limit") {
		t.Errorf("exit status %d\n%s", status, message)
	}
}

// An interval that says little more than the predictive one is pointed out, with what says more.
func TestWideIntervalsAreNoted(t *testing.T) {
	t.Setenv("PFNAMP_ORT_LIB", orttest.Library(t))
	writeReadmeTables(t)
	_, _, wide := runCommand(t, "predict train.csv test.csv -y y -f median,p>150 --posterior "+
		"paper --chains 200")
	if !strings.Contains(wide, "note: q0.5: its credible interval is on average 1.0") ||
		strings.Contains(wide, "note: p>150: its") {
		t.Errorf("no note, or one too many:\n%s", wide)
	}
	_, _, narrow := runCommand(t, "predict train.csv test.csv -y y -f median --posterior direct")
	if strings.Contains(narrow, "times as wide") {
		t.Errorf("a note on what the network says itself:\n%s", narrow)
	}
}
