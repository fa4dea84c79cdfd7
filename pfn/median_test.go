package pfn

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/ort"
)

// tinyBundle is the folder of a network of random weights with a direct output.
var tinyBundle = filepath.Join("..", "testdata", "tiny")

// openBundle loads the bundle of a folder into onnxruntime until the end of the test.
func openBundle(t testing.TB, dir string) *Model {
	t.Helper()
	b, err := models.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Open(b, Options{Library: orttest.Library(t), Refit: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

func TestPredictMedian(t *testing.T) {
	m := openBundle(t, tinyBundle)
	if !m.Direct() {
		t.Fatal("the bundle has no direct output")
	}
	c := fit(t, m, synthetic(1, 40, 3))
	query := synthetic(2, 150, 3).X
	ppds, medians, err := c.PredictMedian(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	direct := m.Bundle().Manifest.Direct.Levels
	for i, d := range predict(t, c, query) {
		if !sameBits(d, ppds[i].(*Quantiles)) {
			t.Fatalf("row %d: the PPD is not that of Predict", i)
		}
		if len(medians[i].Knots) != direct || medians[i].Scale != d.Scale {
			t.Fatalf("row %d: %d knots of scale %g", i, len(medians[i].Knots), medians[i].Scale)
		}
	}
	if distance(medians[0], medians[1]) < 1e-3 {
		t.Error("the median's posterior does not depend on the row")
	}
	for _, i := range []int{0, 63, 64, 149} {
		_, alone, err := c.PredictMedian(t.Context(), subset(query, []int{i}))
		if err != nil {
			t.Fatal(err)
		}
		if !sameBits(alone[0], medians[i]) {
			t.Errorf("row %d: the median's posterior differs when the row is alone", i)
		}
	}
}

func TestPredictMedianWithoutOutput(t *testing.T) {
	c := &Context{model: &Model{bundle: &models.Bundle{
		Manifest: models.Manifest{Name: "plain", Version: "1"}}}}
	_, _, err := c.PredictMedian(t.Context(), Matrix{})
	none, ok := errors.AsType[*NoDirectError](err)
	if !ok || !strings.Contains(err.Error(), "plain 1") || none.Hint() == "" {
		t.Errorf("error %v", err)
	}
}

func TestPredictMedianWithoutNetwork(t *testing.T) {
	m := openBundle(t, tinyBundle)
	constant, flat := synthetic(1, 30, 2), synthetic(2, 201, 2)
	for i := range constant.Y {
		constant.Y[i] = -7
	}
	for i := range flat.X.Data {
		flat.X.Data[i] = 1
	}
	row := Matrix{Rows: 1, Cols: 2, Data: []float64{1, 2}}
	_, medians, err := fit(t, m, constant).PredictMedian(t.Context(), row)
	if err != nil || !medians[0].Degenerate() || medians[0].Quantile(0.9) != -7 {
		t.Errorf("constant target: %+v, %v", medians, err)
	}
	ppds, medians, err := fit(t, m, flat).PredictMedian(t.Context(), row)
	if err != nil {
		t.Fatal(err)
	}
	sorted := slices.Sorted(slices.Values(flat.Y))
	if got := medians[0].Quantile(0.5); math.Abs(got-sorted[100]) > 1e-6 {
		t.Errorf("centre %g is not the median %g of the target", got, sorted[100])
	}
	spread := func(d PPD) float64 { return d.Quantile(0.9) - d.Quantile(0.1) }
	if ratio := spread(medians[0]) / spread(ppds[0]); ratio > 0.2 {
		t.Errorf("200 rows leave %g of the spread to their median", ratio)
	}
}

func TestHeadsOf(t *testing.T) {
	b, err := models.Load(tinyBundle)
	if err != nil {
		t.Fatal(err)
	}
	label, median := ort.Port{Name: "quantiles"}, ort.Port{Name: "median_quantiles"}
	heads, err := headsOf(b, []ort.Port{median, label})
	if err != nil || heads[0].index != 1 || heads[1].index != 0 {
		t.Errorf("heads %+v, %v: outputs are not found by name", heads, err)
	}
	if _, err := headsOf(b, []ort.Port{label}); err == nil {
		t.Error("a missing output is not noticed")
	}
}

// Verify finds a second output that is not what its exporter measured.
func TestVerifyMedian(t *testing.T) {
	lib := Options{Library: orttest.Library(t)}
	load := func(old, changed string) *models.Bundle {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(tinyBundle)); err != nil {
			t.Fatal(err)
		}
		golden := filepath.Join(dir, "golden.json")
		before := replaceIn(t, golden, old, changed)
		replaceIn(t, filepath.Join(dir, "manifest.json"), before[0], before[1])
		b, err := models.Load(dir)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	changed := load(`"median_quantiles": [[[-`, `"median_quantiles": [[[-4`)
	report, err := Verify(t.Context(), changed, lib)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range report.Cases[0].Stages {
		wrong := s.Name == "network: median" || s.Name == "post-processing: median's knots"
		derived := s.Name == "post-processing: median's tails" ||
			s.Name == "post-processing: median's quantiles"
		if s.OK == wrong && !derived {
			t.Errorf("stage %s: difference %g, ok = %v", s.Name, s.MaxDiff, s.OK)
		}
	}
	if report.OK() {
		t.Error("the report is OK")
	}
	changed = load(`"median": {"knots"`, `"mode": {"knots"`)
	if _, err := Verify(t.Context(), changed, lib); err == nil {
		t.Error("golden vectors without the median are accepted")
	}
}

// replaceIn edits a file and returns its sha256 before and after.
func replaceIn(t *testing.T, path, old, changed string) [2]string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(data, []byte(old)) {
		t.Fatalf("%s does not contain %q", path, old)
	}
	edited := bytes.Replace(data, []byte(old), []byte(changed), 1)
	if err := os.WriteFile(path, edited, 0o600); err != nil {
		t.Fatal(err)
	}

	return [2]string{digest(data), digest(edited)}
}
