package pfn

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pfnamp/pfnamp/models"
)

// surfaceHead is the surface of a row: its K+1 rows of J values, the last one of the mean.
type surfaceHead struct {
	levels, posterior []float64
}

func (h surfaceHead) output() output {
	return output{models.SurfaceOutput, []int{len(h.levels) + 1, len(h.posterior)}}
}

// combiner averages the members entry by entry.
func (h surfaceHead) combiner(_ ensemble, t target) combiner {
	return func(members [][]float32) any {
		mean := make([]float64, h.output().size())
		w := 1 / float64(len(members))
		for _, raw := range members {
			for i, v := range raw {
				mean[i] += w * float64(v)
			}
		}
		return h.surface(mean, t)
	}
}

// surface makes a surface of standardised values, in place, in any order.
func (h surfaceHead) surface(values []float64, t target) *Surface {
	s := &Surface{Levels: h.levels, PosteriorLevels: h.posterior}
	for row := range slices.Chunk(values, len(h.posterior)) {
		slices.Sort(row)
		s.Quantiles = append(s.Quantiles, row)
	}
	last := len(h.levels)
	s.Quantiles, s.Mean = s.Quantiles[:last:last], s.Quantiles[last]
	column := make([]float64, last)
	for j := range h.posterior {
		for k, row := range s.Quantiles {
			column[k] = row[j]
		}
		slices.Sort(column) // which leaves every row in order
		for k, row := range s.Quantiles {
			row[j] = column[k]
		}
	}
	for i, z := range values {
		values[i] = t.Mean + t.SD*z
	}
	return s
}

// alone is a point mass, or what a sample says of the quantiles and the mean of its distribution:
// quantileRank, and with the mean m and the deviation s of n values
//
//	E[y] = m + s/sqrt(n) T,  T of Student's t with n-1 degrees of freedom.
func (h surfaceHead) alone(t *table) any {
	values := make([]float64, 0, h.output().size())
	if t.Constant {
		return h.surface(values[:cap(values)], t.target) // mean + SD*0
	}
	y := widen(t.labels(nil))
	slices.Sort(y)
	for _, u := range h.levels {
		for _, p := range h.posterior {
			values = append(values, quantileRank(p, u, len(y)).of(y))
		}
	}
	n := float64(len(y))
	mean, sd := stat.MeanStdDev(y, nil)
	student := distuv.StudentsT{Mu: mean, Sigma: sd / math.Sqrt(n), Nu: n - 1}
	for _, p := range h.posterior {
		values = append(values, student.Quantile(p))
	}
	return h.surface(values, t.target)
}

func (h surfaceHead) restore(data []byte, _ target) (any, error) {
	var s Surface
	if err := decodeState(data, &s); err != nil {
		return nil, err
	}
	if !slices.Equal(s.Levels, h.levels) || !slices.Equal(s.PosteriorLevels, h.posterior) ||
		!h.sound(append(slices.Clip(s.Quantiles), s.Mean)) {
		return nil, errors.New("a fixed surface is none")
	}
	return &s, nil
}

// sound checks the size and the order of the rows of a surface, that of the mean last.
func (h surfaceHead) sound(rows [][]float64) bool {
	if len(rows) != len(h.levels)+1 {
		return false
	}
	for k, row := range rows {
		if len(row) != len(h.posterior) || !slices.IsSorted(row) {
			return false
		}
		for j := range row {
			if k > 0 && k < len(h.levels) && row[j] < rows[k-1][j] {
				return false
			}
		}
	}
	return true
}
