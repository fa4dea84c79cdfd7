package pfn

import (
	"errors"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/models"
)

// surfaceExpect is the surface of every query row, in units of the target. It is nil unless the
// manifest has Surface.
type surfaceExpect struct {
	Quantiles [][][]float64 `json:"quantiles"` // [M][K][J]
	Mean      [][]float64   `json:"mean"`      // [M][J]
}

// checkSurface compares the lengths of the vectors of the surface, which must be there if and only
// if the manifest has one.
func (c *quantileCase) checkSurface(s *models.Surface) error {
	raw, expect := c.Stages.Surfaces, c.Expect.Surface
	if s == nil {
		if raw != nil || expect != nil {
			return errors.New("there are vectors of a surface, which the manifest lacks")
		}
		return nil
	}
	if raw == nil || expect == nil {
		return errors.New("stages.surface or expect.surface is missing, but the manifest has one")
	}
	rows, k, j := len(c.XTest), len(s.Levels), len(s.PosteriorLevels)
	stages := len(raw) == len(c.Members)
	for _, member := range raw {
		stages = stages && hasShape3(member, [3]int{rows, k + 1, j})
	}
	return firstWrong([]part{
		{"stages.surface", stages},
		{"expect.surface.quantiles", hasShape3(expect.Quantiles, [3]int{rows, k, j})},
		{"expect.surface.mean", hasShape(expect.Mean, rows, j)},
	})
}

// flatSurfaces lists what the network returned to the exporter as [B][M] lists of values.
func (c *quantileCase) flatSurfaces() [][][]float64 {
	flat := make([][][]float64, len(c.Stages.Surfaces))
	for b, member := range c.Stages.Surfaces {
		for _, row := range member {
			flat[b] = append(flat[b], slices.Concat(row...))
		}
	}
	return flat
}

// averagedSurfaces makes surfaces of the golden output of the network.
func (c *quantileCase) averagedSurfaces(fitted *Context) []*Surface {
	flat := c.flatSurfaces()
	rows := make([]*Surface, len(c.XTest))
	for i := range rows {
		members := make([][]float32, len(flat))
		for b := range flat {
			members[b] = narrow(flat[b][i])
		}
		rows[i] = fitted.combiners[1](members).(*Surface)
	}
	return rows
}

// surfaces compares surfaces in standard deviations of the target.
func (r *replayed) surfaces(stage string, rows []*Surface, sd float64) {
	e, tolerance := r.golden.Expect.Surface, resultTolerance+r.grain
	var quantiles, mean float64
	for i, s := range rows {
		got, want := slices.Concat(s.Quantiles...), slices.Concat(e.Quantiles[i]...)
		for at := range want {
			quantiles = math.Max(quantiles, math.Abs(got[at]-want[at])/sd)
		}
		for j, want := range e.Mean[i] {
			mean = math.Max(mean, math.Abs(s.Mean[j]-want)/sd)
		}
	}
	r.add(stage+": surface", quantiles, tolerance)
	r.add(stage+": surface's mean", mean, tolerance)
}
