package rows

import (
	"math"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// Kin tells which rows of a table are equal in every column, and whether chance explains it.
type Kin struct {
	Repeats int     // rows that have an equal one before them
	Sets    int     // different rows that occur twice or more
	Usual   float64 // pairs of equal rows that chance explains; see [KinOf]
	Most    float64 // likewise, if equal rows too show how often two rows agree in a column

	hashes []uint64
}

// KinOf compares the rows of a table with further columns.
//
// If column j says nothing about the others, two rows that agree in all other columns agree in j
// too with the probability p that any two different rows agree in j. Then the pairs that differ in
// j alone, times p/(1-p), are the pairs of equal rows that chance explains. Usual is the largest of
// these numbers over the columns, and of the number for independent columns. Copies hardly raise
// it, because no row differs from a copy in one column. KinOf stops at a column with which equal
// rows are not unusual: Usual and Most are lower bounds then.
func KinOf(x matrix.Matrix, more ...[]float64) Kin {
	n, d := x.Rows, x.Cols+len(more)
	k := Kin{hashes: make([]uint64, n)}
	cell := func(i, j int) uint64 {
		if j < x.Cols {
			return cellHash(j, x.Data[i*x.Cols+j])
		}
		return cellHash(j, more[j-x.Cols][i])
	}
	for i := range k.hashes {
		for j := range d {
			k.hashes[i] += cell(i, j)
		}
	}
	var equal float64
	equal, k.Repeats, k.Sets = pairs(k.hashes)
	all := float64(n) * float64(n-1) / 2
	if k.Sets == 0 || equal == all {
		return k
	}
	alone, some := all-equal, make([]uint64, n)
	step := 1 + x.Cols*n/mostCells // columns of a large table are skipped: that raises alone
	for j := 0; j < d && k.Unusual(k.Usual); j++ {
		if j < x.Cols && j%step > 0 {
			continue
		}
		for i := range some {
			some[i] = cell(i, j)
		}
		agree, _, _ := pairs(some)
		p := (agree - equal) / (all - equal)
		alone *= p
		for i, h := range k.hashes {
			some[i] = h - some[i]
		}
		apart, _, _ := pairs(some)
		if apart -= equal; apart > 0 {
			k.Usual = max(k.Usual, apart*p/(1-p))
			k.Most = max(k.Most, apart*agree/(all-agree))
		}
	}
	k.Usual = max(k.Usual, alone)
	k.Most = max(k.Most, k.Usual)
	return k
}

// mostCells is the number of cells above which KinOf skips columns.
const mostCells = 10_000_000

// Unusual reports whether more different rows occur twice or more than chance explains, if it
// explains a number of pairs: twice as many, because columns depend on each other, and four
// standard deviations of a Poisson distribution. Of one or two different rows, their copies count.
// Fewer than three are not unusual.
func (k Kin) Unusual(pairs float64) bool {
	seen := k.Sets
	if seen < fewSets {
		seen = k.Repeats
	}
	return float64(seen) > 2*pairs+4*math.Sqrt(2*pairs)+2
}

// fewSets is the number of different rows from which Once leaves out copies. Many equal rows of
// fewer kinds may be customers who bought nothing.
const fewSets = 3

// Once chooses the rows to count, in their order; nil means all. If every row occurs a multiple of
// g times, and enough different rows do, the table is there g times: Once chooses one in g of equal
// rows. If equal rows are unusual, it chooses one of them.
func (k Kin) Once() []int {
	if k.Sets == 0 {
		return nil
	}
	of, times := k.Groups(), make([]int, len(k.hashes)-k.Repeats)
	for _, group := range of {
		times[group]++
	}
	g := 0
	for _, m := range times {
		g = gcd(g, m)
	}
	whole := g > 1 && float64(len(times))*math.Log2(float64(g)) >= wholeBits
	if !whole && (k.Sets < fewSets || !k.Unusual(k.Usual)) {
		return nil
	}
	var chosen []int
	seen := make([]int, len(times))
	for i, group := range of {
		if n := seen[group]; n == 0 || whole && n < times[group]/g {
			chosen = append(chosen, i)
		}
		seen[group]++
	}
	return chosen
}

// wholeBits is the evidence for a table that is there several times: chance makes n numbers
// multiples of g with probability g^-n, 2^-wholeBits at most.
const wholeBits = 14

// Groups numbers the different rows.
func (k Kin) Groups() []int {
	of, number := make([]int, len(k.hashes)), make(map[uint64]int, len(k.hashes)-k.Repeats)
	for i, h := range k.hashes {
		if _, known := number[h]; !known {
			number[h] = len(number)
		}
		of[i] = number[h]
	}
	return of
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// pairs counts the pairs of equal hashes, hashes that repeat another, and hashes that are repeated.
func pairs(hashes []uint64) (equal float64, repeats, sets int) {
	times := NewTally(len(hashes))
	for _, h := range hashes {
		before := times.Add(h)
		equal += float64(before)
		repeats += min(before, 1)
		if before == 1 {
			sets++
		}
	}
	return equal, repeats, sets
}

// cellHash returns a hash of a cell of column j. Those of a row add up to the hash of the row.
func cellHash(j int, v float64) uint64 {
	if math.IsNaN(v) {
		v = math.NaN()
	}
	h := math.Float64bits(v+0) + uint64(j+1)*0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}
