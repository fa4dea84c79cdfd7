package pyrand

import (
	"hash/fnv"
	"slices"
	"strconv"
	"testing"
)

func TestRest(t *testing.T) {
	// CPython 3.11: list(set(range(low, high)) - set(used))
	for _, c := range []struct {
		low, high  int
		used, want []int
	}{
		{0, 5, []int{-1},
			[]int{0, 1, 2, 3, 4}},
		{6, 10, []int{-1},
			[]int{8, 9, 6, 7}},
		{0, 12, []int{-1, 2, 3, 5, 8, 9},
			[]int{0, 1, 4, 6, 7, 10, 11}},
		{3, 40, []int{-1},
			[]int{3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22,
				23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39}},
		{3, 40, []int{-1, 3, 7, 9, 17, 19, 25, 33, 39},
			[]int{4, 5, 6, 8, 10, 11, 12, 13, 14, 15, 16, 18, 20, 21, 22, 23, 24, 26, 27,
				28, 29, 30, 31, 32, 34, 35, 36, 37, 38}},
		{3, 40, []int{-1, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 21, 23, 24,
			26, 27, 28, 29, 30, 33, 35, 37, 38, 39},
			[]int{32, 34, 36, 6, 20, 22, 25, 31}},
		{20, 100, []int{-1, 20, 21, 22, 24, 25, 26, 27, 28, 29, 30, 32, 33, 35, 36, 37, 38, 39,
			40, 41, 42, 43, 44, 45, 46, 47, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 61,
			62, 64, 65, 67, 68, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85,
			87, 88, 89, 91, 92, 93, 94, 95, 96, 97, 98, 99},
			[]int{34, 66, 69, 70, 48, 86, 23, 90, 60, 63, 31}},
		{0, 9, []int{-1, 0, 4, 5, 6, 7, 8},
			[]int{1, 2, 3}},
		{2, 26, []int{-1, 10, 13},
			[]int{2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
				24, 25}},
		{30, 33, []int{-1},
			[]int{32, 30, 31}},
		{1, 20, []int{-1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 18, 19},
			[]int{17, 15}},
	} {
		if got := Rest(c.low, c.high, c.used); !slices.Equal(got, c.want) {
			t.Errorf("Rest(%d, %d, %v) = %v, want %v", c.low, c.high, c.used, got, c.want)
		}
	}
}

func TestRestOfManySets(t *testing.T) {
	// h = 0xcbf29ce484222325
	// for n in range(1, 400):
	//   used = {-1} | set(range(n % 3, n, 1 + n % 7))
	//   for v in list(set(range(n // 5, n)) - used): h = fnv1a of f"{v} " from h
	sum := fnv.New64a()
	for n := 1; n < 400; n++ {
		used := []int{-1}
		for v := n % 3; v < n; v += 1 + n%7 {
			used = append(used, v)
		}
		for _, v := range Rest(n/5, n, used) {
			sum.Write([]byte(strconv.Itoa(v) + " "))
		}
	}
	if got, want := sum.Sum64(), uint64(0x58c7099d6e570589); got != want {
		t.Errorf("%#x, want %#x", got, want)
	}
}
