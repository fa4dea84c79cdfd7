package serve

import (
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/flags"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/pfn"
)

func TestMain(m *testing.M) { orttest.Main(m, "") }

var tiny = filepath.Join("..", "..", "..", "testdata", "tiny")

// openedStates serves states with so many members each.
func openedStates(t *testing.T, members ...int) *job {
	t.Helper()
	j := &job{bundles: []string{tiny}}
	j.question.Std = stdio.Streams{Out: io.Discard, Err: io.Discard}
	j.options.Log = slog.New(slog.DiscardHandler)
	from := &j.question.From
	from.Saved, from.Quiet, from.Task = true, true, flags.ByTarget
	for k, members := range members {
		path := filepath.Join(t.TempDir(), "s.state")
		save(t, path, tiny, members, k)
		j.named = append(j.named, namedState{name: strings.Repeat("s", k+1), version: "1", path: path})
	}
	var err error
	j.states, err = j.openStates(t.Context(), nil)
	must.Succeed(t, err)
	return j
}

// A state that cannot be read again stays, and keeps no other from being read.
func TestOneStateCannotBeReloaded(t *testing.T) {
	j := openedStates(t, 1, 1, 1)
	defer j.close()
	save(t, j.named[1].path, tiny, 1, 3)
	must.Succeed(t, os.WriteFile(j.named[0].path, []byte("no state"), 0o666))
	must.Succeed(t, os.Remove(j.named[2].path))
	states, err := j.openStates(t.Context(), j.states)
	must.Fail(t, "both files", err, j.named[0].path, j.named[2].path)
	if states[0] != j.states[0] || states[1] == j.states[1] || states[2] != j.states[2] {
		t.Errorf("states %v after %v, want only the second anew", states, j.states)
	}
	closeNew(states, j.states)
}

// States of one bundle share a network, which is open until the last of them has gone.
func TestStatesShareANetwork(t *testing.T) {
	j := openedStates(t, 1, 1, 2)
	if n := len(j.networks.open); n != 2 {
		t.Fatalf("%d networks for two numbers of members", n)
	}
	one, other := j.states[0].model.Predictor, j.states[1].model.Predictor
	shared := one.Fitted().Model()
	if other.Fitted().Model() != shared {
		t.Error("two states have a network each")
	}
	j.states[0].close()
	j.states[0].close()
	if _, err := other.Rows(t.Context(), []map[string]any{{"x": 3.0}}); err != nil {
		t.Errorf("the second state, without the first: %v", err)
	}
	for _, s := range j.states {
		s.close()
	}
	if err := shared.Close(); len(j.networks.open) > 0 || !errors.Is(err, pfn.ErrClosed) {
		t.Errorf("%d networks stay open (%v)", len(j.networks.open), err)
	}
}

// save fits a table and saves the state.
func save(t *testing.T, path, bundle string, members, shift int) {
	t.Helper()
	m, err := pfnamp.Open(bundle, pfn.Options{Members: members})
	must.Succeed(t, err)
	defer m.Close()
	rows := make([]map[string]any, 12)
	for i := range rows {
		rows[i] = map[string]any{"x": float64(i), "y": float64(i*i%7 + shift)}
	}
	table, err := pfnamp.Table("t", rows)
	must.Succeed(t, err)
	fitted, err := pfnamp.Fit(t.Context(), m, table, pfnamp.FitOptions{Target: "y"})
	must.Succeed(t, err)
	defer fitted.Close()
	file, err := os.Create(path)
	must.Succeed(t, err)
	must.Succeed(t, errors.Join(fitted.Save(file, "test"), file.Close()))
}
