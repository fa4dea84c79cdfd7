package tabpfn

import (
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/pfn/internal/pyrand"
)

// products divides every column by its deviation and appends products of two columns, or squares.
type products struct {
	scales []float64
	first  []int
	second []int
	round  columnTransform // of every number
}

// productCount returns the number of products of this many columns, up to limit; limit 0 means no
// limit.
func productCount(columns, limit int) int {
	all := columns * (columns + 1) / 2
	if limit > 0 {
		return min(limit, all)
	}
	return all
}

// fitProducts measures the deviations in the context rows and draws distinct products at random.
func fitProducts(x matrix.Matrix, limit int, seed uint64) *products {
	p := &products{scales: make([]float64, x.Cols), round: unchanged}
	for j := range p.scales {
		p.scales[j] = deviation(x.Column(nil, j))
	}
	p.draw(x.Cols, productCount(x.Cols, limit), seed, pyrand.Rest)
	return p
}

// draw draws this number of distinct products. The second factor is drawn among the columns from
// the first factor on that are not yet paired with it, in the order of rest. If none is left, the
// first factor is drawn again.
func (p *products) draw(
	columns, count int, seed uint64, rest func(from, to int, taken []int) []int,
) {
	random := pyrand.NewGenerator(seed)
	p.first = random.Choice(columns, count)
	p.second = slices.Repeat([]int{-1}, len(p.first))
	for i := range p.first {
		for p.second[i] < 0 {
			free := rest(p.first[i], columns, p.partners(p.first[i]))
			if len(free) == 0 {
				p.first[i] = int(random.Int(0, int64(columns)))
				continue
			}
			p.second[i] = free[random.Int(0, int64(len(free)))]
		}
	}
}

// partners returns the second factors of a first one, -1 for those not drawn yet.
func (p *products) partners(first int) []int {
	var found []int
	for i, j := range p.first {
		if j == first && !slices.Contains(found, p.second[i]) {
			found = append(found, p.second[i])
		}
	}
	return found
}

// deviation returns the population deviation of the finite values, or 1 if it is at most the
// rounding error.
func deviation(values []float64) float64 {
	_, variance, constant := moments(values)
	if constant {
		return 1
	}
	return math.Sqrt(variance)
}

func (p *products) apply(x matrix.Matrix) matrix.Matrix {
	out := matrix.New(x.Rows, x.Cols+len(p.first))
	for i := range x.Rows {
		from, to := x.Row(i), out.Row(i)
		for j, v := range from {
			to[j] = p.round(v / p.scales[j])
		}
		for k, j := range p.first {
			to[x.Cols+k] = p.round(to[j] * to[p.second[k]])
		}
	}
	return out
}

// mostInputs returns the largest number of table columns that a member can read, so that with the
// columns its steps append there are at most MaxColumns. As in the reference, the first columns
// stand for any, and indicators count as one column.
func (r *recipe) mostInputs(i ingredients, l layout, rows int, fingerprint bool) int {
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
func (i ingredients) transformed(kinds []kind) int {
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
		draw = (&pool{order: random.Permutation(total), random: random}).draw
	}
	drawn := make([][]int, len(sizes))
	for m, size := range sizes {
		if size >= total {
			continue
		}
		drawn[m] = append([]int{}, at(l.columns, draw(size))...)
	}
	return drawn
}

// pool returns the numbers below its size in random order, and starts again when it is empty.
type pool struct {
	order  []int // position of every number
	left   []int
	random *pyrand.Generator
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
