package pfn

import (
	"bytes"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/models"
)

// Every family that a manifest may name has its row here, with bundles in testdata for which all of
// it is used: golden vectors, states that are of this family alone, and an estimate of memory that
// grows with rows and columns.
func TestEveryFamily(t *testing.T) {
	if names := slices.Sorted(maps.Keys(families)); !slices.Equal(names, models.Families()) {
		t.Fatalf("families %v here, %v in manifests", names, models.Families())
	}
	seen := map[string]int{}
	folders, err := filepath.Glob(filepath.Join("..", "testdata", "*", "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, own := range []string{"default", "classifier"} {
		folders = append(folders, filepath.Join("..", "models", own, "manifest.json"))
	}
	for _, path := range folders {
		b, err := models.Load(filepath.Dir(path))
		if err != nil {
			t.Fatal(err)
		}
		seen[b.Manifest.Family]++
		report, err := Verify(t.Context(), b, Options{Library: orttest.Library(t)})
		if err != nil || !report.OK() {
			t.Errorf("%s: %+v, error %v", path, report, err)
		}
		if !strings.Contains(path, "models") {
			checkFamily(t, openBundle(t, filepath.Dir(path)))
		}
	}
	for name := range families {
		if seen[name] == 0 {
			t.Errorf("no bundle in testdata is of the family %s", name)
		}
	}
}

// checkFamily saves a context of a model and estimates what tables take.
func checkFamily(t *testing.T, m *Model) {
	t.Helper()
	train := synthetic(1, 30, 3)
	if m.Classifier() {
		train = classTable(1, 30, 3, 2)
	}
	s, err := ReadState(bytes.NewReader(saved(t, fit(t, m, train), "")))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Restore(s); err != nil {
		t.Error(err)
	}
	bytes := func(rows, columns int) int64 {
		return m.footprint(demand{rows: rows, widths: []int{columns}, batch: 10, threads: 1})
	}
	if base := bytes(500, 10); bytes(1000, 10) <= base || bytes(500, 40) <= base {
		t.Errorf("%s: %d bytes, not more for more rows or columns", m.Name(), base)
	}
}
