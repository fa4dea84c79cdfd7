package models

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Families of networks.
const (
	// quantiles or classes; members have the columns of the table, some of them those of shares
	TabICLFamily = "tabicl"
	TabPFNFamily = "tabpfn" // bars or classes; every member has its own columns
)

// family is what a manifest of a family must say, and what its graphs hold.
type family struct {
	heads map[string]string     // kind of the label's head by task
	check func(*Manifest) error // of the ensemble, and of the part that only this family has
	part  string                // field of that part, or "" if the family has none
	given func(*Manifest) bool  // whether that part is there; nil without one
	// classes are what a classifier may say of classes.
	classes classRules
	// hierarchy says that classifiers may take more classes than their networks have outputs.
	hierarchy bool
	// caches are the names that the outputs of a context graph must have, which are inputs of the
	// query graph, in view of those that it has.
	caches func(outputs []valueInfo) []string
}

// families lists all of them by name. A new one is an entry here and a file of its own.
var families = map[string]family{
	TabICLFamily: {
		heads:   map[string]string{RegressionTask: QuantileHead, ClassificationTask: ClassHead},
		check:   (*Manifest).checkEnsemble,
		classes: classRules{shuffles: []string{ShiftClasses}, averages: []string{AverageLogits}},
		caches:  blockNames, hierarchy: true,
	},
	TabPFNFamily: {
		heads: map[string]string{RegressionTask: BarHead, ClassificationTask: ClassHead},
		check: (*Manifest).checkTabPFN, part: "tabpfn",
		given: func(m *Manifest) bool { return m.TabPFN != nil },
		classes: classRules{balanced: true,
			shuffles: []string{ShuffleClasses, RotateClasses, KeepClasses},
			averages: []string{AverageProbabilities, AverageLogits}},
		caches: tabpfnCaches,
	},
}

// Families lists the names of all families.
func Families() []string { return slices.Sorted(maps.Keys(families)) }

// checkFamily checks what the family asks for, and that the manifest has the part of this family
// and of no other.
func (m *Manifest) checkFamily() error {
	for name, f := range families {
		if f.part == "" {
			continue
		}
		switch given := f.given(m); {
		case given && name != m.Family:
			return fmt.Errorf("%s is given for the family %q", f.part, m.Family)
		case !given && name == m.Family:
			return fmt.Errorf("%s is missing for the family %q", f.part, m.Family)
		}
	}
	return families[m.Family].check(m)
}

// outputs are the names of what the query graph computes.
func (m *Manifest) outputs() []string {
	names := []string{QuantileOutput}
	if m.Head.Kind == BarHead || m.Head.Kind == ClassHead {
		names[0] = LogitsOutput
	}
	if m.Surface != nil {
		names = append(names, SurfaceOutput)
	}
	if m.ClassPosterior != nil {
		names = append(names, ClassPosteriorOutput)
	}
	return names
}

// cacheNames are the names that the outputs of a context graph must have.
func cacheNames(m *Manifest, outputs []valueInfo) []string {
	return families[m.Family].caches(outputs)
}

// tabpfnCaches are three tensors. Those of v3 are the keys and values of every block, after two
// others, and those of v3.5 after three.
func tabpfnCaches(outputs []valueInfo) []string {
	if !slices.ContainsFunc(outputs, ofColumns) {
		return []string{ColumnsInput, TargetInput, CacheInput}
	}
	first := []string{ColumnsInput, ScalesInput}
	if slices.ContainsFunc(outputs, func(v valueInfo) bool { return v.name == RanksInput }) {
		first = []string{ColumnsInput, RanksInput, ScalesInput}
	}
	return append(first, blockNames(outputs[min(len(first), len(outputs)):])...)
}

// ofColumns reports whether a value is keys or values of a column block.
func ofColumns(v valueInfo) bool { return strings.HasPrefix(v.name, columnBlocks) }

// columnBlocks is how names of keys and values of column blocks begin.
const columnBlocks = "colkv."

// blockNames are the names of keys and values of column blocks, colkv.0, colkv.1, ..., and of row
// blocks, iclkv.0, ..., by how many values are of column blocks.
func blockNames(outputs []valueInfo) []string {
	columns := 0
	for _, v := range outputs {
		if ofColumns(v) {
			columns++
		}
	}
	names := numbered(columnBlocks, max(1, columns))
	return append(names, numbered("iclkv.", max(1, len(outputs)-columns))...)
}

func numbered(prefix string, count int) []string {
	names := make([]string, count)
	for i := range names {
		names[i] = prefix + strconv.Itoa(i)
	}
	return names
}
