package models

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pfnamp/pfnamp/internal/wire"
)

// Families of networks.
const (
	// quantiles or classes; members have the columns of the table, and some the shares of classes
	TabICLFamily = "tabicl"
	TabPFNFamily = "tabpfn" // bars or classes; every member has its own columns
	NoriFamily   = "nori"   // quantiles; every member has its own columns
)

// Parts are the fields of a manifest that one family has, nil for all others.
type Parts struct {
	TabPFN *TabPFN `json:"tabpfn,omitempty"`
	Nori   *Nori   `json:"nori,omitempty"`
}

// family describes the manifests and the graphs of a family.
type family struct {
	heads map[string]string     // kind of the label's head by task
	check func(*Manifest) error // of the ensemble, and of the family's own part
	// classes are the allowed values for classes.
	classes classRules
	// caches returns the required names of the context graph's outputs, which are inputs of the
	// query graph. They depend on the outputs that it has.
	caches func(outputs []wire.Port) []string
}

// families lists all families by name. A new family needs an entry here, a file, and a field of
// Parts if its manifests have a part of their own.
var families = map[string]family{
	TabICLFamily: {
		heads:   map[string]string{RegressionTask: QuantileHead, ClassificationTask: ClassHead},
		check:   (*Manifest).checkEnsemble,
		classes: classRules{shuffles: []string{ShiftClasses}, averages: []string{AverageLogits}},
		caches:  blockNames,
	},
	TabPFNFamily: {
		heads: map[string]string{RegressionTask: BarHead, ClassificationTask: ClassHead},
		check: (*Manifest).checkTabPFN,
		classes: classRules{balanced: true,
			shuffles: []string{ShuffleClasses, RotateClasses, KeepClasses},
			averages: []string{AverageProbabilities, AverageLogits}},
		caches: tabpfnCaches,
	},
	NoriFamily: {
		heads:  map[string]string{RegressionTask: QuantileHead},
		check:  (*Manifest).checkNori,
		caches: func([]wire.Port) []string { return []string{ColumnsInput, TargetInput, CacheInput} },
	},
}

// Families lists the names of all families.
func Families() []string { return slices.Sorted(maps.Keys(families)) }

// checkFamily checks the family's requirements, and that the manifest has the part of this family
// and of no other.
func (m *Manifest) checkFamily() error {
	parts := map[string]bool{TabPFNFamily: m.TabPFN != nil, NoriFamily: m.Nori != nil}
	for part, given := range parts { // which has the name of its family
		switch {
		case given && part != m.Family:
			return fmt.Errorf("%s is given for the family %q", part, m.Family)
		case !given && part == m.Family:
			return fmt.Errorf("%s is missing for the family %q", part, m.Family)
		}
	}
	return families[m.Family].check(m)
}

// outputs returns the names of the query graph's outputs.
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

// tabpfnCaches returns the names of three tensors. With v3 they are the keys and values of every
// block, after two other tensors, and with v3.5 after three.
func tabpfnCaches(outputs []wire.Port) []string {
	if !slices.ContainsFunc(outputs, ofColumns) {
		return []string{ColumnsInput, TargetInput, CacheInput}
	}
	first := []string{ColumnsInput, ScalesInput}
	if slices.ContainsFunc(outputs, func(v wire.Port) bool { return v.Name == RanksInput }) {
		first = []string{ColumnsInput, RanksInput, ScalesInput}
	}
	return append(first, blockNames(outputs[min(len(first), len(outputs)):])...)
}

// ofColumns reports whether a value holds the keys or values of a column block.
func ofColumns(v wire.Port) bool { return strings.HasPrefix(v.Name, columnBlocks) }

// columnBlocks is the prefix of the names of column blocks' keys and values.
const columnBlocks = "colkv."

// blockNames returns the names of keys and values of column blocks, colkv.0, colkv.1, ..., and of
// row blocks, iclkv.0, .... The outputs tell how many column blocks there are.
func blockNames(outputs []wire.Port) []string {
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
