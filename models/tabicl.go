package models

import (
	"fmt"
	"slices"
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
			return fmt.Errorf("ensemble.norms: %q is not known (known: none, power)", norm)
		}
		if slices.Contains(e.Norms[:i], norm) {
			return fmt.Errorf("ensemble.norms: %q appears twice", norm)
		}
	}
	if e.Shuffle != "latin" {
		return fmt.Errorf("ensemble.shuffle %q is not known (known: latin)", e.Shuffle)
	}
	if !(e.OutlierThreshold >= 2 && e.OutlierThreshold <= 1000) {
		return fmt.Errorf("ensemble.outlier_threshold %g is outside 2..1000", e.OutlierThreshold)
	}
	return nil
}
