package run

import (
	"math"
	"slices"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
)

// What a column of subjects, such as persons with several rows each, looks like.
const (
	leastSubjects = 20
	mostVisits    = 12  // rows of a subject, on average
	evenVisits    = 2.0 // the largest subject beside the smallest
)

// NoteSubjects says which column looks like subjects whose rows belong together, where averages
// take rows as independent.
func (j *Job) NoteSubjects(f *pfnamp.Fitted) {
	if f.Options().Group != "" {
		return
	}
	rows := f.ContextRows().X
	for at, c := range f.Schema().Encoded() {
		if c.Part == "" && likeSubjects(rows.Column(nil, at), c.Categories != nil) {
			j.Warnf("the values of %q repeat like those of persons: if rows with the same value belong "+
				"together, intervals of averages and differences are too narrow; use --group %s",
				c.Name, fault.Shell(c.Name))
		}
	}
}

// likeSubjects reports whether values are those of subjects: many, each with about as many rows,
// and consecutive if they are numbers.
func likeSubjects(values []float64, categories bool) bool {
	counts := map[float64]float64{}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if v != math.Trunc(v) { // NaN too
			return false
		}
		lo, hi = min(lo, v), max(hi, v)
		counts[v]++
	}
	if n := float64(len(counts)); n < leastSubjects || float64(len(values)) > mostVisits*n ||
		!categories && hi-lo != n-1 {
		return false
	}
	var sizes []float64
	for _, n := range counts {
		sizes = append(sizes, n)
	}
	return slices.Min(sizes) >= 2 && slices.Max(sizes) <= evenVisits*slices.Min(sizes)
}
