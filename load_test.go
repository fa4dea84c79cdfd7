package pfnamp

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/pfn"
)

// kept writes a fitted table of flats to a state file and returns an interval of it too.
func kept(t *testing.T, bundle string) (path string, hi float64) {
	t.Helper()
	f := fit(t, opened(t, bundle), FitOptions{Target: "y", Ignore: []string{"kind"}})
	path = filepath.Join(t.TempDir(), "flats.state")
	must.Succeed(t, os.WriteFile(path, savedState(t, f), 0o600))
	return path, upper(t, f)
}

// upper is the upper limit of a mean.
func upper(t *testing.T, f *Fitted) float64 {
	t.Helper()
	a := ask(t, prepare(t, f, Question{Chains: 50}), flats(5)[:1])
	return a.Posteriors[0].Estimates[0][0].Hi
}

// A state file leads to a fitted table with its network and its members, and to the same bits;
// closing it leaves nothing.
func TestLoad(t *testing.T) {
	options := LoadOptions{Model: pfn.Options{Library: orttest.Library(t)}}
	for _, bundle := range []string{"", "testdata/tiny"} {
		path, want := kept(t, bundle)
		before := pfn.LiveHandles()
		if bundle != "" {
			options.Bundles = []string{"testdata/tabicl-classes", bundle}
		}
		f, err := Load(path, options)
		must.Succeed(t, err)
		if f.Model().Members() != 1 {
			t.Errorf("%d members", f.Model().Members())
		}
		if got := upper(t, f); math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("%v, want %v", got, want)
		}
		if err := f.Close(); err != nil || pfn.LiveHandles() != before {
			t.Errorf("%v, %d handles are left", err, pfn.LiveHandles()-before)
		}
		if err := f.Close(); !errors.Is(err, pfn.ErrClosed) {
			t.Errorf("closed twice: %v", err)
		}
	}
}

// The error about a missing bundle names the model and the state.
func TestLoadRefuses(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	path, _ := kept(t, "testdata/tiny")
	for _, bundles := range [][]string{nil, {"testdata/tabicl-classes"}} {
		_, err := Load(path, LoadOptions{Bundles: bundles})
		missing, ok := errors.AsType[*BundleError](err)
		if !ok || missing.Model != "tiny" || missing.State != path {
			t.Errorf("%v: %v", bundles, err)
		}
	}
	if _, err := Load(path+".none", LoadOptions{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	if _, err := Load("load_test.go", LoadOptions{}); err == nil {
		t.Error("a source file is a state")
	} else if _, ok := errors.AsType[*pfn.StateError](err); !ok {
		t.Errorf("%v", err)
	}
	if _, err := Load(path, LoadOptions{Bundles: []string{"./none"}}); err == nil {
		t.Error("a bundle that is not there")
	}
}

// A state that somebody made up, with a right checksum, ends in an error and not in a panic.
func TestMadeUpState(t *testing.T) {
	rows := flats(60)
	for _, row := range rows {
		row["y"] = 7.0
	}
	m := opened(t, "testdata/tiny")
	f := fitRows(t, m, "flats", rows, FitOptions{Target: "y", Ignore: []string{"kind"}})
	file := savedState(t, f)
	body := file[:len(file)-sha256.Size]
	knots := regexp.MustCompile(`"Knots":\[[^]]*\]`).FindIndex(body)
	emptied := body[knots[0]+len(`"Knots":[`) : knots[1]]
	copy(emptied, append([]byte("]"), bytes.Repeat([]byte(" "), len(emptied)-1)...))
	sum := sha256.Sum256(body)
	f, err := readState(t, append(body, sum[:]...)).Restore(m)
	if err == nil {
		_, err = prepare(t, f, Question{Chains: 50}).Rows(t.Context(), flats(5)[:1])
	}
	if _, ok := errors.AsType[*panics.Error](err); !ok {
		t.Errorf("got %v", err)
	}
}
