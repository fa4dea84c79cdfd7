package pfn

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/distr"
)

// sameBars reports whether two rows of bars are equal to the last bit.
func sameBars(a, b distr.PPD) bool {
	x, ok := a.(*distr.Bars)
	y, ok2 := b.(*distr.Bars)
	return ok && ok2 && slices.Equal(x.Mass, y.Mass) && slices.Equal(x.Borders, y.Borders)
}

func TestTabPFNState(t *testing.T) {
	t.Run("v2", func(t *testing.T) { testTabPFNState(t, tinyTabPFN) })
	t.Run("v3", func(t *testing.T) { testTabPFNState(t, tinyTabPFN3) })
	t.Run("v3.5", func(t *testing.T) { testTabPFNState(t, tinyTabPFN35) })
}

func testTabPFNState(t *testing.T, folder string) {
	m := openFolder(t, folder, Options{Members: 4, Refit: true})
	train := synthetic(5, 50, 3)
	for i := 0; i < len(train.X.Data); i += 7 {
		train.X.Data[i] = math.NaN()
	}
	for i := 2; i < len(train.X.Data); i += 3 {
		train.X.Data[i] = float64(i % 4)
	}
	train.Categorical = []bool{false, false, true}
	c := fit(t, m, train)
	data := saved(t, c, "note")
	again, err := restore(m, data)
	if err != nil {
		t.Fatal(err)
	}
	query := synthetic(6, 9, 3).X
	want, err := c.Predict(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	got, err := again.Predict(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if !sameBars(got[i], want[i]) {
			t.Fatalf("row %d differs", i)
		}
	}
	if again.Members() != 4 || again.Features() != c.Features() || again.Rows() != 50 {
		t.Errorf("restored: %d members, %d features, %d rows", again.Members(), again.Features(),
			again.Rows())
	}
	var state *StateError
	for _, cut := range []int{len(data) - 1, len(data) - 40, len(data) / 2} {
		if _, err := restore(m, data[:cut]); !errors.As(err, &state) {
			t.Errorf("cut to %d bytes: error %v", cut, err)
		}
	}
	broken := bytes.Clone(data)
	broken[len(broken)-60] ^= 1
	if _, err := restore(m, broken); !errors.As(err, &state) {
		t.Errorf("one bit changed: error %v", err)
	}
	if _, err := restore(embedded(t), data); !errors.As(err, &state) || !state.Other {
		t.Errorf("another model: error %v", err)
	}
}

func TestTabPFNTablesThatNeedNoNetwork(t *testing.T) {
	m := openTabPFN(t, Options{Members: 4, Refit: true})
	constant, flat := synthetic(7, 20, 2), synthetic(8, 20, 2)
	for i := range constant.Y {
		constant.Y[i] = 2
	}
	for i := range flat.X.Data {
		flat.X.Data[i] = 1
	}
	c := fit(t, m, constant)
	if ppd := predict(t, c, synthetic(1, 1, 2).X)[0]; !c.Degenerate() || ppd.Mean() != 2 {
		t.Errorf("constant target: mean %g", ppd.Mean())
	}
	if c = fit(t, m, flat); !c.Marginal() || c.Members() != 0 {
		t.Error("no feature varies: not marginal")
	}
	if again, err := restore(m, saved(t, c, "")); err != nil || !again.Marginal() {
		t.Errorf("no feature varies: restored with error %v", err)
	}
}

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
