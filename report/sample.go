package report

import (
	"math/rand/v2"
	"slices"
)

// Sample keeps a random sample of at most Most of the added rows, so its memory is bounded. Every
// set of Most rows is equally likely (reservoir sampling; Vitter 1985, algorithm R). The sample
// depends only on Seed and on the number of rows.
type Sample struct {
	Most int // largest number of kept rows; at least 1
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

// All returns the number of added rows.
func (s *Sample) All() int { return int(s.all) }

// Rows returns the kept rows in the order of the query table.
func (s *Sample) Rows() []Row {
	rows := slices.Clone(s.kept)
	slices.SortFunc(rows, func(p, q Row) int { return int(p.At - q.At) })
	return rows
}
