package rows

import (
	"math"
	"math/bits"
	"math/rand/v2"
)

// Tally counts equal hashes. It is several times faster than a map, whose hashes it does not need.
type Tally struct {
	slots []slot // a power of 2, at least twice as many as there are different hashes
	shift int
}

type slot struct {
	hash  uint64
	times int
}

// spread is random, so that no table makes searches long. Counts do not depend on it.
var spread = rand.Uint64() | 1

// NewTally returns a tally for up to n different hashes.
func NewTally(n int) Tally {
	size := bits.Len(uint(n)) + 1
	return Tally{make([]slot, 1<<size), 64 - size}
}

// Add counts a hash, and returns how often it was counted before.
func (t Tally) Add(hash uint64) int {
	at := int(hash * spread >> t.shift)
	for t.slots[at].times > 0 && t.slots[at].hash != hash {
		at = (at + 1) & (len(t.slots) - 1)
	}
	t.slots[at].hash = hash
	t.slots[at].times++
	return t.slots[at].times - 1
}

// Distinct counts different numbers, NaN every time.
func Distinct(values []float64) (n int) {
	seen := NewTally(len(values))
	for _, v := range values {
		if math.IsNaN(v) || seen.Add(math.Float64bits(v+0)) == 0 {
			n++
		}
	}
	return n
}
