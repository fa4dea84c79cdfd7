package pfn

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/models"
)

func TestInputErrors(t *testing.T) {
	m := embedded(t, "default")
	limits := m.Bundle().Manifest.Limits
	cases := []struct {
		name string
		edit func(*Training)
		want string
	}{
		{"infinite feature", func(t *Training) { t.X.Data[7] = math.Inf(1) },
			"context row 2, feature 1: the value is infinite"},
		{"missing target", func(t *Training) { t.Y[3] = math.NaN() },
			"context row 3: the target is NaN"},
		{"infinite target", func(t *Training) { t.Y[4] = math.Inf(-1) },
			"context row 4: the target is -Inf"},
		{"too large target", func(t *Training) { t.Y[0] = 2e300 },
			"context row 0: the target is 2e+300"},
		{"short target", func(t *Training) { t.Y = t.Y[1:] }, "19 target values for 20 rows"},
		{"short data", func(t *Training) { t.X.Data = t.X.Data[1:] },
			"59 values do not make 20 rows of 3 features"},
		{"flags", func(t *Training) { t.Categorical = []bool{true} },
			"1 categorical flags for 3 features"},
		{"one row", func(t *Training) { *t = synthetic(1, 1, 3) }, "the context has 1 row: model "},
		{"no features", func(t *Training) {
			t.X = Matrix{Rows: 20}
		}, "the context has 0 features: model "},
		{"too many rows", func(t *Training) { *t = synthetic(1, limits.MaxRows+1, 1) },
			"use a random subset of the rows"},
		{"too many features", func(t *Training) { *t = synthetic(1, 5, limits.MaxFeatures+1) },
			"drop features"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			train := synthetic(1, 20, 3)
			c.edit(&train)
			_, err := m.Fit(t.Context(), train)
			if err == nil {
				t.Fatal("no error")
			}
			said := err.Error()
			var input *InputError
			if limit, ok := errors.AsType[*LimitError](err); ok {
				said += "; " + limit.Hint()
			} else if !errors.As(err, &input) {
				t.Errorf("%T is not typed", err)
			}
			must.Hold(t, "error", said, c.want)
		})
	}
}

func TestQueryErrors(t *testing.T) {
	m := embedded(t, "default")
	c := fit(t, m, synthetic(1, 20, 3))
	bad := synthetic(2, 5, 3).X
	bad.Data[13] = math.Inf(-1)
	cases := map[string]Matrix{
		"query row 4, feature 1: the value is infinite":          bad,
		"query: the table has 2 features, but the context has 3": synthetic(2, 5, 2).X,
		"query: 5 values do not make 2 rows of 3 " +
			"featu": {Rows: 2, Cols: 3, Data: make([]float64, 5)},
	}
	for want, x := range cases {
		_, err := c.Predict(t.Context(), x)
		if _, ok := errors.AsType[*InputError](err); !ok || !strings.Contains(err.Error(), want) {
			t.Errorf("error %q does not contain %q", err, want)
		}
	}
}

func TestClosed(t *testing.T) {
	m := open(t, Options{Refit: true})
	c, other := fit(t, m, synthetic(1, 20, 3)), fit(t, m, synthetic(1, 20, 3))
	must.Succeed(t, c.Close())
	if err := c.Close(); err != ErrClosed {
		t.Errorf("second Close of a context: %v", err)
	}
	if _, err := c.Predict(t.Context(), synthetic(1, 2, 3).X); err != ErrClosed {
		t.Errorf("Predict on a closed context: %v", err)
	}
	must.Succeed(t, m.Close())
	if err := m.Close(); err != ErrClosed {
		t.Errorf("second Close of a model: %v", err)
	}
	if _, err := other.Predict(t.Context(), synthetic(1, 2, 3).X); err != ErrClosed {
		t.Errorf("Predict on a closed model: %v", err)
	}
	if _, err := m.Fit(t.Context(), synthetic(1, 20, 3)); err != ErrClosed {
		t.Errorf("Fit on a closed model: %v", err)
	}
}

func TestOpenErrors(t *testing.T) {
	b := bundle(t)
	var library *LibraryError
	_, err := Open(b, Options{Library: "/nonexistent/libonnxruntime.so"})
	if !errors.As(err, &library) {
		t.Errorf("a missing library gives %v", err)
	}
	if _, err := Open(b, Options{Members: -1}); err == nil {
		t.Error("negative members are accepted")
	}
	lib := orttest.Library(t)
	if _, err := Open(b, Options{Library: lib, Device: "abacus"}); err == nil {
		t.Error("an unknown device is accepted")
	}
	if _, err := models.Load(t.TempDir()); err == nil {
		t.Error("an empty folder is a bundle")
	}
}

func TestRuntime(t *testing.T) {
	m := open(t, Options{Threads: 1, Members: 3})
	info := m.Runtime()
	if info.Device != "cpu" && !strings.HasPrefix(info.Device, "cuda") {
		t.Errorf("device %q", info.Device)
	}
	if info.Path == "" || info.Version == "" || info.Reason == "" || len(info.Steps) == 0 {
		t.Errorf("runtime is not described: %+v", info)
	}
	if c := fit(t, m, synthetic(1, 30, 4)); c.Members() != 3 || c.Rows() != 30 {
		t.Errorf("%d members, %d rows", c.Members(), c.Rows())
	}
}
