package report

import (
	"math/rand/v2"
	"slices"
	"time"
)

// Asked is the question that a run answers for every query row.
type Asked struct {
	Target      string   // name of the target
	Level       float64  // probability that an interval contains its value, in (0, 1)
	Functionals []string // names, such as "mean" or, for classes, "p=yes"
	Events      []bool   // by functional: it is a probability and not in units of the target
	Classes     []string // labels; nil for numbers
	Posterior   string   // name of the posterior of the credible intervals
	Others      []string // names of other posteriors, whose intervals are shown for comparison
}

// Estimate is a functional at a row, in units of the target or a probability.
type Estimate struct {
	Point, Lo, Hi float64      // estimate and limits of its credible interval
	Others        [][2]float64 // limits by posterior of Asked.Others
}

// Row is one answered query row. Numbers are in units of the target unless noted.
type Row struct {
	At               int64      // row number in the query table, from 1
	Kept             []string   // cells of the columns that are passed through
	Estimates        []Estimate // by functional
	LabelLo, LabelHi float64    // predictive interval of the label; NaN for classes
	Label            float64    // observed label, NaN if unknown; a class by its index, -1 if new
	Read             bool       // the model has read the label, so it cannot test the prediction
	Best             int        // index of the most probable class, 0 for numbers

	Quantiles []float64 // predictive quantiles by level of QuantileLevels; nil for classes
	Mean      float64   // mean of the predictive distribution
	PIT, CRPS float64   // of the observed label, see evaluate.PIT and evaluate.PPD; NaN if unknown
}

// QuantileLevels lists the levels of Row.Quantiles, ascending in (0, 1).
func QuantileLevels() []float64 {
	levels := []float64{0.01, 0.025}
	for k := 1; k < 20; k++ {
		levels = append(levels, float64(k)/20)
	}
	return append(levels, 0.975, 0.99)
}

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

// dateLayouts are the forms in which a cell is a date.
var dateLayouts = []string{time.DateOnly, time.DateTime, time.RFC3339, "2006-01-02T15:04:05",
	"2006-01-02 15:04", "2006-01-02 15:04:05Z", "2006-01", "2006/01/02", "02.01.2006", "01/02/2006",
	"02/01/2006"}

// dated tells whether the first kept cell of every row is a date, all in one form. Such rows keep
// their order, as people read a course in time.
func dated(rows []Row) bool {
	if len(rows) < 2 || len(rows[0].Kept) == 0 {
		return false
	}
	return slices.ContainsFunc(dateLayouts, func(layout string) bool {
		return !slices.ContainsFunc(rows, func(r Row) bool {
			_, err := time.Parse(layout, r.Kept[0])
			return err != nil
		})
	})
}
