package report

import (
	"math/rand/v2"
	"slices"
)

// Sample keeps at most so many of the rows that are added, drawn at random, so that memory is
// bounded whatever their number. A reservoir draws them (Vitter 1985, algorithm R): every set of
// Most rows is as likely as any other, and depends on Seed and the number of rows alone.
type Sample struct {
	Most int // rows that are kept; at least 1
	Seed uint64

	all    int64
	kept   []Row
	stream *rand.Rand
}

// Add adds the next row of the query table.
func (s *Sample) Add(r Row) {
	s.all++
	if len(s.kept) < s.Most {
		s.kept = append(s.kept, r)
		return
	}
	if s.stream == nil {
		s.stream = rand.New(rand.NewPCG(s.Seed, 0))
	}
	if i := s.stream.Int64N(s.all); i < int64(s.Most) {
		s.kept[i] = r
	}
}

// All is the number of rows that were added.
func (s *Sample) All() int { return int(s.all) }

// Rows returns those that are kept, in the order of the query table.
func (s *Sample) Rows() []Row {
	rows := slices.Clone(s.kept)
	slices.SortFunc(rows, func(p, q Row) int { return int(p.At - q.At) })
	return rows
}
