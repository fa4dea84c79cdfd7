package pyrand

import (
	"hash/fnv"
	"strconv"
	"testing"
)

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
