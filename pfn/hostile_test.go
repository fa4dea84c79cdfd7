package pfn

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/models"
)

// hostileBundle loads a bundle of orttest.Hostile.
func hostileBundle(t *testing.T, kind string) *models.Bundle {
	t.Helper()
	dir := filepath.Join(t.TempDir(), kind)
	must.Succeed(t, orttest.Hostile(kind, dir))
	return loaded(t, dir)
}

// attempt opens a bundle, fits a small table and predicts five rows.
func attempt(t *testing.T, b *models.Bundle, limit time.Duration) error {
	t.Helper()
	m, err := Open(b, Options{Library: orttest.Library(t), TimeLimit: limit})
	if err != nil {
		return err
	}
	defer m.Close()
	c, err := m.Fit(t.Context(), synthetic(1, 20, 3))
	if err != nil {
		return err
	}
	_, err = c.Predict(t.Context(), synthetic(2, 5, 3).X)
	return err
}

// Outputs of another shape or type than the manifest says are refused, also where the number of
// elements is right.
func TestHostileOutputs(t *testing.T) {
	for kind, want := range map[string]string{
		"turned":   `output "quantiles" has the shape [9 6 1] from query row 0 on, instead of [1 6 9]`,
		"flat":     `output "quantiles" has the shape [1 54] from query row 0 on, instead of [1 6 9]`,
		"scalar":   "",
		"integers": "type",
		"doubles":  "type",
	} {
		err := attempt(t, hostileBundle(t, kind), 0)
		var fault *ModelError
		var native *NativeError
		if !errors.As(err, &fault) && !errors.As(err, &native) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

// A graph that never ends is stopped.
func TestTimeLimit(t *testing.T) {
	err := attempt(t, hostileBundle(t, "endless"), 100*time.Millisecond)
	late, ok := errors.AsType[*TimeLimitError](err)
	if !ok || late.Limit != 100*time.Millisecond || !strings.Contains(late.Error(), "query graph") {
		t.Errorf("got %v", err)
	}
	tiny := loaded(t, tinyBundle)
	if err := attempt(t, tiny, -1); err != nil {
		t.Errorf("without a limit: %v", err)
	}
	err = attempt(t, tiny, time.Nanosecond)
	if _, ok := errors.AsType[*TimeLimitError](err); !ok {
		t.Errorf("with a limit of 1 ns: %v", err)
	}
}

func TestRunLimit(t *testing.T) {
	for _, c := range []struct {
		rows, columns int
		want          time.Duration
	}{
		{0, 0, 10 * time.Minute},
		{1200, 10, 20 * time.Minute},
		{1_000_000, 2000, 10*time.Minute + 100_000_000*time.Second},
	} {
		if got := RunLimit(c.rows, c.columns); got != c.want {
			t.Errorf("%d x %d: %v, want %v", c.rows, c.columns, got, c.want)
		}
	}
}

// A panic in a goroutine is an error of the call that has started it.
func TestPanicIsAnError(t *testing.T) {
	c := fit(t, open(t, Options{}), synthetic(1, 20, 3))
	c.voices[ofLabel].combine = func([][]float32, weighing) part { panic("a mistake") }
	_, err := c.Predict(t.Context(), synthetic(2, 5, 3).X)
	if _, ok := errors.AsType[*panics.Error](err); !ok {
		t.Errorf("got %v", err)
	}
}
