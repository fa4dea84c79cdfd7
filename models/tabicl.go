package models

import (
	"fmt"
	"slices"
)

// Orders of the features and turns of the norms in the members of a TabICL bundle. The orders are
// the rows of a random Latin square.
const (
	ShuffleLatin    = "latin"          // every order with all norms, then the next: the reference
	ShuffleDiagonal = "latin_diagonal" // the next member has the next order and the next norm
)

// checkEnsemble checks the ensemble of a TabICL bundle.
func (m *Manifest) checkEnsemble() error {
	e := m.Ensemble
	if e.Members < 1 || e.Members > 1024 {
		return fmt.Errorf("ensemble.members %d is outside 1..1024", e.Members)
	}
	if len(e.Norms) == 0 {
		return fmt.Errorf("ensemble.norms is empty")
	}
	for i, norm := range e.Norms {
		if norm != "none" && norm != "power" {
			return fmt.Errorf("ensemble.norms: %q is unknown (known: none, power)", norm)
		}
		if slices.Contains(e.Norms[:i], norm) {
			return fmt.Errorf("ensemble.norms: %q appears twice", norm)
		}
	}
	if e.Shuffle != ShuffleLatin && e.Shuffle != ShuffleDiagonal {
		return fmt.Errorf("ensemble.shuffle %q is unknown (known: %s, %s)", e.Shuffle, ShuffleLatin,
			ShuffleDiagonal)
	}
	for _, trend := range e.Trends {
		if trend != "none" && trend != "linear" && trend != "kernel" {
			return fmt.Errorf("ensemble.trends: %q is unknown (known: none, linear, kernel)", trend)
		}
	}
	if len(e.Trends) > 16 || len(e.Trends) > 0 && e.Shuffle != ShuffleDiagonal {
		return fmt.Errorf("ensemble.trends: at most 16 are possible, and only with the shuffle %s",
			ShuffleDiagonal)
	}
	if !(e.OutlierThreshold >= 2 && e.OutlierThreshold <= 1000) {
		return fmt.Errorf("ensemble.outlier_threshold %g is outside 2..1000", e.OutlierThreshold)
	}
	return nil
}
