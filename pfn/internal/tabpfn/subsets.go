package tabpfn

import (
	"slices"

	"github.com/pfnamp/pfnamp/pfn/internal/pyrand"
)

// mostInputs returns the largest number of table columns that a member can read, so that with the
// columns its steps append there are at most MaxColumns. As in the reference, the first columns
// stand for any, and indicators count as one column.
func (r *Recipe) mostInputs(i Ingredients, l layout, rows int, fingerprint bool) int {
	for k := min(len(l.kinds), i.MaxColumns); k > 0; k-- {
		products := 0
		if r.Products != 0 {
			products = productCount(k, max(r.Products, 0))
		}
		total := k + products
		if i.appends(total) {
			total += i.transformed(l.kinds[:k]) + products
		}
		total += i.componentCount(rows, total)
		if fingerprint {
			total++
		}
		if total <= i.MaxColumns {
			return k
		}
	}
	return 0
}

// transformed counts the columns that the transform applies to.
func (i Ingredients) transformed(kinds []kind) int {
	if i.Categories == "numeric" {
		return len(kinds)
	}
	n := 0
	for _, k := range kinds {
		if k == numericKind {
			n++
		}
	}
	return n
}

// subsets draws for every member as many table columns as it can read. It returns their positions
// in the layout; nil for all.
func subsets(l layout, sizes []int, random *pyrand.Generator, balanced bool) [][]int {
	total := len(l.kinds)
	draw := func(size int) []int { return random.Permutation(total)[:size] }
	if balanced {
		draw = newPool(total, random).draw
	}
	drawn := make([][]int, len(sizes))
	for m, size := range sizes {
		if size >= total {
			continue
		}
		chosen := draw(size)
		drawn[m] = []int{}
		for place, j := range l.columns {
			if slices.Contains(chosen, j) {
				drawn[m] = append(drawn[m], place)
			}
		}
	}
	return drawn
}

// pool returns the numbers below its size in random order, and starts again when it is empty.
type pool struct {
	order  []int // position of every number
	left   []int
	random *pyrand.Generator
}

func newPool(n int, random *pyrand.Generator) *pool {
	return &pool{order: random.Permutation(n), random: random}
}

// draw takes size distinct numbers, fewer than the pool's size.
func (p *pool) draw(size int) []int {
	var taken []int
	for len(taken) < size {
		if len(p.left) == 0 {
			free := others(len(p.order), taken)
			for _, i := range p.random.Permutation(len(free)) {
				p.left = append(p.left, free[i])
			}
		}
		n := min(size-len(taken), len(p.left))
		taken = append(taken, p.left[:n]...)
		p.left = p.left[n:]
	}
	for i, j := range taken {
		taken[i] = p.order[j]
	}
	return taken
}
