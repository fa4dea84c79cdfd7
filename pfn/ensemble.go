package pfn

import (
	"fmt"

	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/ort"
)

// ensemble surrounds the network for one labelled table. It has members, and for each of them a
// pipeline from a feature table to the tensor that the network reads. It is safe for concurrent
// use. A head may require more methods, as barHead and classHead do.
type ensemble interface {
	members() int  // 0 if the table needs no network
	features() int // columns of the table that vary
	// queries returns query rows in the form of every member, [1, rows, width] each.
	queries(x Matrix) []ort.Tensor
	// save adds everything to the header of a saved state that family.restore needs, except the
	// shapes of the members' tensors. It returns the numbers that follow the header.
	save(h *stateHeader, tensors [][]cacheHeader) [][]float64
	composition(member int) goldenMember // as golden vectors describe it, without its numbers
	order(member int) []int              // a classifier's member sees class k as order[k]; or nil
}

// family is a family of networks. It creates ensembles, estimates their cost and saves them.
type family interface {
	// fit fits an ensemble with this number of members to a table whose target varies. It also
	// returns the members' inputs from that table. It returns an empty ensemble if no feature
	// varies.
	fit(m *Model, t *table, members int) (ensemble, []lesson, error)
	// restore recreates a saved ensemble and returns the shapes of its members' tensors.
	restore(m *Model, s *State, classes int) (ensemble, [][]cacheHeader, error)
	// cost returns the family's part of the memory estimate.
	cost() cost
	// tokens returns how many cells of a row with this number of columns the network sees at a
	// time.
	tokens(m *Model, columns int) float64
	// tolerances returns how far answers may be from golden vectors.
	tolerances() tolerances
}

// families lists all families by their name in a manifest. A new family needs a line here, a
// field of stateHeader and a file.
var families = map[string]family{
	models.TabICLFamily: tabiclFamily{},
	models.TabPFNFamily: tabpfnFamily{cost{copies: 4, pipeline: 700, stacked: 2}},
	models.NoriFamily:   tabpfnFamily{cost{copies: 12, pipeline: 300, stacked: 2.5}},
}

// lesson is what one member reads of the context: features [1, N, width] and targets [1, N].
type lesson struct{ x, y ort.Tensor }

// tensorsOf returns tables of the members, row by row, as inputs of the graphs, [1, rows, width].
func tensorsOf(rows int, tables [][]float32) []ort.Tensor {
	tensors := make([]ort.Tensor, len(tables))
	for b, table := range tables {
		tensors[b] = ort.Tensor{Shape: shape(1, rows, len(table)/rows), Data: table}
	}
	return tensors
}

// none is the ensemble of a table that needs no network: nobody asks for what members have.
type none struct{ ensemble }

func (none) members() int                { return 0 }
func (none) features() int               { return 0 }
func (none) queries(Matrix) []ort.Tensor { return nil }

// ownHeader is the part of a saved state's header for members with columns of their own. After the
// header and the note, the state holds the training table, row by row, and its target.
type ownHeader struct {
	Members     int             `json:"members"`
	Fingerprint bool            `json:"fingerprint"`
	Categorical []bool          `json:"categorical"`
	Caches      [][]cacheHeader `json:"caches"` // by member and input of the query graph
}

// maxMembers is the largest number of members in a state, which are fitted before their tensors are
// read.
const maxMembers = 1 << 16

// training reads the table that follows a header.
func (h *ownHeader) training(s *State) (t Training, err error) {
	if len(h.Caches) != h.Members || h.Members > maxMembers {
		return t, fmt.Errorf("it has %d members, but %d lists of tensors", h.Members, len(h.Caches))
	}
	columns := len(s.header.Trees.Kinds(make([]bool, s.Columns)))
	t = Training{X: Matrix{Rows: s.Rows, Cols: columns}, Categorical: h.Categorical}
	if t.X.Data, err = readDoubles(s.in, s.Rows*columns); err == nil {
		t.Y, err = readDoubles(s.in, s.Rows)
	}
	return t, err
}
