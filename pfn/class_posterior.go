package pfn

import "github.com/pfnamp/pfnamp/models"

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

// Mean returns the mean of the posterior of the probability of class k, the weighted mean of its
// quantiles. A quantile weighs as much as the levels next to it; the ends also weigh the levels up
// to 0 and 1.
func (p *ClassPosterior) Mean(k int) float64 {
	mean := 0.0
	for j, w := range levelWeights(p.Levels) {
		mean += w * p.Quantiles[k][j]
	}
	return mean
}

// levelWeights divides (0, 1) among levels: each gets the part that is nearest to it.
func levelWeights(levels []float64) []float64 {
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

// classPosteriorOf returns the head of the posterior of class probabilities.
func classPosteriorOf(m *models.Manifest) head {
	p := m.ClassPosterior
	if p == nil {
		return nil
	}
	return classPosteriorHead{m.Head.Levels, p.PosteriorLevels, levelWeights(p.PosteriorLevels),
		p.Scale}
}
