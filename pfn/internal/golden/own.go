package golden

import (
	"fmt"
	"slices"
)

// own holds the vectors of a network's own posterior. They exist if and only if the manifest
// announces one.
type own struct {
	field, name string          // in golden.json, and in words
	raw         [][][][]float64 // [B][M] matrices, the network's output
	expect      [][][]float64   // [M] matrices
}

// absent checks that a manifest without a posterior has no vectors of one.
func (o own) absent() error {
	if o.raw != nil || o.expect != nil {
		return fmt.Errorf("there are vectors of a %s, but the manifest does not announce one", o.name)
	}
	return nil
}

// present checks that the vectors exist, and their lengths for this number of members.
func (o own) present(members int, shape [3]int) error {
	if o.raw == nil || o.expect == nil {
		return fmt.Errorf("stages.%s or expect.%s is missing, but the manifest announces it",
			o.field, o.field)
	}
	stages := len(o.raw) == members
	for _, member := range o.raw {
		stages = stages && hasShape3(member, shape)
	}
	return firstWrong([]shaped{
		{"stages." + o.field, stages},
		{"expect." + o.field, hasShape3(o.expect, shape)},
	})
}

// flat lists matrices [B][M] row by row, like the output of a network.
func flat(raw [][][][]float64) [][][]float64 {
	lists := make([][][]float64, len(raw))
	for b, member := range raw {
		for _, matrix := range member {
			lists[b] = append(lists[b], slices.Concat(matrix...))
		}
	}
	return lists
}
