package pfn

import "github.com/pfnamp/pfnamp/models"

// Surface is the posterior of the quantile function Q of the noise-free conditional distribution of
// the target at one query row, and of its mean, in units of the target. It describes the
// uncertainty about Q(u), not the label. The quantiles at (1-l)/2 and (1+l)/2 of the posterior of
// Q(u) are a credible interval of level l for the quantile of level u.
//
// By {Q(u) <= t} = {F(t) >= u}, F the distribution function, the posterior of Q(u) is also the
// posterior of the probability of y <= t: P(F(t) >= u) = P(Q(u) <= t).
//
// The network has learned it on synthetic tables, where Q and the mean are known. So it includes
// the network's own error, as far as the synthetic tables resemble the real one. Every member is
// sorted along both axes, and members are averaged entry by entry. A constant target has a point
// mass. If no feature varies (Context.Marginal), every Q(u) has the confidence distribution of that
// quantile of a sample, and the mean that of Student's t.
//
// Do not change slices while a surface is in use: rows share the levels.
type Surface struct {
	Levels          []float64 // K levels u of Q, ascending in (0, 1)
	PosteriorLevels []float64 // J levels τ of the posteriors, ascending in (0, 1)
	// Quantiles[k][j] is the quantile of level PosteriorLevels[j] of the posterior of
	// Q(Levels[k]); it ascends in k and in j.
	Quantiles [][]float64
	// Mean[j] is the quantile of level PosteriorLevels[j] of the posterior of E[y | x]; it ascends.
	Mean []float64
	// Scale calibrates, see models.Surface: read a limit of the level τ at Φ(Scale Φ^-1(τ)). It is
	// 1 if no network was needed.
	Scale float64
}

// surfaceOf returns the head of the posterior of the quantile function and the mean.
func surfaceOf(m *models.Manifest) head {
	if m.Surface == nil {
		return nil
	}
	return surfaceHead{m.Surface.Levels, m.Surface.PosteriorLevels, m.Surface.Scale}
}
