package trend

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// stored is a set after a state's JSON.
func stored(t *testing.T, s Set) (again Set) {
	t.Helper()
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &again); err != nil {
		t.Fatal(err)
	}
	return again
}

// Trends of a regression survive a state to the last bit, and damaged ones are refused.
func TestRestore(t *testing.T) {
	z, _ := linearTable(100, 3, 0.1)
	y := make([]float64, 100)
	for i := range y {
		y[i] = math.Cos(z.Row(i)[0] + z.Row(i)[1] + z.Row(i)[2])
	}
	fitted, _ := Fit(kinds, Features{Matrix: z}, scores(y), 0)
	for k, damage := range []func(*Set){
		func(s *Set) { s.By = nil },
		func(s *Set) { s.By[Linear].Weights = nil },
		func(s *Set) { s.By[Kernel].Scale = 0 },
		func(s *Set) { s.Reach.Bent = -1 },
		func(s *Set) { s.By["cubic"] = s.By[Linear] },
		func(s *Set) { s.By[Linear] = nil },
		func(s *Set) { s.By[Linear].Weights[0] = s.By[Linear].Weights[0][1:] },
		func(s *Set) { s.By[Linear].Offsets = append(s.By[Linear].Offsets, 1) },
		func(s *Set) { s.By[Linear].Centres = s.By[Kernel].Centres },
		func(s *Set) { s.By[Kernel].Centres = nil },
		func(s *Set) { s.By[Kernel].Centres[2] = nil },
		func(s *Set) { s.By[Kernel].Columns = nil },
		func(s *Set) { s.By[Kernel].Length = 0 },
		func(s *Set) { s.By[Kernel].Length = math.NaN() },
		func(s *Set) { s.By[Kernel].Mixing = -1 },
		func(s *Set) { s.By[Kernel].Doubt = -1 },
		func(s *Set) { s.By[Linear].Doubt = 1 },
		func(s *Set) { s.By[Kernel].Shared = 0 },
		func(s *Set) { s.By[Kernel].Shared = math.Inf(1) },
		func(s *Set) { s.By[Kernel].Mixing = 1e300 },
		func(s *Set) { s.By[Kernel].Axes = s.By[Kernel].Axes[1:] },
		func(s *Set) { s.By[Kernel].Axes[2] = nil },
		func(s *Set) { s.By[Kernel].Axes[2][0] = 1e300 },
		func(s *Set) { s.By[Linear].Axes = s.By[Kernel].Axes },
		func(s *Set) { s.By[Kernel].Centres = slices.Repeat(s.By[Kernel].Centres, 300) },
		func(s *Set) { s.By[Kernel].Weights[0][1] = 1e300 },
		func(s *Set) { s.By[Linear].Offsets[0] = -1e300 },
		func(s *Set) { s.By[Kernel].Centres[0][0] = 1e300 },
		func(s *Set) { s.Reach.Lo = s.Reach.Lo[1:] },
		func(s *Set) { s.Reach.Hi[0] = s.Reach.Lo[0] - 1 },
		func(s *Set) { s.Reach.Weights[1] = -1 },
		func(s *Set) { s.Reach.Bent = math.NaN() },
		func(s *Set) { s.Reach.Axes = [][]float64{{1}} },
	} {
		s := stored(t, fitted)
		if damage(&s); restorable(s, 3, 0) {
			t.Errorf("damage %d is not refused", k)
		}
	}
	if s := stored(t, fitted); restorable(s, 2, 0) || restorable(s, 3, 2) || restorable(s, 3, 11) {
		t.Error("trends of other features or classes are not refused")
	}
	again, err := Restore(stored(t, fitted), 3, 0)
	if err != nil {
		t.Fatal(err)
	}
	want, got := fitted.Along(z), again.Along(z)
	for kind, at := range want.At {
		if !slices.Equal(got.At[kind], at) || got.Scale[kind] != want.Scale[kind] {
			t.Errorf("%s trend %g after a state, %g before", kind, got.At[kind], at)
		}
	}
	if !slices.Equal(got.Doubt, want.Doubt) || floats.Min(want.Doubt) <= 0 {
		t.Errorf("doubts %g after a state, %g before", got.Doubt, want.Doubt)
	}
	if !slices.Equal(got.Beyond, want.Beyond) {
		t.Errorf("beyond %v after a state, %v before", got.Beyond, want.Beyond)
	}
}

func restorable(s Set, features, classes int) bool {
	_, err := Restore(s, features, classes)
	return err == nil
}

// Shares survive a state; those of a classifier have no scale and no reach, and a target for every
// class.
func TestRestoreShares(t *testing.T) {
	z, target := linearTable(30, 3, 0.1)
	fitted, _ := Fit(kinds, Features{Matrix: z}, classesOf(target, 3), 3)
	for k, damage := range []func(*Set){
		func(s *Set) { s.By[Linear].Scale = 1 },
		func(s *Set) { s.By[Linear].Offsets = s.By[Linear].Offsets[1:] },
		func(s *Set) { s.By[Linear].Offsets, s.By[Linear].Weights = nil, nil },
		func(s *Set) { s.By[Kernel].Weights[1] = nil },
		func(s *Set) { s.By[Kernel].Weights[1][0] = 1e200 },
		func(s *Set) {
			s.Reach = &Reach{Weights: []float64{1, 0, 0}, Lo: make([]float64, 3), Hi: make([]float64, 3)}
		},
	} {
		s := stored(t, fitted)
		if damage(&s); restorable(s, 3, 3) {
			t.Errorf("damage %d is not refused", k)
		}
	}
	again, err := Restore(stored(t, fitted), 3, 3)
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range fitted.Shares(z) {
		if !slices.Equal(again.Shares(z)[k].Data, want.Data) {
			t.Errorf("shares %d differ after a state", k)
		}
	}
}
