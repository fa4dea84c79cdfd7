package pyrand

import (
	"math"
	"math/bits"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// Int returns Generator.integers(low, high), uniform on low..high-1, by Lemire's method: on 32-bit
// draws if high-1-low fits in 32 bits, otherwise on 64-bit draws. A range of one value draws
// nothing. It panics unless low < high.
//
// Source: Lemire, "Fast Random Integer Generation in an Interval", ACM TOMACS 29 (2019).
func (g *Generator) Int(low, high int64) int64 {
	if low >= high {
		panic("pyrand: Int needs low < high")
	}
	span := uint64(high) - 1 - uint64(low)
	switch {
	case span == 0:
		return low
	case span < math.MaxUint32:
		return low + int64(g.below32(uint32(span)+1))
	case span == math.MaxUint32:
		return low + int64(g.Uint32())
	}
	return low + int64(g.below64(span+1))
}

// below32 is uniform on 0..n-1 by rejection of the low half of a product.
func (g *Generator) below32(n uint32) uint32 {
	product := uint64(g.Uint32()) * uint64(n)
	if uint32(product) < n {
		for threshold := -n % n; uint32(product) < threshold; {
			product = uint64(g.Uint32()) * uint64(n)
		}
	}
	return uint32(product >> 32)
}

// below64 is below32 with twice the width.
func (g *Generator) below64(n uint64) uint64 {
	high, low := bits.Mul64(g.Uint64(), n)
	if low < n {
		for threshold := -n % n; low < threshold; {
			high, low = bits.Mul64(g.Uint64(), n)
		}
	}
	return high
}

// Float64 returns Generator.random(), uniform on the multiples of 2^-53 in [0, 1).
func (g *Generator) Float64() float64 { return float64(g.Uint64()>>11) / (1 << 53) }

// Permutation returns Generator.permutation(n): the numbers below n in random order. NumPy draws
// with the smallest mask 2^k-1 that covers a place, and again above it.
func (g *Generator) Permutation(n int) []int {
	p := matrix.Upto(n)
	for i := n - 1; i > 0; i-- {
		mask := 1<<bits.Len(uint(i)) - 1
		j := int(g.Uint32()) & mask
		for j > i {
			j = int(g.Uint32()) & mask
		}
		p[i], p[j] = p[j], p[i]
	}
	return p
}

// Choice returns Generator.choice(n, size=k), which is Generator.integers(n, size=k): k numbers
// below n with replacement. It panics unless n is positive.
func (g *Generator) Choice(n, k int) []int {
	out := make([]int, k)
	for i := range out {
		out[i] = int(g.Int(0, int64(n)))
	}
	return out
}

// maxFloyd is the population up to which NumPy always samples without replacement by Floyd's
// method. For larger ones it may use another method, which this package does not need.
const maxFloyd = 10_000

// Subset returns Generator.choice(n, size=k, replace=False) for n up to 10,000: k distinct numbers
// below n by Floyd's method, then shuffled. It panics unless 0 <= k <= n <= 10,000.
//
// Source: Bentley and Floyd, "A sample of brilliance", CACM 30 (1987).
func (g *Generator) Subset(n, k int) []int {
	if k < 0 || k > n || n > maxFloyd {
		panic("pyrand: Subset needs 0 <= k <= n <= 10000")
	}
	seen := make(map[int]bool, k)
	out := make([]int, k)
	for i := range out {
		last := n - k + i
		v := int(g.Int(0, int64(last)+1))
		if seen[v] {
			v = last
		}
		seen[v] = true
		out[i] = v
	}
	for i := k - 1; i > 0; i-- {
		j := int(g.Int(0, int64(i)+1))
		out[i], out[j] = out[j], out[i]
	}
	return out
}
