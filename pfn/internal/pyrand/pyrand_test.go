package pyrand

import (
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// Literals in this file were printed by CPython 3.11 with the line beside them.

func TestSeedOfTwoWords(t *testing.T) {
	// random.Random(2**32).getrandbits(32)
	if got := New(1 << 32).Uint32(); got != 485306839 {
		t.Errorf("first word %d", got)
	}
}

func TestBelow(t *testing.T) {
	// r = random.Random(42); [r.randrange(n) for n in
	// (1, 2, 3, 10, 1000, 2**31, 2**40, 2**32-1, 2**32, 2**52, 2**62)]
	bounds := []int{1, 2, 3, 10, 1000, 1 << 31, 1 << 40, 1<<32 - 1, 1 << 32, 1 << 52, 1 << 62}
	want := []int{0, 0, 2, 4, 250, 958682846, 191320892468,
		2536146025, 1812140441, 843931136871022, 2145917995920697483}
	r := New(42)
	for i, n := range bounds {
		if got := r.Below(n); got != want[i] {
			t.Errorf("Below(%d) = %d, want %d", n, got, want[i])
		}
	}
}

func TestShuffle(t *testing.T) {
	// a = list(range(n)); random.Random(42).shuffle(a)
	want := map[int][]int{
		1:  {0},
		2:  {1, 0},
		5:  {3, 1, 2, 4, 0},
		13: {7, 6, 2, 9, 12, 5, 11, 8, 3, 4, 0, 1, 10},
	}
	for n, order := range want {
		a := matrix.Upto(n)
		New(42).Shuffle(a)
		if !slices.Equal(a, order) {
			t.Errorf("n = %d: %v, want %v", n, a, order)
		}
	}
}

func TestSample(t *testing.T) {
	cases := []struct {
		seed uint64
		n    int
		want []int // random.Random(seed).sample(range(n), n)
	}{
		{42, 8, []int{1, 0, 5, 2, 7, 6, 4, 3}},
		{7, 1, []int{0}},
		{3, 21, []int{7, 18, 17, 4, 11, 15, 10, 9, 1, 13, 0, 20, 19, 3, 12, 5, 16, 8, 6, 14, 2}},
	}
	for _, c := range cases {
		if got := New(c.seed).Sample(c.n); !slices.Equal(got, c.want) {
			t.Errorf("seed %d: Sample(%d) = %v, want %v", c.seed, c.n, got, c.want)
		}
	}
}

func TestPanicsOnCallerErrors(t *testing.T) {
	r, g := New(1), NewGenerator(1)
	calls := map[string]func(){
		"Below(0)":      func() { r.Below(0) },
		"Sample(-1)":    func() { r.Sample(-1) },
		"Int(3,3)":      func() { g.Int(3, 3) },
		"Subset(2,3)":   func() { g.Subset(2, 3) },
		"Subset(1e5,3)": func() { g.Subset(100_000, 3) },
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			call()
		})
	}
}
