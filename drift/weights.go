package drift

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/pfnamp/pfnamp/internal/logistic"
)

// mostWeight bounds the weight of a row, in means over the context: few rows must not decide.
const mostWeight = 20

// Weights make the rows of a context look like the rows of a batch. They are the odds of a
// classifier that has read both (Tibshirani, Barber, Candès and Ramdas 2019), scaled to the mean 1
// over the context and capped at 20. Weights are safe for concurrent use.
type Weights struct {
	// Context holds the weights of the rows of the context.
	Context []float64

	design  design
	w       []float64
	unit    float64
	overlap float64 // share of the batch for which the context has rows, about 1 where it has
}

// Weigh estimates the weights; categorical marks columns of codes. Equal seeds give equal weights.
// The error is a *[RowsError].
func Weigh(context, batch Matrix, categorical []bool, seed uint64) (*Weights, error) {
	if context.Rows < LeastRows || batch.Rows < LeastRows {
		return nil, &RowsError{context.Rows, batch.Rows}
	}
	random := rand.New(rand.NewPCG(seed, stream+2))
	b, _ := thinned(random, batch, mostRows)
	all := Matrix{Rows: context.Rows + b.Rows, Cols: context.Cols,
		Data: slices.Concat(context.Data, b.Data)}
	r := &Weights{design: newDesign(all, categorical), unit: 1}
	label := make([]bool, all.Rows)
	for i := range b.Rows {
		label[context.Rows+i] = true
	}
	r.w = logistic.Fit(r.design.matrix(all), label, penalty, nil)
	odds := r.At(context)
	mean := 0.0
	for _, v := range odds {
		mean += v / float64(len(odds))
	}
	r.unit = mean
	r.overlap = math.Min(1, mean*float64(context.Rows)/float64(b.Rows))
	r.Context = r.At(context)
	return r, nil
}

// At returns the weights of rows, each in [0, 20].
func (r *Weights) At(x Matrix) []float64 {
	design, weights := r.design.matrix(x), make([]float64, x.Rows)
	for i := range weights {
		z := math.Max(-50, math.Min(50, floats.Dot(design.RawRowView(i), r.w)))
		weights[i] = math.Min(mostWeight, math.Exp(z)/r.unit)
	}
	return weights
}

// Effective returns the effective sample size of the context for the batch. It is [EffectiveRows]
// of the weights, reduced in proportion where the context has no rows near the batch. There, the
// mean of the odds over the context is below the ratio of the sizes of batch and context.
func (r *Weights) Effective() float64 { return EffectiveRows(r.Context) * r.overlap }
