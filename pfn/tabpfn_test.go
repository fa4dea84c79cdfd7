package pfn

import (
	"errors"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/distr"
)

func TestTabPFNLimits(t *testing.T) {
	m := openTabPFN(t, Options{Members: 4, Refit: true})
	var limit *LimitError
	if _, err := m.Fit(t.Context(), synthetic(1, 1001, 2)); !errors.As(err, &limit) {
		t.Errorf("1001 rows: error %v", err)
	}
	wide := synthetic(1, 30, 60) // 60 columns and as many positions and components
	var input *InputError
	if _, err := m.Fit(t.Context(), wide); err != nil {
		t.Errorf("60 features: error %v", err)
	}
	wide = synthetic(1, 30, 90)
	if _, err := m.Fit(t.Context(), wide); !errors.As(err, &input) {
		t.Errorf("90 features: error %v", err)
	}
	c := fit(t, m, synthetic(1, 30, 3))
	if _, err := c.Predict(t.Context(), synthetic(1, 3, 2).X); !errors.As(err, &input) {
		t.Errorf("2 features for a context of 3: error %v", err)
	}
	c.Close()
	if _, err := c.Predict(t.Context(), synthetic(1, 3, 3).X); !errors.Is(err, ErrClosed) {
		t.Errorf("closed context: error %v", err)
	}
}

// What a network cannot read because it is infinite as a float32 is a fault of the table.
func TestTabPFNTooLargeFeature(t *testing.T) {
	m := openTabPFN(t, Options{Members: 4})
	train := synthetic(1, 30, 3)
	train.X.Data[4*3+1] = 1e300
	_, err := m.Fit(t.Context(), train)
	input, ok := errors.AsType[*InputError](err)
	if !ok || input.Table != "context" || input.Row != 4 || input.Col != 1 {
		t.Errorf("error %v, want one about context row 4, feature 1", err)
	}
	fault := &ModelError{Model: "tiny"}
	if err := m.tooLarge(fault, synthetic(1, 30, 3).X, "query"); err != error(fault) {
		t.Errorf("a fault of the model became %v", err)
	}
}

var tinyNori = filepath.Join("..", "testdata", "nori-tiny")

// knotsOf are the knots of the rows of a query table.
func knotsOf(t *testing.T, c *Context, query Matrix) [][]float64 {
	t.Helper()
	ppds, err := c.Predict(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	var knots [][]float64
	for _, p := range ppds {
		knots = append(knots, p.(*distr.Quantiles).Knots)
	}
	return knots
}

// A table of numbers, missing cells and codes of categories.
func noriTable() Training {
	train := synthetic(5, 120, 4)
	for i := 0; i < len(train.X.Data); i += 7 {
		train.X.Data[i] = math.NaN()
	}
	for i := 2; i < len(train.X.Data); i += 4 {
		train.X.Data[i] = float64(i % 3)
	}
	train.Categorical = []bool{false, false, true, false}
	return train
}

// The hash of the row changes predictions, and there are options without it.
func TestNoriFingerprint(t *testing.T) {
	train, query := noriTable(), synthetic(6, 3, 4).X
	hashed := knotsOf(t, fit(t, openFolder(t, tinyNori, Options{}), train), query)
	plain := knotsOf(t, fit(t, openFolder(t, tinyNori, Options{NoFingerprint: true}), train), query)
	if slices.EqualFunc(hashed, plain, slices.Equal[[]float64]) {
		t.Error("the hash changes nothing")
	}
}

// The package projects wider tables, context and query rows together; they are refused.
func TestNoriRefusesWideTables(t *testing.T) {
	m := openFolder(t, tinyNori, Options{})
	_, err := m.Fit(t.Context(), synthetic(1, 20, 257))
	var limit *LimitError
	if !errors.As(err, &limit) || limit.What != "features" || limit.Max != 256 {
		t.Errorf("257 features: %v", err)
	}
	constant := synthetic(1, 20, 2)
	for i := range constant.X.Data {
		constant.X.Data[i] = float64(i % 2)
	}
	if c := fit(t, m, constant); !c.Marginal() {
		t.Error("no feature varies, but the network is asked")
	}
}
