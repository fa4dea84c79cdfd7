package tabicl

import (
	"slices"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/pyrand"
	"github.com/pfnamp/pfnamp/pfn/internal/trend"
)

// maxLatin is the number of features up to which permutations come from a Latin square.
const maxLatin = 4000

// Member is one ensemble member: a norm, an order of the features and, for a classifier, an order
// of the classes. Column j of the member is the encoded column Permutation[j]. The network sees
// class k as Classes[k].
type Member struct {
	Norm        string
	Permutation []int
	Classes     []int // nil for a regression
	// Trend is the kind of its trend. A member of a regressor reads the trend's residuals; a member
	// of a classifier reads the predicted shares after the features.
	Trend string
}

// compose returns the members for h features. Members of a classifier also differ by the order of
// the classes. Then the product of feature permutations and the rotations of the classes 0, 1, ...
// is shuffled, and cut off at h times Classes per norm. A single member keeps the order of the
// classes.
//
// With models.ShuffleDiagonal, the same pairs of an order and a norm come in another sequence: the
// next order and the next norm together, so that as many members as possible differ in their
// orders.
func (p Preset) compose(h int) []Member {
	count, norms, classes := p.Members, p.Norms, p.Classes
	if count == 1 {
		norm := norms[0]
		if slices.Contains(norms, None) {
			norm = None
		}
		return []Member{{norm, matrix.Upto(h), rotation(classes, 0), trend.None}}
	}
	kinds, plain := p.kinds(), p.orders(h)
	trended := plain
	if p.Classes > 0 && len(p.Trends) > 0 && p.Classes <= trend.MaxClasses {
		trended = p.orders(h + trend.ShareColumns(p.Classes))
	}
	again := lcm(len(plain), len(kinds)) // order and norm both advance until here
	members := make([]Member, min(count, len(plain)*len(kinds)))
	for i := range members {
		order, kind := i/len(kinds), i%len(kinds)
		if p.Shuffle == models.ShuffleDiagonal {
			order = i % len(plain)
			kind = (i + i/again) % len(kinds)
		}
		m := plain[order]
		if kinds[kind].Trend != trend.None {
			m = trended[order]
		}
		members[i] = Member{kinds[kind].Norm, m.permutation(), m.classes, kinds[kind].Trend}
	}
	return members
}

func lcm(a, b int) int {
	multiple := a
	for multiple%b > 0 {
		multiple += a
	}
	return multiple
}

// order is an order of the features and an order of the classes.
type order struct {
	permutation func() []int
	classes     []int
}

// orders returns the shuffled pairs of a feature permutation and a rotation of the classes.
func (p Preset) orders(h int) []order {
	permutation, available := latinSquare, h
	if h > maxLatin {
		available = p.Members
		permutation = func(h int, seed uint64) func(int) []int { return randomOrders(h, available, seed) }
	}
	of, rotations := permutation(h, p.Seed), max(1, p.Classes)
	var orders []order
	for _, k := range shuffled(available*rotations, p.Seed) {
		orders = append(orders, order{func() []int {
			return of(k / rotations)
		}, rotation(p.Classes, k%rotations)})
	}
	return orders
}

// kinds returns pairs of a norm and a trend, both in turn, until the first pair repeats.
func (p Preset) kinds() (kinds []Member) {
	norms, trends := p.Norms, p.Trends
	if len(trends) == 0 || p.Classes > trend.MaxClasses {
		trends = []string{trend.None}
	}
	for i := range lcm(len(norms), len(trends)) {
		kinds = append(kinds, Member{Norm: norms[i%len(norms)], Trend: trends[i%len(trends)]})
	}
	return kinds
}

// rotation moves the last by of n numbers to the front; it returns nil for 0.
func rotation(n, by int) []int {
	if n == 0 {
		return nil
	}
	p := matrix.Upto(n)
	return slices.Concat(p[n-by:], p[:n-by])
}

// shuffled returns the numbers below n in the order of a new generator with this seed.
func shuffled(n int, seed uint64) []int {
	p := matrix.Upto(n)
	pyrand.New(seed).Shuffle(p)
	return p
}

// latinSquare returns the rows of a random Latin square of order h, as functions of their index.
//
// The reference draws the symbols s_0..s_{h-1} without replacement and inserts them one by one
// into a square, which makes the circulant L[i][j] = s[(j-i) mod h]. It then shuffles the rows,
// transposes, and shuffles the rows again.
func latinSquare(h int, seed uint64) func(k int) []int {
	r := pyrand.New(seed)
	pool, symbols := matrix.Upto(h), make([]int, 0, h)
	for len(pool) > 1 {
		k := r.Below(len(pool))
		symbols = append(symbols, pool[k])
		pool = append(pool[:k], pool[k+1:]...)
	}
	symbols = append(symbols, pool...)
	rows, columns := matrix.Upto(h), matrix.Upto(h)
	r.Shuffle(rows)
	r.Shuffle(columns)
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
		orders[i] = r.Sample(h)
	}
	return func(k int) []int { return orders[k] }
}
