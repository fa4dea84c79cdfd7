package pfn

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"
)

// Folders of networks of random weights.
var (
	tinyTabPFN = filepath.Join("..", "testdata", "tabpfn-tiny")
	tinyNori   = filepath.Join("..", "testdata", "nori-tiny")
)

func TestTabPFNLimits(t *testing.T) {
	m := openFolder(t, tinyTabPFN, Options{Members: 4, Refit: true})
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
}

// What a network cannot read because it is infinite as a float32 is a fault of the table.
func TestTabPFNTooLargeFeature(t *testing.T) {
	m := openFolder(t, tinyTabPFN, Options{Members: 4})
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

// The hash of the row changes predictions, and there are options without it.
func TestNoriFingerprint(t *testing.T) {
	train, query := tablesFor(embedded(t, "default"))["mixed"], synthetic(6, 3, 4).X
	hashed := predict(t, fit(t, openFolder(t, tinyNori, Options{}), train), query)
	plain := predict(t, fit(t, openFolder(t, tinyNori, Options{NoFingerprint: true}), train), query)
	if slices.EqualFunc(hashed, plain, sameBits) {
		t.Error("the hash changes nothing")
	}
}
