package donors

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/internal/rows"
)

// Completed holds rows that replace a row with missing cells.
type Completed struct {
	Rows    matrix.Matrix
	Weights []float64 // of the rows, with sum 1
	// Donors is the effective number of donors, 1/Σ w_i². It shows how well the distribution of the
	// missing cells is known.
	Donors float64
}

// Lender lends cells to rows that lack the same cells.
type Lender struct {
	table   *Table
	lacking []int
	donors  []int // rows with these cells
	first   []int // regression of every lacking column: index of its first target
	shared  []int // functions of the other columns, without bends
	*regressions
}

// Lender prepares the donors for rows that lack the cells of these columns. Donors may lack the
// cell of a column j that is ^j, and lend that.
func (t *Table) Lender(lacking []int) *Lender {
	l := &Lender{table: t, regressions: new(regressions), donors: t.having(lacking)}
	for _, j := range lacking {
		l.lacking = append(l.lacking, max(j, ^j))
	}
	var allowed []int
	for j, c := range t.columns {
		if slices.Contains(l.lacking, j) {
			continue
		}
		for k := range c.functions {
			allowed = append(allowed, t.first[j]+k)
			if k < c.targets {
				l.shared = append(l.shared, t.first[j]+k)
			}
		}
	}
	var targets [][]float64
	basis := t.basis.Take(l.donors)
	for _, j := range l.lacking {
		l.first = append(l.first, len(targets))
		for k := range t.columns[j].targets {
			targets = append(targets, basis.Column(nil, t.first[j]+k))
		}
	}
	if len(l.donors) > 0 {
		l.regressions = regress(t.basis, l.donors, allowed, targets)
	}
	return l
}

// having lists the donors with all of these cells or, if there is none, those that lack the fewest.
func (t *Table) having(lacking []int) []int {
	lacks, least := make([]int, t.x.Rows), math.MaxInt
	for i := range lacks {
		for _, j := range lacking {
			if j >= 0 && t.columns[j].isMissing(t.x.Data[i*t.x.Cols+j]) {
				lacks[i]++
			}
		}
		least = min(least, lacks[i])
	}
	return slices.DeleteFunc(matrix.Upto(t.x.Rows), func(i int) bool { return lacks[i] > least })
}

// Complete returns up to most completed rows. Only the seed determines its random draws.
func (l *Lender) Complete(row []float64, most int, seed uint64) Completed {
	if len(l.donors) == 0 {
		return Completed{Rows: matrix.Matrix{Rows: 1, Cols: len(row), Data: row}, Weights: []float64{1},
			Donors: 1}
	}
	functions := l.table.functions(matrix.Matrix{Rows: 1, Cols: len(row), Data: row}).Data
	expected := l.at(functions)
	crowd := l.crowd(row)
	weights := l.weights(functions, expected, crowd)
	c := Completed{Donors: effective(weights)}
	lent := l.lend(row, expected)
	if lent, weights = merged(lent, weights); slices.Max(crowd) > 0 {
		c.Donors = effective(weights) // categories
	}
	if len(weights) > most {
		lent, weights = l.strata(lent, weights, most, seed)
	}
	c.Rows, c.Weights = lent, weights
	return c
}

const (
	bandwidth    = 0.5 // h
	farBandwidth = 1e6 // distances do not count
	resemblance  = 3   // c
	leastDonors  = 25  // least effective number of donors by d_i alone; h rises until it is reached
)

// weights returns the weights of the donors, with sum 1, for a row with these functions, expected
// missing cells and crowd.
func (l *Lender) weights(functions, expected, crowd []float64) []float64 {
	distances := make([]float64, len(l.donors))
	for t, q := range expected {
		if !(l.left[t] > 0) {
			continue
		}
		for d, p := range l.apart[t] {
			z := (q - p) / l.left[t]
			distances[d] += z * z
		}
	}
	apart, share := make([]float64, len(l.donors)), l.Explained() // e_i² and R²
	for d, i := range l.donors {
		row := l.table.basis.Row(i)
		for _, b := range l.shared {
			z := functions[b] - row[b]
			apart[d] += z * z / float64(len(l.shared))
		}
	}
	least := min(leastDonors, 0.5*float64(len(apart)))
	w := make([]float64, len(apart))
	h := bandwidth
	for ; h < farBandwidth; h *= 1.25 {
		if kernel(w, func(d int) float64 { return distances[d] / (2 * h * h) }); effective(w) >= least {
			break
		}
	}
	kernel(w, func(d int) float64 {
		return distances[d]/(2*h*h) + resemblance*share*apart[d] + crowd[d]
	})
	return w
}

