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
// The second factor is drawn among the columns from the first factor on that are not yet paired
// with it, in the order of the reference's set. If none is left, the first factor is drawn again.
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

// deviation returns the population deviation of the values that are not missing, or 1 if it is at
// most the rounding error.
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
