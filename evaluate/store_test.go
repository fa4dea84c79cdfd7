package evaluate_test

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/internal/atomicfile"
	"github.com/pfnamp/pfnamp/internal/diskfault"
	"github.com/pfnamp/pfnamp/internal/must"
)

// oneCell is a cell that is computed at once.
var oneCell = []evaluate.Cell{{Key: "c", Run: func(context.Context) (evaluate.Outcome, error) {
	return evaluate.Outcome{Measures: []evaluate.Measure{{Method: "m", Metric: "width"}}}, nil
}}}

// TestEmptyCell refuses kept cells without a result, which would leave a split out in silence.
func TestEmptyCell(t *testing.T) {
	folder := t.TempDir()
	store, err := evaluate.OpenStore(folder, nil)
	must.Succeed(t, err)
	cell := filepath.Join(folder, "cells", "c.json")
	for _, text := range []string{"", "null", "{}", `{"measures": null}`, `{"measures": [{}]}`,
		`{"other": 1}`, "[]", `{"measures": [{"method": "m"}]} {}`} {
		must.Succeed(t, os.WriteFile(cell, []byte(text), 0o600))
		_, err := evaluate.Run(t.Context(), oneCell, store, 1, nil)
		if err == nil || !strings.HasPrefix(err.Error(), cell) ||
			!strings.HasSuffix(err.Error(), ": it is damaged: its content is not what pfnamp wrote") {
			t.Errorf("%q: error %v", text, err)
		}
	}
}

// TestStoreFaults lets every call of the file system fail by which settings and cells are kept:
// what is there is complete, and the run that follows finds or makes it.
func TestStoreFaults(t *testing.T) {
	outer := t.TempDir()
	folder := filepath.Join(outer, "store")
	run := func() error {
		store, err := evaluate.OpenStore(folder, map[string]string{"seed": "1"})
		if err == nil {
			_, err = evaluate.Run(t.Context(), oneCell, store, 1, nil)
		}
		return err
	}
	must.Succeed(t, run())
	complete := diskfault.Files(t, folder)
	if len(complete) != 3 {
		t.Fatalf("the store holds %q", complete)
	}
	prepare := func() { os.RemoveAll(folder) }
	faults := diskfault.Walk(t, prepare, run, func(f diskfault.Fault, err error) {
		got := diskfault.Files(t, folder)
		for name, text := range got {
			if f.Op != atomicfile.OpRemove && complete[name] != text {
				t.Errorf("%v: %s holds %q", f, name, text)
			}
		}
		if err == nil && !maps.Equal(got, complete) {
			t.Errorf("%v: no error, and the store holds %q", f, got)
		}
		if err := run(); err != nil {
			t.Errorf("%v: the next run: %v", f, err)
		}
	})
	t.Logf("%d faults", faults)
}
