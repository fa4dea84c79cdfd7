package next

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/folds"
	"github.com/pfnamp/pfnamp/internal/kriging"
	"github.com/pfnamp/pfnamp/pfn"
)

// foldCount is the number of folds of the cross-validation that compares the models.
const foldCount = 5

// weigh returns the weight of the Gaussian process beside the network. Both predict the rows of the
// context in cross-validation, and the weight makes the mixture of their predictions as likely as
// it can be (stacking: Yao, Vehtari, Simpson and Gelman 2018).
func weigh(ctx context.Context, p *pfnamp.Predictor) (float64, error) {
	known := p.Fitted().ContextRows()
	n := known.X.Rows
	if n < 2*foldCount {
		return 0.5, nil
	}
	plan := folds.Plan{Count: foldCount, Seed: p.Question().Seed, Strata: make([]int, n)}
	parts, err := plan.Folds()
	if err != nil {
		return 0, err
	}
	space := kriging.NewSpace(known.X, known.Categorical)
	var network, process []float64 // logarithms of densities
	for _, part := range parts {
		read, held := known.Take(part.Read), known.Take(part.Held)
		predictions, err := predict(ctx, p, read, held)
		if err != nil {
			return 0, err
		}
		fitted := kriging.Fit(space, read.X, read.Y)
		at, noise := fitted.At(held.X), fitted.Noise()
		for i, y := range held.Y {
			ppd := predictions[i].PPD
			network = append(network, logDensity(y, ppd.Mean(), spread(ppd)))
			process = append(process, logDensity(y, at.Mean[i], math.Hypot(at.Spread[i], noise)))
		}
	}
	return stacked(network, process), nil
}

// predict reads some rows of the context and predicts others.
func predict(
	ctx context.Context, p *pfnamp.Predictor, read, held pfn.Training,
) (_ []amp.Prediction, err error) {
	fitted, err := p.Fitted().Part(ctx, read)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, fitted.Close()) }()
	asked, err := fitted.Prepare(ctx, p.Question())
	if err != nil {
		return nil, err
	}
	answers, err := asked.Answers(ctx, asked.Encoded(held.X))
	if err != nil {
		return nil, err
	}
	return answers[0].Predictions, nil
}

// spread returns half the distance of two quantiles. In a normal distribution they lie one standard
// deviation from the median.
func spread(d amp.PPD) float64 {
	return (d.Quantile(distuv.UnitNormal.CDF(1)) - d.Quantile(distuv.UnitNormal.CDF(-1))) / 2
}

// logDensity is the logarithm of a normal density, up to a constant.
func logDensity(y, mean, spread float64) float64 {
	spread = max(spread, math.SmallestNonzeroFloat64)
	z := (y - mean) / spread
	return -z*z/2 - math.Log(spread)
}

// stacked returns the weight of the second of two predictions from their log densities by row. It
// is the mode of the posterior under a Beta(2, 2) prior, by expectation and maximisation.
func stacked(first, second []float64) float64 {
	w := 0.5
	for range 1000 {
		sum := 1.0
		for i, f := range first {
			odds := w / (1 - w) * math.Exp(min(500, second[i]-f))
			sum += odds / (1 + odds)
		}
		next := sum / float64(len(first)+2)
		if math.Abs(next-w) < 1e-9 {
			return next
		}
		w = next
	}
	return w
}
