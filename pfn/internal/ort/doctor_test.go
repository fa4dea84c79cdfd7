//go:build cgo && (linux || darwin)

package ort

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
)

func TestDoctor(t *testing.T) {
	f := Doctor(t.Context(), orttest.Library(t), "cpu")
	if f.Problem != "" || !f.Smoke.OK || f.Smoke.Placement.Device != "cpu" {
		t.Fatalf("%+v", f)
	}
	if len(f.Library.SHA256) != 64 || f.CPUs < 1 || f.GOMAXPROCS < 1 || len(f.Steps) == 0 {
		t.Errorf("%+v", f)
	}
	b, err := json.Marshal(f)
	must.Succeed(t, err)
	for _, key := range []string{`"library":{"path":`, `"discovery":[{"where":`,
		`"smoke":{"ok":true`} {
		must.Hold(t, "JSON", string(b), key)
	}
	if n := Live(); n != 0 {
		t.Errorf("%d native handles are left", n)
	}
}

func TestDoctorProblem(t *testing.T) {
	orttest.Library(t)
	f := Doctor(t.Context(), filepath.Join(t.TempDir(), "none.so"), "cpu")
	if f.Library != nil || f.Smoke.OK || !strings.Contains(f.Problem, "not found") || f.Hint == "" {
		t.Errorf("%+v", f)
	}
}

func TestLimitFiles(t *testing.T) {
	got := limitFiles("5:memory,hugetlb:/docker/x\n4:cpu:/docker/x\n0::/user.slice/a\n")
	want := []string{
		"/sys/fs/cgroup/memory/docker/x/memory.limit_in_bytes",
		"/sys/fs/cgroup/memory/docker/memory.limit_in_bytes",
		"/sys/fs/cgroup/memory/memory.limit_in_bytes",
		"/sys/fs/cgroup/user.slice/a/memory.max",
		"/sys/fs/cgroup/user.slice/memory.max",
		"/sys/fs/cgroup/memory.max",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}
