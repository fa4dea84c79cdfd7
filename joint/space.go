package joint

import (
	"math"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/tabular"
)

// space is where rows are coupled by their distance. A number is centred and divided by its
// standard deviation over the training rows. A category becomes a corner at a distance of √2 from
// every other category. A missing cell lies in the middle. If d features vary, two independent
// training rows are about √(2d) apart; with the lengths l = length √d they correlate
// exp(-1/length²).
type space struct {
	scales  []pfnamp.Scale
	columns []tabular.Encoded
	first   []int // coordinate of every feature, -1 where it does not vary
	size    int
	varying int
}

func newSpace(columns []tabular.Encoded, scales []pfnamp.Scale) *space {
	s := &space{scales: scales, columns: columns, first: make([]int, len(columns))}
	for j, c := range columns {
		width := len(c.Categories) // of dates, and so of their parts, there are none
		if width == 0 && scales[j].Spread > 0 {
			width = 1
		} else if width == 1 {
			width = 0
		}
		s.first[j] = s.size
		if width == 0 {
			s.first[j] = -1
			continue
		}
		s.size += width
		s.varying++
	}
	return s
}

// lengths are those of the coordinates; a table without a varying feature has one coordinate, at
// which all rows meet.
func (s *space) lengths(length float64) []float64 {
	lengths := make([]float64, max(1, s.size))
	for i := range lengths {
		lengths[i] = length * math.Sqrt(math.Max(1, float64(s.varying)))
	}
	return lengths
}

// farthest bounds coordinates, beyond which everything is uncorrelated with everything.
const farthest = 1e9

// place returns the coordinates of an encoded row.
func (s *space) place(row []float64) []float64 {
	at := make([]float64, max(1, s.size))
	for j, v := range row {
		first := s.first[j]
		switch {
		case first < 0 || math.IsNaN(v):
		case len(s.columns[j].Categories) == 0:
			z := (v - s.scales[j].Center) / s.scales[j].Spread
			at[first] = math.Max(-farthest, math.Min(farthest, z))
		case v >= 0:
			at[first+int(v)] = 1
		}
	}
	return at
}
