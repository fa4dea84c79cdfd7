package explain

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/pfn"
)

// The names of the scores.
const (
	CRPS    = "CRPS"     // for numbers, in units of the target
	LogLoss = "log loss" // for classes, in nats
)

// scores are those of one row, smaller is better.
type scores struct {
	mixed  float64 // of the mean of the distributions of what stands for the row
	single float64 // mean of the scores of each of them
	spent  float64 // loss of the mixed distribution in the measure of Explained
}

// score judges predictions.
type score interface {
	name() string
	// stratum is what folds hold in like shares.
	stratum(y float64) int
	// predict returns the distributions of the labels of rows.
	predict(ctx context.Context, c *pfn.Context, x pfn.Matrix) ([]amp.PPD, error)
	// baseline is the loss, that of scores.spent, of predictions that know rows and no column.
	baseline(rows pfn.Training) func(y float64) float64
	// of scores distributions with weights of sum 1 at a label.
	of(ppds []amp.PPD, weights []float64, y float64) scores
}

// logScore is the log loss of classes.
type logScore struct{ classes int }

// leastShare bounds the probability of a class in log losses.
const leastShare = 1e-4

func (logScore) name() string          { return LogLoss }
func (logScore) stratum(y float64) int { return int(y) }

func (logScore) predict(
	ctx context.Context, c *pfn.Context, x pfn.Matrix,
) ([]amp.PPD, error) {
	rows, err := c.PredictClasses(ctx, x)
	out := make([]amp.PPD, len(rows))
	for i, row := range rows {
		out[i] = distr.Classes(row)
	}
	return out, err
}

func (s logScore) baseline(rows pfn.Training) func(y float64) float64 {
	shares := make([]float64, s.classes)
	for _, y := range rows.Y {
		shares[int(y)] += 1 / float64(len(rows.Y))
	}
	return func(y float64) float64 { return logLoss(shares[int(y)]) }
}

func (logScore) of(ppds []amp.PPD, weights []float64, y float64) (out scores) {
	p := 0.0
	for k, ppd := range ppds {
		of := ppd.(distr.Classes)[int(y)]
		p += weights[k] * of
		out.single += weights[k] * logLoss(of)
	}
	out.mixed = logLoss(p)
	out.spent = out.mixed
	return out
}

func logLoss(p float64) float64 { return -math.Log(max(p, leastShare)) }

// crpsScore is the CRPS of numbers with a support.
type crpsScore struct{ support amp.Support }

// crpsLevels is the number of quantiles by which a distribution is scored.
const crpsLevels = 64

func (crpsScore) name() string        { return CRPS }
func (crpsScore) stratum(float64) int { return 0 }

func (s crpsScore) predict(
	ctx context.Context, c *pfn.Context, x pfn.Matrix,
) ([]amp.PPD, error) {
	rows, err := c.Predict(ctx, x)
	out := make([]amp.PPD, len(rows))
	for i, row := range rows {
		out[i] = s.support.PPD(row)
	}
	return out, err
}

func (crpsScore) baseline(rows pfn.Training) func(y float64) float64 {
	mean := 0.0
	for _, y := range rows.Y {
		mean += y / float64(len(rows.Y))
	}
	return func(y float64) float64 { return (y - mean) * (y - mean) }
}

func (crpsScore) of(ppds []amp.PPD, weights []float64, y float64) (out scores) {
	var levels, quantiles [crpsLevels]float64
	for i := range levels {
		levels[i] = (float64(i) + 0.5) / crpsLevels
	}
	points, mean := make([]weighed, 0, len(ppds)*crpsLevels), 0.0
	for k, ppd := range ppds {
		amp.Quantiles(ppd, quantiles[:], levels[:])
		first := len(points)
		for _, q := range quantiles {
			points = append(points, weighed{q, weights[k] / crpsLevels})
			mean += weights[k] / crpsLevels * q
		}
		out.single += crps(points[first:], weights[k], y)
	}
	out.mixed = out.single
	if len(ppds) > 1 {
		slices.SortFunc(points, func(a, b weighed) int { return cmp.Compare(a.at, b.at) })
		out.mixed = crps(points, 1, y)
	}
	out.spent = (y - mean) * (y - mean)
	return out
}

// weighed is a value with its probability.
type weighed struct{ at, weight float64 }

// crps is the continuous ranked probability score E|Y - y| - E|Y - Y'|/2 of a distribution on
// ascending points, whose weights have the sum total, times total.
func crps(points []weighed, total, y float64) float64 {
	sum, below := 0.0, 0.0
	for _, p := range points {
		sum += p.weight * (math.Abs(p.at-y) - p.at*(2*(below+p.weight/2)/total-1))
		below += p.weight
	}
	return sum
}
