package pfn

import (
	"fmt"

	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/ort"
)

// ensemble is what surrounds the network for one labelled table: members, and for each of them a
// pipeline from a feature table to the tensor that the network reads. It is safe for concurrent
// use. A head may ask an ensemble for more, as barHead and classHead do.
type ensemble interface {
	members() int  // 0 if the table needs no network
	features() int // columns of the table that vary
	// queries returns query rows as every member reads them, [1, rows, width] each.
	queries(x Matrix) []ort.Tensor
	// save writes down in the header of a saved state what family.restore needs, beside the shapes
	// of the tensors of every member, and returns the numbers that follow the header.
	save(h *stateHeader, tensors [][]cacheHeader) [][]float64
}

// family is a family of networks: how its ensembles are made, what they cost, how they are saved,
// and what their golden vectors are.
type family interface {
	// fit learns an ensemble of so many members from a table whose target varies, and returns with
	// it what every member reads of that table. It is none if no feature varies.
	fit(m *Model, t *table, members int) (ensemble, []lesson, error)
	// restore makes a saved ensemble again, and returns the shapes of the tensors of its members.
	restore(m *Model, s *State, t target) (ensemble, [][]cacheHeader, error)
	// saved reports whether the header of a state describes an ensemble of the family.
	saved(h *stateHeader) bool
	// cost is what the family takes in the estimate of memory.
	cost() cost
	// tokens is how many cells of a row of so many columns the network sees at a time.
	tokens(m *Model, columns int) float64
	// golden reads golden vectors, whose members are those of the family.
	golden(data []byte, m *models.Manifest) ([]goldenCase, error)
	// keepsFeatures tells whether a member may read features as they are, neither scaled nor clipped.
	keepsFeatures() bool
}

// families lists all of them by the name that a manifest gives. A new one is a line here and a file
// of its own, and a part of the header of states.
var families = map[string]family{
	models.TabICLFamily: tabiclFamily{},
	models.TabPFNFamily: tabpfnFamily{},
}

// familyOf finds the family of a bundle.
func familyOf(b *models.Bundle) (family, error) {
	f, ok := families[b.Manifest.Family]
	if !ok {
		return nil, &BundleError{Bundle: b.Source,
			Msg: fmt.Sprintf("the family %q is not known", b.Manifest.Family)}
	}
	return f, nil
}

// lesson is what one member reads of the context: features [1, N, width] and targets [1, N].
type lesson struct{ x, y ort.Tensor }

// none is the ensemble of a table that needs no network.
type none struct{}

func (none) members() int                                       { return 0 }
func (none) features() int                                      { return 0 }
func (none) queries(Matrix) []ort.Tensor                        { return nil }
func (none) save(*stateHeader, [][]cacheHeader) (_ [][]float64) { return nil }
