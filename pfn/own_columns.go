package pfn

import (
	"errors"
	"fmt"
	"slices"

	"github.com/pfnamp/pfnamp/pfn/internal/ort"
)

// ownColumns is a fitted pipeline whose members have columns of their own, as those of TabPFN and
// Nori. It returns tables by member, [rows, Width].
type ownColumns interface {
	Width(member int) int
	Context(x Matrix) [][]float32
	Queries(x Matrix) [][]float32
}

// ownTensors returns tables with this number of rows as inputs of the graphs, [1, rows, width].
func ownTensors(p ownColumns, rows int, tables [][]float32) []ort.Tensor {
	tensors := make([]ort.Tensor, len(tables))
	for b, table := range tables {
		tensors[b] = ort.Tensor{Shape: shape(1, rows, p.Width(b)), Data: table}
	}
	return tensors
}

// ownLessons returns the inputs of the members from a training table. labels is the target in the
// form of a member.
func ownLessons(p ownColumns, x Matrix, labels func(member int) []float32) []lesson {
	tables := ownTensors(p, x.Rows, p.Context(x))
	lessons := make([]lesson, len(tables))
	for b := range tables {
		lessons[b] = lesson{tables[b], ort.Tensor{Shape: shape(1, x.Rows), Data: labels(b)}}
	}
	return lessons
}

// copyOf copies a table, for a saved state.
func copyOf(t Training) Training {
	t.X.Data, t.Y = slices.Clone(t.X.Data), slices.Clone(t.Y)
	t.Categorical = slices.Clone(t.Categorical)
	return t
}

// ownHeader is the part of a saved state's header for members with columns of their own. After the
// header and the note, the state holds the training table, row by row, and its target.
type ownHeader struct {
	Members     int             `json:"members"`
	Fingerprint bool            `json:"fingerprint"`
	Categorical []bool          `json:"categorical"`
	Caches      [][]cacheHeader `json:"caches"` // by member and input of the query graph
}

// training checks a header, nil for that of another family, and reads the table that follows it.
func (h *ownHeader) training(s *State) (Training, error) {
	if h == nil {
		return Training{}, errors.New("its family is not that of the model")
	}
	if h.Members < 1 || h.Members > maxMembers || len(h.Caches) != h.Members {
		return Training{}, fmt.Errorf("it has %d members, but %d lists of tensors",
			h.Members, len(h.Caches))
	}
	return s.training(h.Categorical)
}
