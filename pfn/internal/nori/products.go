package nori

import (
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/pfn/internal/pyrand"
	"github.com/pfnamp/pfnamp/pfn/internal/tabpfn"
)

// products divides every column by its deviation and appends products of two of them, or squares.
type products struct {
	scales        []float64 // float32
	first, second []int
}

// fitProducts learns the deviations from the context rows and draws at most so many distinct
// products. The first factors are drawn together. The second factor is drawn among the columns from
// the first on that are not yet paired with it; where none is left, the first is drawn anew.
func fitProducts(x matrix.Matrix, most int, seed uint64) products {
	p := products{scales: make([]float64, x.Cols)}
	for j := range p.scales {
		p.scales[j] = scaleOf(x.Column(nil, j))
	}
	random := pyrand.NewGenerator(seed)
	p.first = random.Choice(x.Cols, min(most, x.Cols*(x.Cols+1)/2))
	p.second = slices.Repeat([]int{-1}, len(p.first))
	for i := range p.first {
		for p.second[i] < 0 {
			free := p.free(p.first[i], x.Cols)
			if len(free) == 0 {
				p.first[i] = int(random.Int(0, int64(x.Cols)))
				continue
			}
			p.second[i] = free[random.Int(0, int64(len(free)))]
		}
	}
	return p
}

// free are the second factors that a first one has not yet.
func (p products) free(first, columns int) []int {
	var free []int
	for j := first; j < columns; j++ {
		used := false
		for i, other := range p.first {
			used = used || other == first && p.second[i] == j
		}
		if !used {
			free = append(free, j)
		}
	}
	return free
}

// scaleOf is the population deviation as float32, 1 of a column that is constant up to rounding.
func scaleOf(values []float64) float64 {
	_, variance, constant := tabpfn.Moments(values)
	if constant {
		return 1
	}
	return single(math.Sqrt(variance))
}

func (p products) apply(x matrix.Matrix) matrix.Matrix {
	out := matrix.New(x.Rows, x.Cols+len(p.first))
	for i := range x.Rows {
		from, to := x.Row(i), out.Row(i)
		for j, v := range from {
			to[j] = single(v / p.scales[j])
		}
		for k, j := range p.first {
			to[x.Cols+k] = single(to[j] * to[p.second[k]])
		}
	}
	return out
}
