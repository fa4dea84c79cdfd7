package evaluate_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/internal/must"
)

// An interrupted run keeps what it finished, and the next one computes the rest only.
func TestRunResumes(t *testing.T) {
	folder := t.TempDir()
	setting := map[string]string{"seed": "1"}
	computed := map[string]int{}
	ctx, stop := context.WithCancel(t.Context())
	var cells []evaluate.Cell
	for _, key := range []string{"a", "b", "c"} {
		run := func(ctx context.Context) (evaluate.Outcome, error) {
			if err := ctx.Err(); err != nil {
				return evaluate.Outcome{}, err
			}
			computed[key]++
			one := evaluate.Measure{Method: key, Value: 1, SE: evaluate.Number(math.NaN())}
			return evaluate.Outcome{Measures: []evaluate.Measure{one}}, nil
		}
		cells = append(cells, evaluate.Cell{Key: key, Run: run})
	}
	store, err := evaluate.OpenStore(folder, setting)
	must.Succeed(t, err)
	_, err = evaluate.Run(ctx, cells, store, 1, func(n int) {
		if n == 2 {
			stop()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("interrupted: %v", err)
	}
	store, err = evaluate.OpenStore(folder, setting)
	must.Succeed(t, err)
	outcomes, err := evaluate.Run(t.Context(), cells, store, 1, nil)
	must.Succeed(t, err)
	for i, c := range cells {
		if computed[c.Key] != 1 {
			t.Errorf("cell %s was computed %d times", c.Key, computed[c.Key])
		}
		m := outcomes[i].Measures[0]
		if m.Method != c.Key || m.Value != 1 || !math.IsNaN(float64(m.SE)) {
			t.Errorf("cell %s: %v", c.Key, m)
		}
	}
	var other *evaluate.StoreError
	if _, err := evaluate.OpenStore(folder, map[string]string{"seed": "2"}); !errors.As(err, &other) ||
		other.Field != "seed" {
		t.Errorf("another setting: %v", err)
	}
	below := filepath.Join(folder, "setting.json", "results") // below a file
	_, err = evaluate.OpenStore(below, setting)
	must.Fail(t, "a folder below a file", err, below+": cannot be created: ")
	must.Succeed(t, os.WriteFile(filepath.Join(folder, "cells", "b.json"), []byte("{"), 0o600))
	if _, err := evaluate.Run(t.Context(), cells, store, 1, nil); err == nil {
		t.Error("a damaged cell was read")
	}
}
