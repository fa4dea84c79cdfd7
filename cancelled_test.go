package pfnamp_test

import (
	"context"
	"errors"
	"testing"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/batching"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// Whatever takes a context returns its cause, as the documentation says, when it is cancelled.
func TestCancelled(t *testing.T) {
	m, err := pfnamp.Open("", pfn.Options{Library: orttest.Library(t), Members: 1})
	must.Succeed(t, err)
	defer m.Close()
	table, err := pfnamp.Table("lines", lines())
	must.Succeed(t, err)
	fitted, err := pfnamp.Fit(t.Context(), m, table, pfnamp.FitOptions{Target: "Price"})
	must.Succeed(t, err)
	defer fitted.Close()
	asked, err := fitted.Prepare(t.Context(), pfnamp.Question{})
	must.Succeed(t, err)
	batcher := batching.New(asked, batching.Options{})
	defer batcher.Close()
	why := errors.New("nobody waits")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	limit := []pfnamp.Posterior{pfnamp.Limit}
	for name, call := range map[string]func() error{
		"ReadAll": func() error {
			_, err := tabular.ReadAll(ctx, "testdata/diabetes.csv", tabular.ReadOptions{})
			return err
		},
		"Fit": func() error {
			_, err := pfnamp.Fit(ctx, m, table, pfnamp.FitOptions{Target: "Price"})
			return err
		},
		"Part": func() error { _, err := fitted.Part(ctx, fitted.ContextRows()); return err },
		"Prepare": func() error {
			_, err := fitted.Prepare(ctx, pfnamp.Question{Posteriors: limit})
			return err
		},
		"Prepare conformal": func() error {
			_, err := fitted.Prepare(ctx, pfnamp.Question{Predictive: pfnamp.ConformalInterval})
			return err
		},
		"Ready, then Predict": func() error {
			late, err := fitted.Ask(t.Context(), pfnamp.Question{Posteriors: limit})
			if err != nil {
				return err
			}
			_, err = late.Rows(ctx, lines()[:1])
			return err
		},
		"Rows":         func() error { _, err := asked.Rows(ctx, lines()); return err },
		"Batcher.Rows": func() error { _, err := batcher.Rows(ctx, lines()[:1]); return err },
		"CheckLabels": func() error {
			rows := fitted.ContextRows()
			_, err := fitted.CheckLabels(ctx, rows.X, rows.Y, 0.9, 1)
			return err
		},
	} {
		if err := call(); !errors.Is(err, why) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
