package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/models"
)

// TestLimitsOfTheModel gives the embedded model one row and one feature more
// than it allows.
func TestLimitsOfTheModel(t *testing.T) {
	t.Setenv("PFNAMP_ORT_LIB", orttest.Library(t))
	bundle, err := models.Default()
	if err != nil {
		t.Fatal(err)
	}
	limits := bundle.Manifest.Limits
	for name, size := range map[string]struct{ rows, features int }{
		"rows":     {limits.MaxRows + 1, 1},
		"features": {5, limits.MaxFeatures + 1},
	} {
		path := filepath.Join(t.TempDir(), "train.csv")
		if err := os.WriteFile(path, []byte(wideTable(size.rows, size.features)), 0o600); err != nil {
			t.Fatal(err)
		}
		status, _, message := runCommand(t, "predict "+path+" "+path+" -y y --subsample none")
		if status != fault.ExitLimit || !strings.Contains(message, "train.csv: ") ||
			!strings.Contains(message, " "+name+": model ") || !strings.Contains(message, "hint: ") {
			t.Errorf("too many %s: exit status %d\n%s", name, status, message)
		}
		hint := fmt.Sprintf("--subsample %d", limits.MaxRows)
		if strings.Contains(message, hint) != (name == "rows") {
			t.Errorf("too many %s: wrong remedy\n%s", name, message)
		}
	}
}

// TestSubsampleKeepsTheLimit reads a table with a row too many: as many rows as the embedded model
// allows, drawn at random.
func TestSubsampleKeepsTheLimit(t *testing.T) {
	t.Setenv("PFNAMP_ORT_LIB", orttest.Library(t))
	bundle, err := models.Default()
	if err != nil {
		t.Fatal(err)
	}
	most := bundle.Manifest.Limits.MaxRows
	dir := t.TempDir()
	train, test := filepath.Join(dir, "train.csv"), filepath.Join(dir, "test.csv")
	for path, rows := range map[string]int{train: most + 1, test: 3} {
		if err := os.WriteFile(path, []byte(wideTable(rows, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	status, out, message := runCommand(t, fmt.Sprintf("predict %s %s -y y --members 1", train, test))
	if status != fault.ExitOK || strings.Count(out, "\n") != 4 ||
		!strings.Contains(message, fmt.Sprintf("is %d of these %d rows", most, most+1)) {
		t.Errorf("exit status %d\n%s%s", status, out, message)
	}
}

// wideTable is a CSV of so many rows and features, with a target y.
func wideTable(rows, features int) string {
	var s strings.Builder
	for j := range features {
		fmt.Fprintf(&s, "x%d,", j)
	}
	s.WriteString("y\n")
	for i := range rows {
		for j := range features {
			fmt.Fprintf(&s, "%d,", (i*7+j*3)%11)
		}
		fmt.Fprintf(&s, "%d\n", i%13)
	}
	return s.String()
}
