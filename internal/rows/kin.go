package rows

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

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
	const mostCells = 10_000_000
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

// ButFor returns the first column without which a tenth of the rows are equal to others, far more
// often than chance explains, and Kin of the other columns. It leaves out columns that are one
// together. It returns -1 if there is none, and of large tables.
func ButFor(x matrix.Matrix, one func(a, b int) bool, more ...[]float64) (column int, kin Kin) {
	const most = 50_000_000 // cells that are compared
	for j := 0; j < x.Cols && x.Rows*x.Cols*x.Cols < most; j++ {
		others := slices.DeleteFunc(matrix.Upto(x.Cols), func(k int) bool { return one(j, k) })
		kin = KinOf(x.Pick(others), more...)
		if kin.Sets >= fewSets && 10*(kin.Repeats+kin.Sets) >= x.Rows && kin.Unusual(kin.Most) {
			return j, kin
		}
	}
	return -1, Kin{}
}

// Near returns how many rows the sets have if the rows of a table come in sets that are nearly
// alike, as copies with noise are, else 0. Of two thirds of the rows the others of the set are
// within a fifth of the distance to the next row, and not at 0: chance hardly does that. The
// distance adds up the cells: numbers in deviations, at most 1, and 1 for another category.
func Near(x matrix.Matrix, categorical []bool, y []float64, labels bool) int {
	const most, apart = 10, 5
	sample := min(64, max(16, 20_000_000/(len(x.Data)+x.Rows))) // of the rows
	scales, times := Scales(x, categorical), [most]int{}
	own := Scales(matrix.Matrix{Rows: x.Rows, Cols: 1, Data: y}, []bool{labels})[0]
	between := func(a, b float64, s Scale) float64 {
		switch z := math.Abs(a-b) / s.Spread; {
		case z < 1:
			return z
		case a == b, math.IsNaN(a) && math.IsNaN(b):
			return 0
		}
		return 1
	}
	for s := range sample {
		i, nearest := s*x.Rows/sample, slices.Repeat([]float64{math.Inf(1)}, most+1)
		for k := range x.Rows {
			far := between(y[i], y[k], own)
			for j := 0; j < x.Cols && far < nearest[most]; j++ {
				far += between(x.Data[i*x.Cols+j], x.Data[k*x.Cols+j], scales[j])
			}
			if at, _ := slices.BinarySearch(nearest, far); at <= most {
				nearest = slices.Insert(nearest, at, far)[:most+1]
			}
		}
		for n := 2; n < most; n++ { // the first is the row itself
			if last := nearest[n-1]; last > 0 && apart*last <= nearest[n] && nearest[n] < math.Inf(1) {
				times[n]++
			}
		}
	}
	return max(0, slices.IndexFunc(times[:], func(n int) bool { return 3*n >= 2*sample }))
}

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

// Once chooses the rows to count; nil means all. If every row occurs a multiple of
// g times, and enough different rows do, the table is there g times: Once chooses one in g of equal
// rows. If equal rows are unusual, it chooses one of them.
func (k Kin) Once() (counted []bool) {
	if k.Sets == 0 {
		return nil
	}
	of, times := k.Groups(), make([]int, len(k.hashes)-k.Repeats)
	for _, group := range of {
		times[group]++
	}
	g := 0
	for _, m := range times { // their greatest common divisor
		for m != 0 {
			g, m = m, g%m
		}
	}
	whole := g > 1 && float64(len(times))*math.Log2(float64(g)) >= wholeBits
	if !whole && (k.Sets < fewSets || !k.Unusual(k.Usual)) {
		return nil
	}
	seen := make([]int, len(times))
	for _, group := range of {
		n := seen[group]
		counted = append(counted, n == 0 || whole && n < times[group]/g)
		seen[group]++
	}
	return counted
}

// wholeBits is the evidence for a table that is there several times: chance makes n numbers
// multiples of g with probability g^-n, 2^-wholeBits at most.
const wholeBits = 14

// Groups numbers the different rows.
func (k Kin) Groups() []int { return Numbered(k.hashes) }

