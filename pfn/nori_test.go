package pfn

import (
	"errors"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/distr"
)

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

// A restored state predicts the same bits, and rows do not depend on each other.
func TestNoriState(t *testing.T) {
	m := openFolder(t, tinyNori, Options{Members: 9, Refit: true})
	c := fit(t, m, noriTable())
	query := synthetic(6, 9, 4).X
	query.Data[2], query.Data[5] = -1, math.NaN()
	want := knotsOf(t, c, query)
	data := saved(t, c, "")
	again, err := restore(m, data)
	if err != nil {
		t.Fatal(err)
	}
	if got := knotsOf(t, again, query); !slices.EqualFunc(got, want, slices.Equal[[]float64]) {
		t.Error("a restored context predicts other numbers")
	}
	if again.Members() != 9 || again.Features() != c.Features() {
		t.Errorf("restored: %d members, %d features", again.Members(), again.Features())
	}
	for i, row := range want {
		alone := knotsOf(t, c, query.Span(i, i+1))[0]
		if difference(alone, row) > 1e-5 {
			t.Errorf("row %d alone: %v, among others: %v", i, alone, row)
		}
	}
	var state *StateError
	for _, cut := range []int{len(data) - 1, len(data) / 2, len(data) / 100} {
		if _, err := restore(m, data[:cut]); !errors.As(err, &state) {
			t.Errorf("a state cut to %d bytes: %v", cut, err)
		}
	}
	if _, err := restore(openFolder(t, tinyTabPFN, Options{}), data); !errors.As(err, &state) {
		t.Errorf("a state of another family: %v", err)
	}
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
