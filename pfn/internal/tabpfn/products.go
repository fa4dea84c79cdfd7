package tabpfn

import (
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/pfn/internal/pyrand"
)

// products divides every column by its deviation and appends products of two of them, or squares.
type products struct {
	scales []float64
	first  []int
	second []int
}

// productCount is how many products there can be of so many columns, at most limit; limit 0 allows
// all.
func productCount(columns, limit int) int {
	all := columns * (columns + 1) / 2
	if limit > 0 {
		return min(limit, all)
	}
	return all
}

// fitProducts learns the deviations from the context rows and draws distinct products at random.
// Of every pair the second factor is drawn among the columns from the first on that are not yet
// paired with it, in the order in which the reference's set lists them; where none is left, the
// first factor is drawn anew.
func fitProducts(x matrix.Matrix, limit int, seed uint64) *products {
	p := &products{scales: make([]float64, x.Cols)}
	for j := range p.scales {
		p.scales[j] = deviation(x.Column(nil, j))
	}
	random := pyrand.NewGenerator(seed)
	p.first = random.Choice(x.Cols, productCount(x.Cols, limit))
	p.second = slices.Repeat([]int{-1}, len(p.first))
	for i := range p.first {
		for p.second[i] < 0 {
			free := pyrand.Rest(p.first[i], x.Cols, p.partners(p.first[i]))
			if len(free) == 0 {
				p.first[i] = int(random.Int(0, int64(x.Cols)))
				continue
			}
			p.second[i] = free[random.Int(0, int64(len(free)))]
		}
	}
	return p
}

// partners are the second factors of a first one, -1 for one that is not drawn yet.
func (p *products) partners(first int) []int {
	var found []int
	for i, j := range p.first {
		if j == first && !slices.Contains(found, p.second[i]) {
			found = append(found, p.second[i])
		}
	}
	return found
}

// deviation is the population deviation of the values that are not missing, 1 if it is no larger
// than the rounding error of computing it.
func deviation(values []float64) float64 {
	present := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	mean, variance := moments(present)
	if indistinct(mean, variance, len(present)) {
		return 1
	}
	return math.Sqrt(variance)
}

func (p *products) apply(x matrix.Matrix) matrix.Matrix {
	out := matrix.New(x.Rows, x.Cols+len(p.first))
	for i := range x.Rows {
		from, to := x.Row(i), out.Row(i)
		for j, v := range from {
			to[j] = v / p.scales[j]
		}
		for k, j := range p.first {
			to[x.Cols+k] = to[j] * to[p.second[k]]
		}
	}
	return out
}
