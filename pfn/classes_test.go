package pfn

import (
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/pfn/internal/tabicl"
	"github.com/pfnamp/pfnamp/pfn/internal/tabpfn"
)

// tinyClassifier is the folder of a classifier of random weights, whose golden vectors are what
// tabicl 2.2.0 computes with them. Made with
//
//	python -m scripts.export.tabicl.make_checkpoint --size tiny --task classification --half \
//	    --out tiny.ckpt
//	python -m scripts.export_onnx --family tabicl --checkpoint tiny.ckpt \
//	    --out testdata/tabicl-classes --name tabicl-classes --version 1 \
//	    --description 'Classifier of the TabICLv2 architecture with random weights, for tests.' \
//	    --licence LICENSE --spdx Apache-2.0 --notice '' \
//	    --weights 'random numbers of scripts/export/tabicl/make_checkpoint.py --size tiny
//	        --task classification --half'
var tinyClassifier = filepath.Join("..", "testdata", "tabicl-classes")

// classTable is a table with K classes.
func classTable(seed uint64, rows, cols, classes int) Training {
	t := synthetic(seed, rows, cols)
	sorted := slices.Sorted(slices.Values(t.Y))
	for i, y := range t.Y {
		at, _ := slices.BinarySearch(sorted, y)
		t.Y[i] = float64(at * classes / rows)
	}
	return t
}

func predictClasses(t testing.TB, c *Context, x Matrix) []distr.Classes {
	t.Helper()
	rows, err := c.PredictClasses(t.Context(), x)
	must.Succeed(t, err)
	return rows
}

// Where no feature varies every class has its share of the context.
func TestClassShares(t *testing.T) {
	train := Training{X: Matrix{Rows: 4, Cols: 1, Data: []float64{7, 7, 7, 7}},
		Y: []float64{1, 0, 1, 1}}
	c := fit(t, openFolder(t, tinyClassifier, Options{}), train)
	got := predictClasses(t, c, Matrix{Rows: 2, Cols: 1, Data: []float64{1, 2}})
	if !c.Marginal() || !slices.Equal(got[1], distr.Classes{0.25, 0.75}) || got[1].Best() != 1 {
		t.Errorf("%v", got)
	}
}

func TestClassifierRefuses(t *testing.T) {
	m := openFolder(t, tinyClassifier, Options{Refit: true})
	x := Matrix{Rows: 4, Cols: 1, Data: []float64{1, 2, 3, 4}}
	for want, y := range map[string][]float64{
		"context row 1: the target is 0.5, but tabicl-classes 1 needs a class": {0, 0.5, 1, 1},
		"context row 0: the target is -1":                                      {-1, 0, 1, 1},
		"context row 2: the target is 9":                                       {0, 1, 9, 1},
		"no row has the class 1, but a row has 2":                              {0, 2, 0, 2},
		"the context has 1 class: model tabicl-classes 1 takes 2 to 10":        {0, 0, 0, 0},
		"the target is NaN":                                                    {0, math.NaN(), 1, 1},
	} {
		_, err := m.Fit(t.Context(), Training{X: x, Y: y})
		must.Fail(t, y, err, want)
	}
	var limit *LimitError
	_, err := m.Fit(t.Context(), classTable(1, 33, 2, 11))
	if !errors.As(err, &limit) || limit.Got != 11 || !strings.Contains(limit.Hint(), "merge") {
		t.Errorf("11 classes: %v", err)
	}
	var task *TaskError
	c := fit(t, m, classTable(1, 33, 2, 10))
	if _, err := c.Predict(t.Context(), synthetic(1, 2, 2).X); !errors.As(err, &task) {
		t.Errorf("Predict: %v", err)
	}
	regression := fit(t, embedded(t, "default"), synthetic(1, 20, 2))
	_, err = regression.PredictClasses(t.Context(), synthetic(1, 2, 2).X)
	if !errors.As(err, &task) || !strings.Contains(task.Hint(), "classification") {
		t.Errorf("PredictClasses: %v", err)
	}
	if regression.Classes() != 0 {
		t.Errorf("%d classes of a regression", regression.Classes())
	}
	c.Close()
	if _, err := c.PredictClasses(t.Context(), synthetic(1, 2, 2).X); !errors.Is(err, ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}

// The ways to make probabilities of logits that a manifest may ask for.
func TestClassAverages(t *testing.T) {
	members := tabpfnEnsemble{preset: tabpfn.Preset{Classes: 3},
		training: Training{Y: []float64{0, 0, 1, 2}}, Transformer: &tabpfn.Transformer{
			Members: []tabpfn.Member{{Classes: []int{0, 1, 2}}, {Classes: []int{2, 0, 1}}}}}
	logits := [][]float32{{1, 0, -1, 9}, {2, 0.5, 0, 9}} // the last class is not in the table
	soft := func(z ...float64) distr.Classes {
		return distr.Softmax(z, 0.5)
	}
	first, second := soft(1, 0, -1), soft(0, 2, 0.5)
	mean := distr.Classes{}
	for k := range first {
		mean = append(mean, (first[k]+second[k])/2)
	}
	half := distr.Classes{mean[0] / 0.5, mean[1] / 0.25, mean[2] / 0.25}
	sum := half[0] + half[1] + half[2]
	for name, c := range map[string]struct {
		probabilities, balanced bool
		want                    distr.Classes
	}{
		"logits":        {false, false, soft(0.5, 1, -0.25)},
		"probabilities": {true, false, mean},
		"balanced":      {true, true, distr.Classes{half[0] / sum, half[1] / sum, half[2] / sum}},
	} {
		h := classHead{4, 0.5, c.probabilities, c.balanced}
		got := h.combiner(members, target{classes: 3})(logits, weighing{}).(distr.Classes)
		if difference(got, c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// A temperature sharpens what a network of this project adds to the shares of the classes.
func TestTemperatureKeepsShares(t *testing.T) {
	shares := []float64{0.02, 0.08, 0.9}
	members := tabiclEnsemble{{Members: []tabicl.Member{{Classes: []int{0, 1, 2}}}, Shares: shares}}
	logits := []float32{3, 3, 3}
	for k, share := range shares {
		logits[k] += float32(math.Log(share))
	}
	h := classHead{most: 3, temperature: 0.5}
	odds := func(z []float32) float64 {
		p := h.combiner(members, target{classes: 3})([][]float32{z}, weighing{}).(distr.Classes)
		return p[0] / p[2]
	}
	if got, want := odds(logits), 0.02/0.9; math.Abs(got-want) > 1e-6 {
		t.Errorf("odds of %v for the odds %v of the shares", got, want)
	}
	logits[0] += float32(math.Log(3))
	if got, want := odds(logits), 9*0.02/0.9; math.Abs(got-want) > 1e-6 {
		t.Errorf("three times the odds of the shares become %v, want %v", got, want)
	}
}
