package trend

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/pfnamp/pfnamp/internal/must"
)

// stored is a set after a state.
func stored(t *testing.T, s Set) (again Set) {
	t.Helper()
	data, err := json.Marshal(s)
	must.Succeed(t, err)
	must.Succeed(t, json.Unmarshal(data, &again))
	return Restore(again)
}

// Trends and shares survive a state to the last bit.
func TestRestore(t *testing.T) {
	z, target := linearTable(100, 3, 0.1)
	y := make([]float64, 100)
	for i := range y {
		y[i] = math.Cos(z.Row(i)[0] + z.Row(i)[1] + z.Row(i)[2])
	}
	fitted, _ := Fit(kinds, Features{Matrix: z}, scores(y), 0)
	want, got := fitted.Along(z), stored(t, fitted).Along(z)
	if !reflect.DeepEqual(got, want) || floats.Min(want.Doubt[Kernel]) <= 0 {
		t.Errorf("trends after a state %v, before %v", got, want)
	}
	fitted, _ = Fit(kinds, Features{Matrix: z}, classesOf(target, 3), 3)
	if want, got := fitted.Shares(z), stored(t, fitted).Shares(z); !reflect.DeepEqual(got, want) {
		t.Error("shares differ after a state")
	}
}
