package models

import "fmt"

// Tasks of a bundle.
const (
	RegressionTask     = "regression"     // the target is a number
	ClassificationTask = "classification" // the target is a class
)

// Classification is what only bundles of that task say.
type Classification struct {
	// Shuffle is the order of the classes that a member reads: "shift", which is every rotation.
	Shuffle string `json:"shuffle"`
	// Average is what is averaged over the members: "logits".
	Average string `json:"average"`
	// Temperature divides the averaged logits.
	Temperature float64 `json:"temperature"`
}

// Classifier reports whether the task is classification.
func (m *Manifest) Classifier() bool { return m.Task == ClassificationTask }

// checkClasses checks the part of classification bundles.
func (m *Manifest) checkClasses() error {
	c := m.Classes
	switch {
	case !m.Classifier() && c == nil:
		return nil
	case !m.Classifier():
		return fmt.Errorf("classification is given for the task %q", m.Task)
	case c == nil:
		return fmt.Errorf("classification is missing for the task %q", m.Task)
	case c.Shuffle != "shift":
		return fmt.Errorf("classification.shuffle %q is not known (known: shift)", c.Shuffle)
	case c.Average != "logits":
		return fmt.Errorf("classification.average %q is not known (known: logits)", c.Average)
	case !(c.Temperature >= 0.01 && c.Temperature <= 100):
		return fmt.Errorf("classification.temperature %g is outside 0.01..100", c.Temperature)
	}
	return nil
}
