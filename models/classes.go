package models

import (
	"cmp"
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

func (m *Manifest) checkClasses() error {
	c, rules := m.Classes, families[m.Family].classes
	switch {
	case !m.Classifier() && c == nil:
		return nil
	case !m.Classifier():
		return fmt.Errorf("classification is given for the task %q", m.Task)
	case c == nil:
		return fmt.Errorf("classification is missing for the task %q", m.Task)
	case c.Balanced && !rules.balanced:
		return fmt.Errorf("classification.balanced is given for the family %q", m.Family)
	}
	return cmp.Or(known("classification.shuffle", c.Shuffle, rules.shuffles...),
		known("classification.average", c.Average, rules.averages...),
		inRange("classification.temperature", c.Temperature, 0.01, 100))
}

// Names of the graphs with which a TabICL classifier handles more classes than it has outputs. A
// bundle has them if Limits.MaxClasses is set and ReadsNodes is false.
//
//	rows_context  X_train [1,N,H], y_train [D,N] digits of a class -> colkv.i [D,H,..], rows [1,N,E]
//	rows_query    X_test [1,M,H], colkv.i -> rows [1,M,E]
//	icl_context   rows [1,n,E] and y_train [1,n] of a node -> iclkv.i [1,heads,n,size]
//	icl_query     rows [1,M,E], iclkv.i -> outputs of the query graph
const (
	RowsContextGraph = "rows_context"
	RowsQueryGraph   = "rows_query"
	ICLContextGraph  = "icl_context"
	ICLQueryGraph    = "icl_query"
)

// RowsTensor is the name of the rows between these graphs.
const RowsTensor = "rows"

// maxClassLimit is the largest limit of classes in a manifest.
const maxClassLimit = 10_000

// Hierarchical reports whether the model handles more classes than its network has outputs, by
// a tree of groups of classes.
func (m *Manifest) Hierarchical() bool { return m.Limits.MaxClasses > 0 }

// ReadsNodes reports whether the network, one with a posterior of its own, reads every node of the
// tree as a table of few classes. Others have graphs for the tree.
func (m *Manifest) ReadsNodes() bool { return m.ClassPosterior != nil }

// MostClasses returns the largest number of classes of the model, 0 of a regressor.
func (m *Manifest) MostClasses() int {
	if !m.Classifier() {
		return 0
	}
	return max(m.Head.Levels, m.Limits.MaxClasses)
}

// checkMaxClasses checks that only a classifier has a limit of classes, and only in the family that
// handles more classes than outputs.
func (m *Manifest) checkMaxClasses() error {
	most := m.Limits.MaxClasses
	switch {
	case most == 0:
		return nil
	case m.Family != TabICLFamily || !m.Classifier():
		return fmt.Errorf("limits.max_classes is given for the task %q of the family %q", m.Task,
			m.Family)
	}
	return within("limits.max_classes", most, m.Head.Levels+1, maxClassLimit)
}

// graphNames returns the required graphs of the bundle, the context graph first.
func (m *Manifest) graphNames() []string {
	names := []string{ContextGraph, QueryGraph}
	if m.Hierarchical() && !m.ReadsNodes() {
		names = append(names, RowsContextGraph, RowsQueryGraph, ICLContextGraph, ICLQueryGraph)
	}
	return names
}

// ports returns the names of a graph's inputs and outputs. cache names the outputs of the context
// graph for the query graph.
func (m *Manifest) ports(graph string, cache []string) (inputs, outputs []string) {
	ofRows := func(name string) bool { return !strings.HasPrefix(name, columnBlocks) }
	columns := slices.DeleteFunc(slices.Clone(cache), ofRows)
	blocks := cache[len(columns):]
	switch graph {
	case QueryGraph:
		return append([]string{"X_test"}, cache...), m.outputs()
	case RowsContextGraph:
		return []string{"X_train", "y_train"}, append(columns, RowsTensor)
	case RowsQueryGraph:
		return append([]string{"X_test"}, columns...), []string{RowsTensor}
	case ICLContextGraph:
		return []string{RowsTensor, "y_train"}, blocks
	case ICLQueryGraph:
		return append([]string{RowsTensor}, blocks...), m.outputs()
	}
	return []string{"X_train", "y_train"}, cache
}
