package pyrand

import (
	"slices"
	"testing"
)

// Literals in this file were printed by NumPy 2.2 with the line beside them; r is
// numpy.random.default_rng.

func TestFirstOutputOfSeeds(t *testing.T) {
	// r(0).bit_generator.random_raw(4)
	g := NewGenerator(0)
	for _, want := range []uint64{0xa30febcfd9c2825f, 0x4510bdf882d9d721, 0xa7d3da94ecde8b8,
		0x43b27b61342f01d} {
		if got := g.Uint64(); got != want {
			t.Errorf("seed 0: %#x, want %#x", got, want)
		}
	}
	// [r(s).bit_generator.random_raw() for s in (1, 42, 2**31-2, 2**40+5)]
	for seed, want := range map[uint64]uint64{1: 9441442522235856127, 42: 14276969152011380360,
		1<<31 - 2: 4931700784108829486, 1<<40 + 5: 87427594128977387} {
		if got := NewGenerator(seed).Uint64(); got != want {
			t.Errorf("seed %d: %d, want %d", seed, got, want)
		}
	}
}

func TestInt(t *testing.T) {
	// g = r(7); [g.integers(0, n) for n in (...)]; g.integers(0, 5); g.permutation(3)
	g := NewGenerator(7)
	highs := []int64{1, 2, 1000, 1<<31 - 1, 1<<32 - 1, 1 << 32, 1 << 33, 1 << 62}
	want := []int64{0, 1, 625, 1469265225, 3853503931, 2483747170, 1934515031,
		1384272659328390225}
	for i, high := range highs {
		if got := g.Int(0, high); got != want[i] {
			t.Errorf("Int(0, %d) = %d, want %d", high, got, want[i])
		}
	}
	if got := g.Int(0, 5); got != 3 {
		t.Errorf("Int(0, 5) = %d, want 3", got)
	}
	if got := g.Permutation(3); !slices.Equal(got, []int{2, 1, 0}) {
		t.Errorf("Permutation(3) = %v", got)
	}
}

func TestPermutation(t *testing.T) {
	want := map[uint64][]int{ // r(seed).permutation(13)
		0:          {10, 2, 7, 4, 5, 12, 0, 3, 6, 9, 11, 8, 1},
		1:          {1, 10, 7, 9, 12, 4, 5, 8, 0, 2, 11, 6, 3},
		42:         {0, 12, 7, 10, 9, 3, 6, 5, 2, 4, 11, 1, 8},
		1<<31 - 2:  {0, 12, 7, 5, 2, 1, 6, 10, 8, 9, 4, 3, 11},
		1167425778: {11, 10, 2, 9, 5, 8, 4, 7, 6, 12, 0, 1, 3},
	}
	for seed, p := range want {
		if got := NewGenerator(seed).Permutation(13); !slices.Equal(got, p) {
			t.Errorf("seed %d: %v, want %v", seed, got, p)
		}
	}
	if got := NewGenerator(0).Permutation(0); len(got) != 0 {
		t.Errorf("Permutation(0) = %v", got)
	}
}

func TestChoiceAndSubset(t *testing.T) {
	// g = r(3); g.choice(4, size=3)
	g := NewGenerator(3)
	if got := g.Choice(4, 3); !slices.Equal(got, []int{3, 0, 0}) {
		t.Errorf("Choice(4, 3) = %v", got)
	}
	// g.choice(arange(636, 644), size=8, replace=False) - 636
	if got := g.Subset(8, 8); !slices.Equal(got, []int{4, 5, 0, 1, 7, 6, 3, 2}) {
		t.Errorf("Subset(8, 8) = %v", got)
	}
	// g.choice(100, size=10, replace=False); g.integers(-5, 5)
	want := []int{10, 37, 66, 98, 42, 50, 41, 99, 3, 85}
	if got := g.Subset(100, 10); !slices.Equal(got, want) {
		t.Errorf("Subset(100, 10) = %v, want %v", got, want)
	}
	if got := g.Int(-5, 5); got != 1 {
		t.Errorf("Int(-5, 5) = %d, want 1", got)
	}
}

func TestFloat64(t *testing.T) {
	// default_rng(42).random(3)
	want := []float64{0.7739560485559633, 0.4388784397520523, 0.8585979199113825}
	g := NewGenerator(42)
	for i, w := range want {
		if got := g.Float64(); got != w {
			t.Errorf("draw %d: %v, want %v", i, got, w)
		}
	}
}
