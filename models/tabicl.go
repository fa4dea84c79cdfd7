package models

import (
	"cmp"
	"fmt"
	"slices"
)

// Orders of the features and turns of the norms in the members of a TabICL bundle. The orders are
// the rows of a random Latin square.
const (
	ShuffleLatin    = "latin"          // every order with all norms, then the next: the reference
	ShuffleDiagonal = "latin_diagonal" // the next member has the next order and the next norm
)

func (m *Manifest) checkEnsemble() error {
	e := m.Ensemble
	if len(e.Norms) == 0 {
		return fmt.Errorf("ensemble.norms is empty")
	}
	for i, norm := range e.Norms {
		if err := known("ensemble.norms:", norm, "none", "power"); err != nil {
			return err
		}
		if slices.Contains(e.Norms[:i], norm) {
			return fmt.Errorf("ensemble.norms: %q appears twice", norm)
		}
	}
	for _, trend := range e.Trends {
		if err := known("ensemble.trends:", trend, "none", "linear", "kernel"); err != nil {
			return err
		}
	}
	if len(e.Trends) > 16 || len(e.Trends) > 0 && e.Shuffle != ShuffleDiagonal {
		return fmt.Errorf("ensemble.trends: at most 16 are possible, and only with the shuffle %s",
			ShuffleDiagonal)
	}
	return cmp.Or(within("ensemble.members", e.Members, 1, 1024),
		known("ensemble.shuffle", e.Shuffle, ShuffleLatin, ShuffleDiagonal),
		inRange("ensemble.outlier_threshold", e.OutlierThreshold, 2, 1000))
}
