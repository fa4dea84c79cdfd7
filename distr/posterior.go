package distr

import "math"

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
// mass. If no feature varies (pfn.Context.Marginal), every Q(u) has the confidence distribution of
// that quantile of a sample, and the mean that of Student's t.
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
	// Scale calibrates, see models.Surface: read a limit of the level τ at Φ(Scale Φ^-1(τ)). A
	// Scale below 1 narrows intervals; 0 means 1, which it is if no network was needed.
	Scale float64
}

// ClassPosterior is the posterior of the class probabilities p_k(x) at one query row. It describes
// the uncertainty about the probabilities, not the label. Its quantiles at (1-l)/2 and (1+l)/2 are
// a credible interval of level l for the probability of a class.
//
// Quantiles are in [0, 1] and ascend with the level. Their mean, with the weights of
// [ClassPosterior.Mean], is the predicted probability, so the means of all classes sum to 1. With
// two classes, one is the mirror image of the other: q_1j = 1 - q_0,J-1-j.
//
// With o_bkj the sorted offsets of member b for class k, s the scale of the bundle and Φ the normal
// distribution function,
//
//	q_kj = 1/(1 + exp(-(a_k + ō_k(Φ(s Φ^-1(τ_j)))))),  ō_k(τ_j) = (1/B) Σ_b o_bkj
//
// Offsets are linear in Φ^-1(τ) between the levels, and constant beyond the outermost ones. The
// number a_k makes p_k the mean of the posterior. If no feature varies, a class with n_k of n rows
// has Beta(n_k, n-n_k).
//
// Do not change slices while a posterior is in use: rows share the levels.
type ClassPosterior struct {
	Levels    []float64   // J levels τ, ascending in (0, 1), symmetric about 1/2
	Quantiles [][]float64 // [k][j]: the quantile of level Levels[j] of the posterior of p_k
}

// LevelWeights divides (0, 1) among levels: each gets the part that is nearest to it. The mean of a
// posterior is that of its quantiles with these weights.
func LevelWeights(levels []float64) []float64 {
	weights, from := make([]float64, len(levels)), 0.0
	for j := range levels {
		to := 1.0
		if j+1 < len(levels) {
			to = (levels[j] + levels[j+1]) / 2
		}
		weights[j], from = to-from, to
	}
	return weights
}

// Anchored returns the posterior at these levels whose quantiles have the log odds a_k +
// offsets[k][j]. The offsets of a class ascend, and a_k makes p_k the mean of its posterior.
func Anchored(levels []float64, offsets [][]float64, p Classes) *ClassPosterior {
	posterior := &ClassPosterior{Levels: levels, Quantiles: make([][]float64, len(p))}
	weights := LevelWeights(levels)
	for k, row := range offsets {
		a, quantiles := anchor(row, weights, p[k]), make([]float64, len(row))
		for j, o := range row {
			quantiles[j] = Logistic(a + o)
		}
		posterior.Quantiles[k] = quantiles
	}
	return posterior
}

// LogOdds returns log(p / (1-p)) of a probability, at least 1e-12 away from 0 and 1.
func LogOdds(p float64) float64 {
	p = math.Max(nearCertain, math.Min(1-nearCertain, p))
	return math.Log(p) - math.Log1p(-p)
}

// Logistic returns 1 / (1 + exp(-z)), the probability with the log odds z.
func Logistic(z float64) float64 { return 1 / (1 + math.Exp(-z)) }

// nearCertain is the least distance of a probability from 0 and 1 for which anchor solves.
const nearCertain = 1e-12

// anchor returns the number a at which Logistic(a + offset) has the weighted mean p. It uses
// Newton's method inside a bracket; offsets ascend.
func anchor(offsets, weights []float64, p float64) float64 {
	z := LogOdds(p)
	low, high := z-offsets[len(offsets)-1], z-offsets[0]
	a := (low + high) / 2
	for range 100 {
		mean, slope := 0.0, 0.0
		for j, o := range offsets {
			q := Logistic(a + o)
			mean += weights[j] * q
			slope += weights[j] * q * (1 - q)
		}
		if mean < p {
			low = a
		} else {
			high = a
		}
		next := a - (mean-p)/slope
		if !(next > low && next < high) {
			next = (low + high) / 2
		}
		if math.Abs(next-a) <= 1e-12*(1+math.Abs(a)) {
			return next
		}
		a = next
	}
	return a
}
