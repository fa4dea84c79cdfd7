package tabicl

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/trend"
)

var bothNorms = []string{None, Power}

// The permutations of scripts/reference/regression.py, ensemble_members(h, 2*h, both norms, 42),
// which are those of the reference implementation.
func TestLatinMembers(t *testing.T) {
	want := map[int][][]int{
		1: {{0}},
		2: {{0, 1}, {1, 0}},
		3: {{2, 0, 1}, {1, 2, 0}, {0, 1, 2}},
		5: {{4, 3, 0, 1, 2}, {3, 2, 1, 4, 0}, {2, 0, 4, 3, 1}, {1, 4, 2, 0, 3}, {0, 1, 3, 2, 4}},
		8: {{0, 2, 7, 3, 1, 5, 6, 4}, {5, 7, 6, 0, 2, 4, 3, 1}, {3, 1, 2, 6, 4, 0, 7, 5},
			{2, 0, 5, 1, 3, 7, 4, 6}, {6, 4, 1, 7, 5, 3, 2, 0}, {4, 6, 3, 5, 7, 1, 0, 2},
			{1, 3, 0, 4, 6, 2, 5, 7}, {7, 5, 4, 2, 0, 6, 1, 3}},
	}
	for h, permutations := range want {
		for _, count := range []int{2, 5, 8, 16, 32} {
			members := Members(h, count, bothNorms, 42)
			if len(members) != min(count, 2*h) {
				t.Errorf("h = %d: %d members of %d", h, len(members), count)
			}
			for i, m := range members {
				if m.Norm != bothNorms[i%2] || !slices.Equal(m.Permutation, permutations[i/2]) {
					t.Errorf("h = %d, member %d: %s %v", h, i, m.Norm, m.Permutation)
				}
			}
		}
	}
}

func TestMembersOfSeeds(t *testing.T) {
	want := map[uint64][]int{ // ensemble_members(6, 4, both norms, seed)[0].permutation
		0:           {2, 4, 3, 0, 1, 5},
		7:           {3, 0, 2, 5, 4, 1},
		12345678901: {3, 1, 5, 0, 4, 2},
	}
	for seed, permutation := range want {
		if got := Members(6, 4, bothNorms, seed)[0].Permutation; !slices.Equal(got, permutation) {
			t.Errorf("seed %d: %v, want %v", seed, got, permutation)
		}
	}
}

// The members of scripts/reference/regression.py with shuffle="latin_diagonal".
func TestDiagonalMembers(t *testing.T) {
	numbers, shares := []string{trend.None, trend.Linear, trend.Kernel},
		[]string{trend.Kernel, trend.None, trend.Linear}
	for _, c := range []struct {
		h, classes, count int
		trends            []string
		want              string
	}{
		{1, 0, 4, nil, "none:[0][] power:[0][]"},
		{3, 0, 6, nil, "none:[2 0 1][] power:[1 2 0][] none:[0 1 2][] " +
			"power:[2 0 1][] none:[1 2 0][] power:[0 1 2][]"},
		{5, 0, 3, nil, "none:[4 3 0 1 2][] power:[3 2 1 4 0][] none:[2 0 4 3 1][]"},
		{2, 2, 16, nil, "none:[0 1][0 1] power:[1 0][1 0] none:[0 1][1 0] power:[1 0][0 1] " +
			"power:[0 1][0 1] none:[1 0][1 0] power:[0 1][1 0] none:[1 0][0 1]"},
		{1, 0, 8, numbers, "none:[0][] power+l:[0][] none+k:[0][] power:[0][] " +
			"none+l:[0][] power+k:[0][]"},
		{2, 0, 7, numbers, "none:[0 1][] power+l:[1 0][] none+k:[0 1][] power:[1 0][] none+l:[0 1][] " +
			"power+k:[1 0][] power+l:[0 1][]"},
		{5, 0, 4, numbers, "none:[4 3 0 1 2][] power+l:[3 2 1 4 0][] none+k:[2 0 4 3 1][] " +
			"power:[1 4 2 0 3][]"},
		{2, 2, 4, shares, "none+k:[2 0 1][1 0] power:[1 0][1 0] none+l:[2 0 1][0 1] " +
			"power+k:[0 1 2][0 1]"},
		{1, 11, 2, shares, "none:[0][4 5 6 7 8 9 10 0 1 2 3] power:[0][8 9 10 0 1 2 3 4 5 6 7]"},
	} {
		preset := Preset{Classes: c.classes, Ensemble: models.Ensemble{Members: c.count,
			Norms: bothNorms, Seed: 42, Shuffle: models.ShuffleDiagonal, Trends: c.trends}}
		var got []string
		for _, m := range preset.compose(c.h) {
			norm := m.Norm
			if m.Trend != trend.None {
				norm += "+" + m.Trend[:1]
			}
			got = append(got, fmt.Sprintf("%s:%v%v", norm, m.Permutation, m.Classes))
		}
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("h = %d, %d classes: %s, want %s", c.h, c.classes, got, c.want)
		}
	}
}

func TestSingleMember(t *testing.T) {
	members := Members(4, 1, bothNorms, 42)
	if len(members) != 1 || members[0].Norm != None ||
		!slices.Equal(members[0].Permutation, []int{0, 1, 2, 3}) {
		t.Errorf("members %v", members)
	}
}

func TestRandomMembers(t *testing.T) {
	// r = random.Random(42); p = [r.sample(range(4001), 4001) for _ in range(2)]
	// random.Random(42).shuffle(p); [q[:5] for q in p]
	want := [][]int{{1851, 1262, 1897, 1085, 3491}, {2619, 456, 102, 3037, 1126}}
	for i, m := range Members(4001, 2, []string{None}, 42) {
		if !slices.Equal(m.Permutation[:5], want[i]) {
			t.Errorf("member %d: %v, want %v", i, m.Permutation[:5], want[i])
		}
		sorted := slices.Sorted(slices.Values(m.Permutation))
		if !slices.Equal(sorted, matrix.Upto(4001)) {
			t.Errorf("member %d is no permutation", i)
		}
	}
}

// Members returns count members for h features: the product of shuffled feature permutations and
// norms, the norm varying fastest, cut off at count or, for a Latin square, at h permutations per
// norm. A single member keeps the order of the features and takes the norm None, or the first norm
// if None is not in norms.
func Members(h, count int, norms []string, seed uint64) []Member {
	return Preset{Ensemble: models.Ensemble{Members: count, Norms: norms, Seed: seed}}.compose(h)
}
