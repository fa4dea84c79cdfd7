package pfn

import (
	"context"

	"github.com/pfnamp/pfnamp/models"
)

// Direct reports whether the network has a second output, the posterior of the noise-free
// conditional median, which PredictMedian returns.
func (m *Model) Direct() bool { return m.bundle.Manifest.Direct != nil }

// PredictMedian returns for every query row, from one run of the network, the predictive
// distribution of the label, as Predict does, and the posterior of the median of the noise-free
// conditional distribution: the network has learned it on synthetic tables, where that median is
// known. The second is what is unknown about the function; its quantiles at (1-l)/2 and (1+l)/2
// are a credible interval of level l. It does not shrink to a point where the network has seen
// that functions differ from what their tables show, so it includes the network's own bias as far
// as the synthetic tables are like the real one.
//
// A constant target has a point mass. Where no feature varies (Marginal), the posterior is the
// confidence distribution of the median of a sample. Both distributions are in units of the
// target. The error is a *NoDirectError if the model has no such output, or one of Predict.
func (c *Context) PredictMedian(
	ctx context.Context, x Matrix,
) (ppds []PPD, medians []*Quantiles, err error) {
	if !c.model.Direct() {
		return nil, nil, &NoDirectError{Model: c.model.name()}
	}
	results, err := c.predict(ctx, x, 2)
	if err != nil {
		return nil, nil, err
	}
	return listed[PPD](results[0]), listed[*Quantiles](results[1]), nil
}

// medianOf is the head of the posterior of the median.
func medianOf(m *models.Manifest) head {
	if m.Direct == nil {
		return nil
	}
	return quantileHead{models.MedianOutput, m.Direct.Levels, sampleMedian}
}
