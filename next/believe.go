package next

import (
	"context"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/internal/kriging"
	"github.com/pfnamp/pfnamp/joint"
)

// MostRows is the largest number of candidates.
const MostRows = 2000

// Draws is the number of joint draws from which correlations of rows are computed.
const Draws = 1000

// settingDraws is the number of settings of a Gaussian process that a search averages over.
const settingDraws = 8

// Believe returns beliefs about the rows of all answers, in their order. For a minimum, a maximum
// or a target it uses Gaussian processes alone. For learning it weighs the network and a Gaussian
// process by how well they predict unread rows. The first functional of the predictor must be the
// mean, and its context must keep its rows.
func Believe(
	ctx context.Context, p *pfnamp.Predictor, opt Options, answers ...*pfnamp.Answer,
) ([]Beliefs, error) {
	known := p.Fitted().ContextRows()
	x := rowsOf(answers, known.X.Cols)
	// The spread of a column over all rows is its unit.
	space := kriging.NewSpace(x, known.Categorical)
	if opt.Goal.Aim != Learn { // few rows do not fix the lengths, the scale and the noise
		drawn := kriging.Draws(space, known.X, known.Y, settingDraws, p.Question().Seed)
		all := make([]Beliefs, len(drawn))
		for i, process := range drawn {
			all[i] = believeProcess(process, x, 1/float64(len(drawn)))
		}
		return all, nil
	}
	network, err := believeNetwork(ctx, p, answers)
	if err != nil {
		return nil, err
	}
	weight, err := weigh(ctx, p)
	if err != nil {
		return nil, err
	}
	network.Weight = 1 - weight
	likeliest := kriging.Fit(space, known.X, known.Y)
	return []Beliefs{network, believeProcess(likeliest, x, weight)}, nil
}

// believeNetwork returns the belief of the network. Its spread comes from the credible interval of
// the mean, its correlations from package joint. The noise of a measurement is the same everywhere:
// the least spread of the label that the network predicts for any row.
func believeNetwork(
	ctx context.Context, p *pfnamp.Predictor, answers []*pfnamp.Answer,
) (Beliefs, error) {
	b := Beliefs{Noise: math.Inf(1)}
	coupling, err := joint.Couple(p, 0)
	if err != nil {
		return b, err
	}
	coupling.RanksOnly = true
	unit := 2 * distuv.UnitNormal.Quantile((1+p.Question().Level)/2)
	var draws [][]float64
	for _, a := range answers {
		rows, err := coupling.Rows(ctx, a, 0, a.Rows())
		if err != nil {
			return b, err
		}
		for i, row := range rows {
			mean := a.Posteriors[0].Estimates[0][i]
			b.Mean = append(b.Mean, mean.Point)
			b.Spread = append(b.Spread, (mean.Hi-mean.Lo)/unit)
			b.Noise = math.Min(b.Noise, spread(a.Predictions[i].PPD))
			draws = append(draws, scores(row.Ranks[0]))
		}
	}
	b.Correlation = func(i, j int) float64 { return correlation(draws[i], draws[j]) }
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

// correlation returns the mean product of standard scores.
func correlation(a, b []float64) float64 {
	sum := 0.0
	for k, v := range a {
		sum += v * b[k]
	}
	return max(-1, min(1, sum/float64(len(a))))
}
