package pyrand

import (
	"slices"
	"testing"
)

// Literals in this file were printed by CPython 3.11 with the line beside them.

func TestSeedOfTwoWords(t *testing.T) {
	// random.Random(2**32).getrandbits(32)
	if got := New(1 << 32).Uint32(); got != 485306839 {
		t.Errorf("first word %d", got)
	}
}

func TestBits(t *testing.T) {
	// r = random.Random(7); [r.getrandbits(k) for k in (1, 5, 31, 32, 33, 53, 64)]
	widths := []int{1, 5, 31, 32, 33, 53, 64}
	want := []uint64{0, 30, 323946139, 1695753998, 2795742288, 7397381398802227,
		1736392818365009963}
	r := New(7)
	for i, k := range widths {
		if got := r.Bits(k); got != want[i] {
			t.Errorf("Bits(%d) = %d, want %d", k, got, want[i])
		}
	}
	before := *r
	if r.Bits(0) != 0 || *r != before {
		t.Error("Bits(0) must be zero and draw nothing")
	}
}

func TestBelow(t *testing.T) {
	// r = random.Random(42); [r.randrange(n) for n in (1, 2, 3, 10, 1000, 2**31, 2**40)]
	bounds := []int{1, 2, 3, 10, 1000, 1 << 31, 1 << 40}
	want := []int{0, 0, 2, 4, 250, 958682846, 191320892468}
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
		a := make([]int, n)
		for i := range a {
			a[i] = i
		}
		New(42).Shuffle(n, func(i, j int) { a[i], a[j] = a[j], a[i] })
		if !slices.Equal(a, order) {
			t.Errorf("n = %d: %v, want %v", n, a, order)
		}
	}
}

func TestSample(t *testing.T) {
	cases := []struct {
		seed uint64
		n, k int
		want []int // random.Random(seed).sample(range(n), k)
	}{
		{42, 8, 8, []int{1, 0, 5, 2, 7, 6, 4, 3}},
		{42, 1000, 6, []int{654, 114, 25, 759, 281, 250}},
		{3, 100, 10, []int{30, 75, 69, 16, 47, 77, 60, 80, 74, 8}},
		{3, 21, 5, []int{7, 18, 17, 4, 11}},
		{3, 22, 5, []int{7, 18, 17, 4, 11}},
	}
	for _, c := range cases {
		if got := New(c.seed).Sample(c.n, c.k); !slices.Equal(got, c.want) {
			t.Errorf("seed %d: Sample(%d, %d) = %v, want %v", c.seed, c.n, c.k, got, c.want)
		}
	}
}

func TestPanicsOnCallerErrors(t *testing.T) {
	calls := map[string]func(r *Rand){
		"Bits(-1)":    func(r *Rand) { r.Bits(-1) },
		"Bits(65)":    func(r *Rand) { r.Bits(65) },
		"Below(0)":    func(r *Rand) { r.Below(0) },
		"Sample(2,3)": func(r *Rand) { r.Sample(2, 3) },
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			call(New(1))
		})
	}
}
