package pfn

import (
	"errors"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/models"
)

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
	return firstWrong([]shaped{
		{"stages.surface", stages},
		{"expect.surface", hasShape3(expect, [3]int{rows, k + 1, j})},
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

// surfaces compares surfaces in standard deviations of the target; what is expected is standardised.
func (r *replayed) surfaces(stage string, rows []Result, t target) {
	worst := 0.0
	for i, row := range rows {
		s := row.Own.(*Surface)
		for k, row := range append(slices.Clip(s.Quantiles), s.Mean) {
			for j, v := range row {
				want := r.golden.Expect.Surface[i][k][j]
				worst = math.Max(worst, math.Abs((v-t.Mean)/t.SD-want))
			}
		}
	}
	r.add(stage+": surface", worst, resultTolerance+r.grain)
}
