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