// Numbered numbers different keys in the order of their first places, and returns every place's.
func Numbered[T comparable](keys []T) []int {
	of, number := make([]int, len(keys)), map[T]int{}
	for i, key := range keys {
		if _, known := number[key]; !known {
			number[key] = len(number)
		}
		of[i] = number[key]
	}
	return of
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

// Alone returns the first column that determines the targets of a table alone, or the first two
// that determine numbers together, see pair; nil if there are none. A complete one: a line on it
// leaves less than 1/10,000 of the variance of numbers, or rows with equal values have equal
// targets, in one order or, of labels and categories, one to one. Another one: all its cells that
// are not missing have one target. There is none if chance gives an order like that of the targets,
// or cells with one target, with a probability of 1e-6 or more.
func Alone(x matrix.Matrix, categorical []bool, y []float64, labels bool) []int {
	ways, _ := math.Lgamma(float64(len(y)) + 1)
	times := map[float64]int{}
	for _, v := range y {
		times[v]++
		ways -= math.Log(float64(times[v]))
	}
	if ways < math.Log(1e6) {
		return nil
	}
	for j := range x.Cols {
		column := x.Column(nil, j)
		category := j < len(categorical) && categorical[j]
		unordered := labels || category
		few := min(500, len(y)) // which rule out nearly all columns
		r := stat.Correlation(column, y, nil)
		if filled(column, y, category, times) || !slices.ContainsFunc(column, math.IsNaN) &&
			(!unordered && r*r > 0.9999 ||
				determined(column[:few], y[:few], unordered) && determined(column, y, unordered) &&
					(!unordered || 2*len(times) <= len(y))) {
			return []int{j}
		}
	}
	if labels || x.Cols > 300 || ways < math.Log(5e6*float64(x.Cols*x.Cols)) { // columns: for time
		return nil
	}
	return pair(x, y)
}

// pair returns the first two columns whose sum, difference, product or ratio determines y: a line
// on it leaves less than a millionth of the variance. Thirty rows rule out nearly all pairs.
func pair(x matrix.Matrix, y []float64) []int {
	var made, of []float64
	exact := func(i, j, way, step int) bool {
		made, of = made[:0], of[:0]
		for row := 0; row < x.Rows; row += step {
			a, b := x.Data[row*x.Cols+i], x.Data[row*x.Cols+j]
			made = append(made, []float64{a + b, a - b, a * b, a / b, b / a}[way])
			of = append(of, y[row])
		}
		r := stat.Correlation(made, of, nil)
		return r*r > 1-1e-6
	}
	for k := range 5 * x.Cols * x.Cols {
		i, j, way := k/5%x.Cols, k/5/x.Cols, k%5
		if i < j && exact(i, j, way, 1+x.Rows/30) && exact(i, j, way, 1) {
			return []int{i, j}
		}
	}
	return nil
}

// determined reports whether rows with equal values have equal targets: one to one if they are
// unordered, else in one order.
func determined(x, y []float64, unordered bool) bool {
	order, of := make([]int, len(x)), map[float64]float64{} // of: the value of a target
	floats.Argsort(slices.Clone(x), order)
	rising, falling := true, true
	for k, i := range order {
		last := order[max(0, k-1)]
		first, known := of[y[i]]
		if x[last] == x[i] && y[last] != y[i] || unordered && known && first != x[i] {
			return false
		}
		of[y[i]] = x[i]
		rising, falling = rising && y[last] <= y[i], falling && y[last] >= y[i]
	}
	return unordered || rising || falling
}

// filled reports whether a column has missing cells, and all others have one target, although
// chance would do that with a probability below 1e-6. times counts the targets.
func filled(column, y []float64, category bool, times map[float64]int) bool {
	n, one := 0, 0.0
	for i, v := range column {
		if math.IsNaN(v) || category && v < 0 {
			continue
		}
		if n++; n > 1 && y[i] != one {
			return false
		}
		one = y[i]
	}
	share := float64(times[one]) / float64(len(y))
	return n < len(y) && float64(n)*math.Log(share) < -math.Log(1e6)
}
