package drift

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pfnamp/pfnamp/internal/logistic"
)

// penalty is the weight of the squared coefficients, a row of evidence each; the intercept has
// none.
const penalty = 4

// Confidence is the level of the interval of [Result.AUC] and of the test behind [Result.Drift].
const Confidence = 0.99

// LeastRows is the smallest number of rows of either sample for a comparison.
const LeastRows = 20

// supportTail is the share of the context that is farthest from the others, and counts as its edge.
const supportTail = 0.01

// Result is the comparison of the features of two samples.
type Result struct {
	Context, Batch int // numbers of compared rows

	// AUC is the area under the ROC curve of a classifier that tells the batch from the context, on
	// rows that it has not read; 0.5 is chance. Lo and Hi are its interval of level [Confidence].
	AUC, Lo, Hi float64
	// P is the p-value of the difference. It combines two tests: the classifier, which sees all
	// columns together, and the column that differs most.
	P float64
	// Drift is 2 AUC - 1 if P is below 1 - [Confidence], else 0. It is in [0, 1]: 0 means no proven
	// difference, 1 means that the classifier separates the samples completely.
	Drift float64
	// Effective is the effective sample size of the context for the batch. It is (Σw)²/Σw² (Kish
	// 1965) for weights w, the odds of the classifier, times min{1, Σw/m} for a batch of m rows and
	// times min{1, Supported/0.99}. The last two fall to 0 where the context has no rows like those of
	// the batch. The odds are calibrated on rows that the classifier has not read (Platt 1999), so
	// that its noise weighs nothing.
	Effective float64
	// Supported is the share of batch rows that look like the context: their odds are at most the
	// 0.99-quantile of the odds in the context. About 0.99 is usual.
	Supported float64

	Columns []Column
}

// RowsError reports samples that are too small to be compared.
type RowsError struct{ Context, Batch int }

// Error names the smallest number of rows.
func (e *RowsError) Error() string {
	return fmt.Sprintf("drift: a comparison needs at least %d rows on either side, but the context "+
		"has %d and the batch %d", LeastRows, e.Context, e.Batch)
}

// Compare tests whether the features of a batch are like the features of a context. Both have the
// same columns; categorical marks columns of codes. Compare divides both samples at random into two
// halves. A classifier reads one half and is tested on the other, so each half gives a p-value. The
// p-value of the classifier is twice their mean, which is valid under any dependence (Vovk and Wang
// 2020, Combining p-values via averaging). The standard error of the AUC is the mean of both
// standard errors. Result.P is twice the smaller p-value of the classifier and of the columns.
// Equal seeds give equal results. The error is a *[RowsError].
func Compare(context, batch Matrix, categorical []bool, seed uint64) (Result, error) {
	if context.Rows < LeastRows || batch.Rows < LeastRows {
		return Result{}, &RowsError{context.Rows, batch.Rows}
	}
	random := rand.New(rand.NewPCG(seed, stream))
	a, _ := thinned(random, context, mostRows)
	b, _ := thinned(random, batch, mostRows)
	r := Result{Context: a.Rows, Batch: b.Rows}
	odds, halves := crossFitted(random, a, b, categorical)
	r.AUC = (halves[0].AUC + halves[1].AUC) / 2
	least := math.Min(1, halves[0].P+halves[1].P)
	margin := distuv.UnitNormal.Quantile((1+Confidence)/2) * (halves[0].SE + halves[1].SE) / 2
	r.Lo, r.Hi = math.Max(0, r.AUC-margin), math.Min(1, r.AUC+margin)
	r.Columns = compareColumns(a, b, categorical)
	for _, c := range r.Columns {
		least = math.Min(least, c.P)
	}
	if r.P = math.Min(1, 2*least); r.P < 1-Confidence {
		r.Drift = math.Max(0, 2*r.AUC-1)
	}
	r.Supported = supported(odds[:a.Rows], odds[a.Rows:])
	r.Effective = effective(odds, a.Rows) * min(1, r.Supported/(1-supportTail))
	return r, nil
}

// crossFitted returns the odds of every row, of the context first, each by the classifier that has
// not read it, and the areas of both halves.
func crossFitted(random *rand.Rand, a, b Matrix, categorical []bool) (odds []float64,
	areas [2]Area) {
	all := Matrix{Rows: a.Rows + b.Rows, Cols: a.Cols, Data: slices.Concat(a.Data, b.Data)}
	x := newDesign(all, categorical).matrix(all)
	half := make([]int, 0, all.Rows)
	for _, n := range []int{a.Rows, b.Rows} {
		for _, place := range random.Perm(n) {
			half = append(half, place%2)
		}
	}
	odds = make([]float64, all.Rows)
	for side := range 2 {
		w := fitHalf(x, half, side, a.Rows)
		var scores [2][]float64 // of the other half, by sample
		for i, of := range half {
			if of == side {
				continue
			}
			z := floats.Dot(x.RawRowView(i), w)
			odds[i] = math.Exp(math.Max(-50, math.Min(50, z)))
			sample := 0
			if i >= a.Rows {
				sample = 1
			}
			scores[sample] = append(scores[sample], z)
		}
		areas[side] = area(scores[0], scores[1])
	}
	return odds, areas
}

// fitHalf fits the classifier to a half of the rows; rows below context are the context's.
func fitHalf(x *mat.Dense, half []int, side, context int) []float64 {
	_, p := x.Dims()
	var rows []int
	for i, of := range half {
		if of == side {
			rows = append(rows, i)
		}
	}
	part, label := mat.NewDense(len(rows), p, nil), make([]bool, len(rows))
	for to, from := range rows {
		part.SetRow(to, x.RawRowView(from))
		label[to] = from >= context
	}
	return logistic.Fit(part, label, penalty, nil)
}

// effective is Result.Effective for the odds of all rows, those of the context first.
func effective(odds []float64, context int) float64 {
	x, label := mat.NewDense(len(odds), 2, nil), make([]bool, len(odds))
	for i, v := range odds {
		x.SetRow(i, []float64{1, math.Log(v)})
		label[i] = i >= context
	}
	w, weights, sum := logistic.Fit(x, label, penalty, nil), make([]float64, context), 0.0
	w[1] = max(0, min(1, w[1]))
	for i := range weights {
		weights[i] = math.Exp(floats.Dot(x.RawRowView(i), w))
		sum += weights[i]
	}
	return EffectiveRows(weights) * min(1, sum/float64(len(odds)-context))
}

// EffectiveRows returns the effective sample size of rows with weights w, (Σw)²/Σw² (Kish 1965); 0
// if all weights are 0.
func EffectiveRows(weights []float64) float64 {
	sum, square := 0.0, 0.0
	for _, w := range weights {
		sum += w
		square += w * w
	}
	if square == 0 {
		return 0
	}
	return sum * sum / square
}

// supported is the share of the batch whose odds are at most those of all but a hundredth of the
// context.
func supported(context, batch []float64) float64 {
	sorted := slices.Sorted(slices.Values(context))
	edge := sorted[len(sorted)-1-int(supportTail*float64(len(sorted)))]
	within := 0
	for _, v := range batch {
		if v <= edge {
			within++
		}
	}
	return float64(within) / float64(len(batch))
}
