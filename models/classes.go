package models

import (
	"fmt"
	"slices"
	"strings"
)

// Tasks of a bundle.
const (
	RegressionTask     = "regression"     // the target is a number
	ClassificationTask = "classification" // the target is a class
)

// Values of Classification.Shuffle: the order of the classes that a member reads.
const (
	ShiftClasses   = "shift"   // every rotation, for TabICL
	ShuffleClasses = "shuffle" // random orders, for TabPFN like the two below
	RotateClasses  = "rotate"  // random rotations
	KeepClasses    = "none"    // original order
)

// Values of Classification.Average: what is averaged over the members.
const (
	AverageLogits        = "logits"
	AverageProbabilities = "probabilities" // for TabPFN
)

// Classification is the part of a manifest for classifiers only.
type Classification struct {
	Shuffle string `json:"shuffle"` // ShiftClasses or another of these
	Average string `json:"average"` // AverageLogits or AverageProbabilities
	// Temperature divides the logits.
	Temperature float64 `json:"temperature"`
	// Balanced reports that probabilities are divided by the shares of the classes in the context,
	// for TabPFN.
	Balanced bool `json:"balanced,omitempty"`
}

// classRules are the values of Classification that a family allows.
type classRules struct {
	shuffles, averages []string
	balanced           bool
}

// Classifier reports whether the task is classification.
func (m *Manifest) Classifier() bool { return m.Task == ClassificationTask }

// checkClasses checks the part of a manifest for classifiers.
func (m *Manifest) checkClasses() error {
	c, rules := m.Classes, families[m.Family].classes
	switch {
	case !m.Classifier() && c == nil:
		return nil
	case !m.Classifier():
		return fmt.Errorf("classification is given for the task %q", m.Task)
	case c == nil:
		return fmt.Errorf("classification is missing for the task %q", m.Task)
	case !slices.Contains(rules.shuffles, c.Shuffle):
		return fmt.Errorf("classification.shuffle %q is not known (known: %s)", c.Shuffle,
			strings.Join(rules.shuffles, ", "))
	case !slices.Contains(rules.averages, c.Average):
		return fmt.Errorf("classification.average %q is not known (known: %s)", c.Average,
			strings.Join(rules.averages, ", "))
	case c.Balanced && !rules.balanced:
		return fmt.Errorf("classification.balanced is given for the family %q", m.Family)
	case !(c.Temperature >= 0.01 && c.Temperature <= 100):
		return fmt.Errorf("classification.temperature %g is outside 0.01..100", c.Temperature)
	}
	return nil
}
