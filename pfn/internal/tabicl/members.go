package tabicl

import (
	"slices"

	"github.com/pfnamp/pfnamp/pfn/internal/pyrand"
)

// maxLatin is the number of features up to which permutations come from a Latin square.
const maxLatin = 4000

// Member is one ensemble member: a norm and an order of the features. Column j of the member is
// the encoded column Permutation[j].
type Member struct {
	Norm        string
	Permutation []int
}

// Members composes count members for h features: the product of shuffled feature permutations
// and norms, the norm varying fastest, cut off at count or, for a Latin square, at h permutations
// per norm. A single member keeps the order of the features and takes the norm None, or the first
// norm if None is not among them.
func Members(h, count int, norms []string, seed uint64) []Member {
	if count == 1 {
		norm := norms[0]
		if slices.Contains(norms, None) {
			norm = None
		}
		return []Member{{norm, identity(h)}}
	}
	wanted := (count + len(norms) - 1) / len(norms)
	var permutation func(k int) []int
	available := h
	if h > maxLatin {
		permutation, available = randomOrders(h, count, seed), count
	} else {
		permutation = latinSquare(h, seed)
	}
	var members []Member
	for _, k := range shuffled(available, seed)[:min(wanted, available)] {
		p := permutation(k)
		for _, norm := range norms {
			members = append(members, Member{norm, p})
		}
	}
	return members[:min(count, len(members))]
}

func identity(n int) []int {
	p := make([]int, n)
	for i := range p {
		p[i] = i
	}
	return p
}

// shuffled returns the numbers below n in the order of a fresh generator.
func shuffled(n int, seed uint64) []int {
	p := identity(n)
	shuffle(pyrand.New(seed), p)
	return p
}

func shuffle(r *pyrand.Rand, p []int) {
	r.Shuffle(len(p), func(i, j int) { p[i], p[j] = p[j], p[i] })
}

// latinSquare returns the rows of a random Latin square of order h, as functions of their index.
//
// The reference draws the symbols s_0..s_{h-1} without replacement and inserts them one by one
// into a square, which makes the circulant L[i][j] = s[(j-i) mod h]. It then shuffles the rows,
// transposes, and shuffles the rows again.
func latinSquare(h int, seed uint64) func(k int) []int {
	r := pyrand.New(seed)
	pool, symbols := identity(h), make([]int, 0, h)
	for len(pool) > 1 {
		k := r.Below(len(pool))
		symbols = append(symbols, pool[k])
		pool = append(pool[:k], pool[k+1:]...)
	}
	symbols = append(symbols, pool...)
	rows, columns := identity(h), identity(h)
	shuffle(r, rows)
	shuffle(r, columns)
	return func(k int) []int {
		p := make([]int, h)
		for i := range p {
			p[i] = symbols[(columns[k]-rows[i]+h)%h]
		}
		return p
	}
}

// randomOrders returns count independent random orders of h features.
func randomOrders(h, count int, seed uint64) func(k int) []int {
	r := pyrand.New(seed)
	orders := make([][]int, count)
	for i := range orders {
		orders[i] = r.Sample(h, h)
	}
	return func(k int) []int { return orders[k] }
}
