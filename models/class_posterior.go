package models

import (
	"fmt"
	"math"
)

// ClassPosterior describes the second output of a classifier: for every row and class k the shape
// of the posterior of the unknown probability p_k(x). The network has learned it on synthetic
// tables, where p_k is known. Entry (k, j) of a row is an offset on the logit scale, for the
// quantile of level PosteriorLevels[j]. The location follows from the predicted probability, which
// is the posterior's mean. See docs/design/posterior.md.
type ClassPosterior struct {
	// PosteriorLevels are the levels τ of the quantiles, 2 to 99, ascending in (0, 1) and symmetric
	// about 1/2, because two classes are each other's mirror image.
	PosteriorLevels []float64 `json:"posterior_levels"`
	// Scale calibrates like Surface.Scale: offsets are read at Φ(Scale Φ^-1(τ)). Positive and at
	// most 4.
	Scale float64 `json:"scale"`
}

// checkClassPosterior checks the posterior of class probabilities in a manifest.
func (m *Manifest) checkClassPosterior() error {
	p := m.ClassPosterior
	switch {
	case p == nil:
		return nil
	case m.Head.Kind != ClassHead:
		return fmt.Errorf("class_posterior is given for head.kind %q", m.Head.Kind)
	case m.Head.Levels > 99:
		return fmt.Errorf("class_posterior needs head.levels of at most 99, not %d", m.Head.Levels)
	case !(p.Scale > 0 && p.Scale <= 4):
		return fmt.Errorf("class_posterior.scale %g is not in (0, 4]", p.Scale)
	}
	const field = "class_posterior.posterior_levels"
	if err := checkLevels(field, p.PosteriorLevels, 2); err != nil {
		return err
	}
	last := len(p.PosteriorLevels) - 1
	for j, tau := range p.PosteriorLevels {
		if other := p.PosteriorLevels[last-j]; math.Abs(tau+other-1) > 1e-9 {
			return fmt.Errorf("%s: %g and %g are not symmetric about 0.5", field, tau, other)
		}
	}
	return nil
}
