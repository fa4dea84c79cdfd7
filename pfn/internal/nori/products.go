package nori

import (
	"math"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/pfn/internal/pyrand"
	"github.com/pfnamp/pfnamp/pfn/internal/tabpfn"
)

// products divides every column by its deviation and appends products of two of them, or squares.
type products struct {
	scales        []float64 // float32
	first, second []int
}

// fitProducts learns the deviations from the context rows and draws a limited number of distinct
// products. It draws all first factors together. It draws the second factor from the columns at or
// behind the first that are not yet paired with it. If none is left, it draws the first again.
func fitProducts(x matrix.Matrix, most int, seed uint64) products {
	p := products{scales: make([]float64, x.Cols)}
	for j := range p.scales {
		p.scales[j] = scaleOf(x.Column(nil, j))
	}
	random := pyrand.NewGenerator(seed)
	p.first = random.Choice(x.Cols, min(most, x.Cols*(x.Cols+1)/2))
	paired := map[[2]int]bool{}
	for i, first := range p.first {
		free := unpaired(first, x.Cols, paired)
		for len(free) == 0 {
			first = int(random.Int(0, int64(x.Cols)))
			free = unpaired(first, x.Cols, paired)
		}
		second := free[random.Int(0, int64(len(free)))]
		p.first[i], p.second = first, append(p.second, second)
		paired[[2]int{first, second}] = true
	}
	return p
}

// unpaired lists the second factors that a first factor does not have yet.
func unpaired(first, columns int, paired map[[2]int]bool) (free []int) {
	for j := first; j < columns; j++ {
		if !paired[[2]int{first, j}] {
			free = append(free, j)
		}
	}
	return free
}

// scaleOf returns the population deviation as float32, or 1 if a column is constant up to rounding.
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
