package models

import (
	"cmp"
	"fmt"
	"math"
)

// Surface describes the second output of the network: for every row the posterior of the quantile
// function Q of the noise-free conditional distribution, and of its mean. The network has learned
// it on synthetic tables, where both are known. Entry (k, j) of a row is the quantile of level
// PosteriorLevels[j] of the posterior of Q(Levels[k]), k = 0..K-1. Entry (K, j) is that quantile of
// the posterior of E[y | x]. All are in standardised units of the target.
type Surface struct {
	// Levels are the levels u of the quantiles Q(u), 1 to 99, ascending in (0, 1).
	Levels []float64 `json:"levels"`
	// PosteriorLevels are the levels τ of their posteriors, 2 to 99, ascending in (0, 1).
	PosteriorLevels []float64 `json:"posterior_levels"`
	// Scale calibrates the ensemble, whose average of members covers too much: the posterior level
	// τ is read at Φ(Scale Φ^-1(τ)). Positive and at most 4.
	Scale float64 `json:"scale"`
}

func (m *Manifest) checkSurface() error {
	s := m.Surface
	switch {
	case s == nil:
		return nil
	case m.Head.Kind != QuantileHead:
		return fmt.Errorf("surface is given for head.kind %q", m.Head.Kind)
	}
	return cmp.Or(checkScale("surface.scale", s.Scale), checkLevels("surface.levels", s.Levels, 1),
		checkLevels("surface.posterior_levels", s.PosteriorLevels, 2))
}

func checkScale(field string, scale float64) error {
	if !(scale > 0 && scale <= 4) {
		return fmt.Errorf("%s %g is not in (0, 4]", field, scale)
	}
	return nil
}

// checkLevels checks that there are least to 99 levels, ascending in (0, 1).
func checkLevels(field string, levels []float64, least int) error {
	if len(levels) < least || len(levels) > 99 {
		return fmt.Errorf("%s: the number of levels %d is outside %d..99", field, len(levels), least)
	}
	last := 0.0
	for i, u := range levels {
		if !(u > last && u < 1) {
			return fmt.Errorf("%s[%d] is %g, but levels must ascend in (0, 1)", field, i, u)
		}
		last = u
	}
	return nil
}

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

func (m *Manifest) checkClassPosterior() error {
	p := m.ClassPosterior
	switch {
	case p == nil:
		return nil
	case m.Head.Kind != ClassHead:
		return fmt.Errorf("class_posterior is given for head.kind %q", m.Head.Kind)
	case m.Head.Levels > 99:
		return fmt.Errorf("class_posterior needs head.levels of at most 99, not %d", m.Head.Levels)
	}
	const field = "class_posterior.posterior_levels"
	err := cmp.Or(checkScale("class_posterior.scale", p.Scale),
		checkLevels(field, p.PosteriorLevels, 2))
	if err != nil {
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
