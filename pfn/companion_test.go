package pfn

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/models"
)

// accompanied opens the tiny bundle with the embedded one as its companion.
func accompanied(t *testing.T) (*Model, *models.Bundle) {
	t.Helper()
	b := loaded(t, tinyBundle)
	b.Manifest.Companion = loaded(t, filepath.Join("..", "models", "default"))
	m, err := Open(b, Options{Library: orttest.Library(t)})
	must.Succeed(t, err)
	t.Cleanup(func() { m.Close() })
	return m, b
}

// The embedded bundle reads the same table, and a state keeps what it has read.
func TestCompanion(t *testing.T) {
	m, b := accompanied(t)
	train, query := synthetic(1, 30, 2), synthetic(2, 5, 2).X
	c := fit(t, m, train)
	means := func(c *Context) (means []float64) {
		t.Helper()
		with, err := c.Companion(t.Context())
		if err != nil || with == nil || c.Alone() != nil {
			t.Fatal(with, err, c.Alone())
		}
		results, err := with.Results(t.Context(), query, true)
		must.Succeed(t, err)
		for _, r := range results {
			means = append(means, r.Own.(*distr.Surface).Mean...)
		}
		return means
	}
	want := means(c)
	file := saved(t, c, "")
	again, err := restore(m, file)
	must.Succeed(t, err)
	if !slices.Equal(means(again), want) {
		t.Error("a state's companion says something else")
	}
	var state *StateError
	for _, cut := range []int{len(file) - 1, len(file) - 40, len(file) / 2} {
		if _, err := restore(m, file[:cut]); !errors.As(err, &state) || state.Other {
			t.Errorf("cut to %d of %d: %v", cut, len(file), err)
		}
	}

	alone := func(file []byte, want string) {
		t.Helper()
		c, err := restore(m, file)
		must.Succeed(t, err)
		with, err := c.Companion(t.Context())
		if with != nil || err != nil || !strings.Contains(c.Alone().Error(), want) {
			t.Error(with, err, c.Alone())
		}
	}
	with := b.Manifest.Companion
	b.Manifest.Companion = nil
	without := saved(t, fit(t, m, train), "")
	other := bytes.ReplaceAll(file, []byte(with.SHA256()), bytes.Repeat([]byte("0"), 64))
	b.Manifest.Companion = with
	alone(without, "saved without the companion")
	alone(reseal(other), "not the model's")
}

// A first call that is cancelled changes nothing, several at once get one context, and closing
// waits for them. Without memory for it there is none.
func TestCompanionOfMany(t *testing.T) {
	m, b := accompanied(t)
	c := fit(t, m, synthetic(1, 30, 2))
	cancelled, stop := context.WithCancel(t.Context())
	stop()
	if with, err := c.Companion(cancelled); with != nil || !errors.Is(err, context.Canceled) {
		t.Error(with, err)
	}
	var all [4]*Context
	var group sync.WaitGroup
	for i := range all {
		group.Go(func() { all[i], _ = c.Companion(t.Context()) })
	}
	group.Wait()
	for _, with := range all {
		if with == nil || with != all[0] {
			t.Errorf("%p, want %p", with, all[0])
		}
	}
	must.Succeed(t, c.Close())
	if _, err := c.Companion(t.Context()); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}

	poor, err := Open(b, Options{Library: orttest.Library(t)})
	must.Succeed(t, err)
	defer poor.Close()
	c = fit(t, poor, synthetic(1, 30, 2))
	_, err = c.model.companion()
	must.Succeed(t, err)
	c.model.beside.options.Memory = 1
	with, err := c.Companion(t.Context())
	var large *MemoryError
	if with != nil || err != nil || !errors.As(c.Alone(), &large) {
		t.Error(with, err, c.Alone())
	}
}

// A table beyond the limits of the companion has none.
func TestCompanionAlone(t *testing.T) {
	m, b := accompanied(t)
	narrow := loaded(t, filepath.Join("..", "models", "default"))
	narrow.Manifest.Limits.MaxFeatures = 1
	b.Manifest.Companion = narrow
	c := fit(t, m, synthetic(1, 30, 2))
	with, err := c.Companion(t.Context())
	var limit *LimitError
	if with != nil || err != nil || !errors.As(c.Alone(), &limit) || limit.What != "features" {
		t.Error(with, err, c.Alone())
	}
}
