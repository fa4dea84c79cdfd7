package tabpfn

import (
	"reflect"
	"testing"

	"github.com/pfnamp/pfnamp/models"
)

// Literals are what NumPy's default_rng(seed) gives after a feature shift for every member, by
// _generate_class_permutations of tabpfn 8.4.0, whose draws are those of 2.0.9.
func TestClassOrders(t *testing.T) {
	for _, c := range []struct {
		preset Preset
		want   [][]int
	}{
		{Preset{Members: 5, Seed: 7, Classes: 4, ClassShuffle: models.RotateClasses},
			[][]int{{3, 0, 1, 2}, {2, 3, 0, 1}, {1, 2, 3, 0}, {3, 0, 1, 2}, {2, 3, 0, 1}}},
		{Preset{Members: 5, Seed: 1, Classes: 2, ClassShuffle: models.ShuffleClasses},
			[][]int{{0, 1}, {0, 1}, {1, 0}, {1, 0}, {0, 1}}},
		{Preset{Members: 8, Seed: 0, Classes: 3, ClassShuffle: models.ShuffleClasses},
			[][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}, {2, 0, 1},
				{2, 1, 0}}},
		{Preset{Members: 2, Seed: 0, Classes: 3, ClassShuffle: models.KeepClasses},
			[][]int{{0, 1, 2}, {0, 1, 2}}},
		{Preset{Members: 2, Seed: 0}, [][]int{nil, nil}},
	} {
		c.preset.Norms = []string{"a"}
		r := &recipe{Targets: []string{"none"}}
		members, _ := r.members(c.preset)
		var got [][]int
		for _, m := range members {
			got = append(got, m.Classes)
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v: %v, want %v", c.preset, got, c.want)
		}
	}
}
