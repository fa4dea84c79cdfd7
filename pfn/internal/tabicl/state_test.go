package tabicl

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// fitted is a transformer of a table with every kind of column, and rows to transform.
func fitted(t *testing.T) (*Transformer, matrix.Matrix) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 1))
	x := matrix.New(40, 6)
	for i := range x.Rows {
		row := x.Data[i*6 : (i+1)*6]
		row[0], row[1], row[2] = r.NormFloat64(), r.ExpFloat64()*1e250, 7
		row[3], row[4], row[5] = float64(r.IntN(4)-1), r.NormFloat64()*1e-290, nan
		if i%5 == 0 {
			row[0] = nan
		}
	}
	transformer, _ := Fit(x, []bool{false, false, false, true, false, false}, nil,
		Preset{Members: 5, Norms: []string{None, Power}, Seed: 3, Threshold: 4})
	if transformer == nil {
		t.Fatal("no column varies")
	}
	return transformer, x
}

// A transformer survives JSON to the last bit.
func TestStateRoundTrip(t *testing.T) {
	transformer, x := fitted(t)
	data, err := json.Marshal(transformer.State())
	if err != nil {
		t.Fatal(err)
	}
	var s State
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	again, err := Restore(s, x.Cols)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(slices.Concat(again.Queries(x)...), slices.Concat(transformer.Queries(x)...)) {
		t.Error("the restored transformer differs")
	}
}

func TestRestoreRefuses(t *testing.T) {
	damages := map[string]func(*State){
		"no members":        func(s *State) { s.Norms, s.Permutations = nil, nil },
		"no columns":        func(s *State) { s.Source, s.Fill = nil, nil },
		"fill":              func(s *State) { s.Fill = s.Fill[1:] },
		"norms":             func(s *State) { s.Norms = s.Norms[1:] },
		"source":            func(s *State) { s.Source[0] = 6 },
		"negative source":   func(s *State) { s.Source[0] = -1 },
		"no pipeline":       func(s *State) { s.Power = nil },
		"unknown norm":      func(s *State) { s.Norms[0] = "loud" },
		"permutation":       func(s *State) { s.Permutations[1] = []int{0, 0, 1, 2} },
		"short permutation": func(s *State) { s.Permutations[1] = []int{0} },
		"divisor":           func(s *State) { s.None.Divisor = nil },
		"clip":              func(s *State) { s.None.ClipHi = nil },
		"mean":              func(s *State) { s.None.Standard.Mean = nil },
		"power of none":     func(s *State) { s.None.Lambda = []float64{1, 1, 1, 1} },
		"lambda":            func(s *State) { s.Power.Lambda = nil },
		"range":             func(s *State) { s.Power.Lo = nil },
		"exponent":          func(s *State) { s.Power.Powered.Exp[0] = 1 << 40 },
	}
	for name, damage := range damages {
		transformer, x := fitted(t)
		s := transformer.State()
		s.Permutations = slices.Clone(s.Permutations)
		damage(&s)
		if _, err := Restore(s, x.Cols); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