// crowd returns the logarithm of n for every donor: the most donors that have the same category, in
// a column where the category of the row is new.
func (l *Lender) crowd(row []float64) []float64 {
	logs := make([]float64, len(l.donors))
	for _, j := range l.lacking {
		if c := &l.table.columns[j]; c.categorical && math.IsNaN(row[j]) && !rows.IsUnknown(row[j]) {
			for d, i := range l.donors {
				logs[d] = max(logs[d], math.Log(c.donors[l.table.x.Data[i*l.table.x.Cols+j]]))
			}
		}
	}
	return logs
}

// kernel sets weights with sum 1 that are proportional to exp(-far).
func kernel(w []float64, far func(d int) float64) {
	nearest, sum := math.Inf(1), 0.0
	for d := range w {
		w[d] = far(d)
		nearest = min(nearest, w[d])
	}
	for d, v := range w {
		w[d] = math.Exp(nearest - v)
		sum += w[d]
	}
	for d := range w {
		w[d] /= sum
	}
}

func effective(weights []float64) float64 {
	squares := 0.0
	for _, w := range weights {
		squares += w * w
	}
	return 1 / squares
}

// lend completes the row with the cells of every donor.
func (l *Lender) lend(row, expected []float64) matrix.Matrix {
	t, out := l.table, matrix.New(len(l.donors), len(row))
	for d, i := range l.donors {
		to := out.Row(d)
		copy(to, row)
		for k, j := range l.lacking {
			c, v := &t.columns[j], t.x.Data[i*t.x.Cols+j]
			if !c.categorical && c.targets > 0 && !c.isMissing(v) {
				at := l.first[k]
				v = c.allowed(v + (expected[at]-l.apart[at][d])*c.functions[0].spread)
			}
			to[j] = v
		}
	}
	return out
}

// merged merges equal rows and drops those without weight.
func merged(x matrix.Matrix, weights []float64) (matrix.Matrix, []float64) {
	first := map[uint64]int{}
	var kept []int
	var sums []float64
	for i, w := range weights {
		key := rows.Hash(x, i)
		at, ok := first[key]
		switch {
		case ok:
			sums[at] += w
		case w > 0:
			first[key] = len(kept)
			kept, sums = append(kept, i), append(sums, w)
		}
	}
	return x.Take(kept), sums
}

// perStratum is about how many rows a stratum has. Predicting the target of all rows would take
// longer than the network takes to read the rows that are drawn.
const perStratum = 32

// strata draws one row from each of most strata of equal weight, in the order of the expected
// target. If there are many rows, it first draws perStratum times as many rows as needed, in the
// order of a lent cell.
func (l *Lender) strata(
	x matrix.Matrix, weights []float64, most int, seed uint64,
) (matrix.Matrix, []float64) {
	random := rand.New(rand.NewPCG(seed, strataStream))
	order := matrix.Upto(x.Rows)
	if x.Rows > perStratum*most {
		cell := l.lacking[0]
		slices.SortStableFunc(order, func(a, b int) int {
			return cmp.Compare(x.Row(a)[cell], x.Row(b)[cell])
		})
		x, weights = onePerStratum(x, weights, order, perStratum*most, random)
		order = matrix.Upto(x.Rows)
	}
	expected := l.table.expected(x, weights)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(expected[a], expected[b]) })
	return onePerStratum(x, weights, order, most, random)
}

// onePerStratum draws one row from each of so many strata of equal weight of rows in an order. It
// returns the rows that were drawn, not in this order, with the shares of their strata.
func onePerStratum(
	x matrix.Matrix, weights []float64, order []int, strata int, random *rand.Rand,
) (matrix.Matrix, []float64) {
	drawn := make([]float64, x.Rows)
	at, sum := 0, weights[order[0]]
	for k := range strata {
		to := (float64(k) + random.Float64()) / float64(strata)
		for sum < to && at < len(order)-1 {
			at++
			sum += weights[order[at]]
		}
		drawn[order[at]] += 1 / float64(strata)
	}
	var rows []int
	var shares []float64
	for i, w := range drawn {
		if w > 0 {
			rows, shares = append(rows, i), append(shares, w)
		}
	}
	return x.Take(rows), shares
}

// strataStream distinguishes the random stream of strata from others with the same seed.
const strataStream = 0x446f_6e6f_7273_0001

// expected returns the regression's prediction of the target that varies most among the rows.
func (t *Table) expected(x matrix.Matrix, weights []float64) (found []float64) {
	functions, most := t.functions(x), -1.0
	for _, r := range t.effects {
		expected := r.order(functions)
		mean, square := 0.0, 0.0
		for i := range expected {
			mean += weights[i] * expected[i]
			square += weights[i] * expected[i] * expected[i]
		}
		if variance := square - mean*mean; variance > most {
			found, most = expected, variance
		}
	}
	return found
}
