package amp

// ClassPosterior is a model's own posterior of the class probabilities p_k(x) at one row, without
// chains. The point estimate of p_k is the posterior mean, which is the predicted probability, so
// the point estimates of all classes sum to 1. A ClassPosterior is immutable and safe for
// concurrent use.
type ClassPosterior struct {
	PosteriorLevels []float64   // τ_j, ascending in (0, 1)
	Quantiles       [][]float64 // [k][j], posterior quantile of level τ_j of p_k, ascending in j
}

// Of implements [Own] for the functional [Class]; it returns nil for every other functional.
// Between the levels, quantiles are linear in Φ^-1(τ). Beyond the outermost levels, Of returns the
// outermost quantile.
func (c *ClassPosterior) Of(f Functional) Marginal {
	p, ok := f.(Probability)
	if !ok {
		return nil
	}
	if k, ok := p.class(len(c.Quantiles)); ok {
		return classProbability{c, k}
	}
	return nil
}

// classProbability is the posterior of the probability of a class.
type classProbability struct {
	*ClassPosterior
	k int
}

func (c classProbability) Quantile(tau float64) float64 {
	return place(c.PosteriorLevels, normalQuantile(tau)).of(c.Quantiles[c.k])
}
