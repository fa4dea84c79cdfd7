package next

import (
	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/internal/kriging"
	"github.com/pfnamp/pfnamp/pfn"
)

// rowsOf are the encoded rows of answers, which have so many columns.
func rowsOf(answers []*pfnamp.Answer, columns int) pfn.Matrix {
	x := pfn.Matrix{Cols: columns}
	for _, a := range answers {
		for i := range a.Rows() {
			x.Data = append(x.Data, a.Features(i)...)
			x.Rows++
		}
	}
	return x
}

// believeProcess returns the belief of a Gaussian process about rows.
func believeProcess(process *kriging.Process, x pfn.Matrix, weight float64) Beliefs {
	at := process.At(x)
	return Beliefs{Weight: weight, Mean: at.Mean, Spread: at.Spread, Noise: process.Noise(),
		Correlation: func(i, j int) float64 {
			if of := at.Spread[i] * at.Spread[j]; of > 0 {
				return max(-1, min(1, at.Covariance(i, j)/of))
			}
			return 0
		}}
}
