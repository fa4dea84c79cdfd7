package pfn

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

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

// The quantile function goes through the order statistics at the levels that are exact.
func TestMedianRank(t *testing.T) {
	for _, n := range []int{2, 3, 7, 12, 401} {
		binomial := distuv.Binomial{N: float64(n), P: 0.5}
		for k := 1; k <= n; k++ {
			p := binomial.CDF(float64(k - 1))
			if p < 1e-6 || p > 1-1e-6 {
				continue // 1-p has lost its digits
			}
			r := medianRank(p, n)
			if math.Abs(float64(r.k)+r.share-float64(k)) > 1e-6 {
				t.Errorf("n = %d: P(B < %d) is the level of place %d + %g", n, k, r.k, r.share)
			}
		}
	}
	last := math.Inf(-1)
	for i := range 9999 {
		r := medianRank(float64(i+1)/10000, 6)
		if place := float64(r.k) + r.share; place < last || r.k < 1 || r.k > 5 {
			t.Fatalf("level %g has the place %d + %g", float64(i+1)/10000, r.k, r.share)
		} else {
			last = place
		}
	}
	low, high := medianRank(0.01, 2), medianRank(0.99, 2)
	if math.Abs(low.share+high.share-1) > 1e-9 || math.Abs(low.share-math.Log(0.04)) > 1e-9 {
		t.Errorf("tails of two values: %+v, %+v", low, high)
	}
}

// The 80 % interval covers the true median of any continuous distribution in 80 % of samples.
func TestSampleMedianCoverage(t *testing.T) {
	const repeats = 20000
	r := rand.New(rand.NewPCG(1, 2))
	draws := map[string]func() float64{ // all of median 0
		"normal":      r.NormFloat64,
		"exponential": func() float64 { return r.ExpFloat64() - math.Ln2 },
		"uniform":     func() float64 { return r.Float64() - 0.5 },
		"cauchy":      func() float64 { return math.Tan(math.Pi * (r.Float64() - 0.5)) },
	}
	for name, draw := range draws {
		for _, n := range []int{5, 16, 101} {
			low, high := medianRank(0.1, n), medianRank(0.9, n)
			covered := 0
			y := make([]float64, n)
			for range repeats {
				for i := range y {
					y[i] = draw()
				}
				slices.Sort(y)
				if low.of(y) <= 0 && 0 <= high.of(y) {
					covered++
				}
			}
			rate := float64(covered) / repeats
			t.Logf("%s, n = %d: coverage %.3f", name, n, rate)
			// standard error 0.003; interpolation between order statistics costs up to 0.03
			if math.Abs(rate-0.8) > 0.04 {
				t.Errorf("%s, n = %d: coverage %.3f", name, n, rate)
			}
		}
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
	digest := func(b []byte) string { return fmt.Sprintf("%x", sha256.Sum256(b)) }
	return [2]string{digest(data), digest(edited)}
}
