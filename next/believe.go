package next

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/joint"
)

// MostRows is the number of candidates that beliefs are made about at most.
const MostRows = 2000

// Draws is the number of joint draws that rows are correlated by.
const Draws = 1000

// middle are the levels of quantiles that are one standard deviation from the median of a normal.
var middle = [2]float64{0.15865525393145707, 0.8413447460685429}

// Believe makes beliefs about the rows of answers, one after another, from a predictor that is
// asked for the mean first: as wide as its credible interval. The noise of a measurement is taken
// to be the same everywhere: the least spread of the label that the network sees at any row.
func Believe(
	ctx context.Context, p *pfnamp.Predictor, answers ...*pfnamp.Answer,
) (Beliefs, error) {
	var b Beliefs
	coupling, err := joint.Couple(p, 0)
	if err != nil {
		return b, err
	}
	coupling.RanksOnly = true
	unit, noise := 2*distuv.UnitNormal.Quantile((1+p.Question().Level)/2), math.Inf(1)
	for _, a := range answers {
		rows, err := coupling.Rows(ctx, a, 0, a.Rows())
		if err != nil {
			return b, err
		}
		for i, row := range rows {
			mean, ppd := a.Posteriors[0].Estimates[0][i], a.Predictions[i].PPD
			b.Mean = append(b.Mean, mean.Point)
			b.Spread = append(b.Spread, (mean.Hi-mean.Lo)/unit)
			b.Scores = append(b.Scores, scores(row.Ranks))
			noise = math.Min(noise, (ppd.Quantile(middle[1])-ppd.Quantile(middle[0]))/2)
		}
	}
	b.Noise = slices.Repeat([]float64{noise}, len(b.Mean))
	return b, nil
}

// scores are standard normal scores of ranks.
func scores(ranks []int) []float64 {
	z, squares := make([]float64, len(ranks)), 0.0
	for i, rank := range ranks {
		z[i] = distuv.UnitNormal.Quantile((float64(rank) + 0.5) / float64(len(ranks)))
		squares += z[i] * z[i]
	}
	size := math.Sqrt(squares / float64(len(z)))
	for i := range z {
		z[i] /= size
	}
	return z
}
