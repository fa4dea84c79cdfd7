// Package rows identifies rows of encoded tables, orders them and draws from them.
package rows

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// Unknown is a number that nobody has collected, a NaN like a missing one. Missing may mean
// something, such as no turbocharger; unknown means nothing.
var Unknown = math.Float64frombits(0x7ff8000000000002)

// IsUnknown reports whether a number is Unknown rather than missing.
func IsUnknown(v float64) bool { return math.Float64bits(v) == math.Float64bits(Unknown) }

// Order lists the rows of a labelled table in an order that does not depend on the order in the
// table: by feature after feature, missing cells first, then by the target. Rows that are equal in
// all of them are the same for every model.
func Order(x matrix.Matrix, y []float64) []int {
	first := y // a column that most often decides
	if x.Cols > 0 {
		first = x.Column(nil, 0)
	}
	order := matrix.Upto(x.Rows)
	slices.SortFunc(order, func(a, b int) int {
		if c := cmp.Compare(first[a], first[b]); c != 0 {
			return c
		}
		return cmp.Or(slices.Compare(x.Row(a), x.Row(b)), cmp.Compare(y[a], y[b]), a-b)
	})
	return order
}

// Draw returns up to most of the given rows, drawn at random without replacement, in their order.
// The stream separates its random numbers from others with the same seed.
func Draw(rows []int, most int, seed, stream uint64) []int {
	if len(rows) <= most {
		return rows
	}
	places := rand.New(rand.NewPCG(seed, stream)).Perm(len(rows))[:most]
	slices.Sort(places)
	for i, place := range places {
		places[i] = rows[place]
	}
	return places
}

// Index finds rows of a table, with their targets: 8 bytes a row, in ascending order. The upper
// bits are a hash of the features, the others one of the target too. nil finds none.
type Index []uint64

const targetBits = 20 // of a hash in an Index

// hashOf returns the hash in an Index of a row with the target y.
func hashOf(x matrix.Matrix, row int, y float64) uint64 {
	h := Hash(x, row)
	return h>>targetBits<<targetBits | (h+cellHash(x.Cols, y))>>(64-targetBits)
}

// NewIndex indexes the rows of a table. If at least one row in ten equals another row, features do
// not identify rows, and the index is nil.
func NewIndex(x matrix.Matrix, y []float64) Index {
	n, features := make(Index, x.Rows), make([]uint64, x.Rows)
	for i := range n {
		n[i] = hashOf(x, i, y[i])
		features[i] = n[i] >> targetBits
	}
	if _, repeats, _ := pairs(features); 10*repeats >= x.Rows {
		return nil
	}
	slices.Sort(n)
	return n
}

// Known counts the rows whose features equal those of a row of the table.
func (n Index) Known(x matrix.Matrix) (known int) {
	for i := range x.Rows {
		h := Hash(x, i) >> targetBits
		if at, _ := slices.BinarySearch(n, h<<targetBits); at < len(n) && n[at]>>targetBits == h {
			known++
		}
	}
	return known
}

// Has reports whether a row of the table has the features of this row and the target y.
func (n Index) Has(x matrix.Matrix, row int, y float64) bool {
	_, found := slices.BinarySearch(n, hashOf(x, row, y))
	return found
}

// Hash returns a hash of the bits of a row: FNV-1a over 8 bytes at a time with a final mix.
func Hash(x matrix.Matrix, row int) uint64 {
	h := uint64(0xcbf29ce484222325)
	for _, v := range x.Data[row*x.Cols : (row+1)*x.Cols] {
		if math.IsNaN(v) {
			v = math.NaN()
		}
		h = (h ^ math.Float64bits(v+0)) * 0x100000001b3
		h ^= h >> 32
	}
	return h
}
