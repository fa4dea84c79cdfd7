package pfn

import (
	"math"
	"slices"
)

// surfaces compares surfaces in standard deviations of the target. Expected values are
// standardised.
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
	r.Add(stage+": surface", worst, resultTolerance+r.grain)
}
