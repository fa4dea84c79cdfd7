package heldout

import (
	"context"
	"slices"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/reading"
)

// Table is a context whose parts a model reads.
type Table struct {
	Model   *pfn.Model
	Rows    pfn.Training
	Target  Target
	Missing reading.Missing // how rows that lack cells are answered
	Seed    uint64
}

// Reader is a model that has read a part of a context.
type Reader struct {
	target  Target
	context *pfn.Context    // nil where its rows are of a single class
	donors  *reading.Donors // among the rows that it has read
	present []int           // the classes of its rows, in ascending order
	classes int             // of the whole context, 0 of numbers
}

// Read lets the model read rows of the context. Classes that they lack are left out and the others
// numbered anew, as a model needs.
func (t Table) Read(ctx context.Context, rows pfn.Training) (r Reader, err error) {
	r = Reader{target: t.Target, classes: t.Target.classes()}
	if r.classes > 0 {
		r.present = presentClasses(rows.Y)
		for i, y := range rows.Y {
			place, _ := slices.BinarySearch(r.present, int(y))
			rows.Y[i] = float64(place)
		}
		if len(r.present) == 1 {
			return r, nil
		}
	}
	r.donors = t.Missing.Donors(t.Model.Bundle().Manifest, rows, len(r.present), t.Seed)
	r.context, err = t.Model.Fit(ctx, rows)
	return r, err
}

// presentClasses lists the classes of rows in ascending order.
func presentClasses(y []float64) []int {
	classes := make([]int, len(y))
	for i, v := range y {
		classes[i] = int(v)
	}
	slices.Sort(classes)
	return slices.Compact(classes)
}

// probabilities are those of all classes at query rows; classes that the reader has not read have
// the probability 0.
func (r Reader) probabilities(ctx context.Context, x pfn.Matrix) ([]amp.Classes, error) {
	all := make([]amp.Classes, x.Rows)
	for i := range all {
		all[i] = make(amp.Classes, r.classes)
	}
	if r.context == nil {
		for _, row := range all {
			row[r.present[0]] = 1
		}
		return all, nil
	}
	rows, _, err := r.donors.ClassPredictions(ctx, r.context, x, false)
	for i, row := range rows {
		for place, p := range row.PPD.(amp.Classes) {
			all[i][r.present[place]] = p
		}
	}
	return all, err
}

// Close frees the context.
func (r Reader) Close() error {
	if r.context == nil {
		return nil
	}
	return r.context.Close()
}

// Context is what the network remembers of the part, nil where its rows are of a single class.
func (r Reader) Context() *pfn.Context { return r.context }

// Scores are how strange labels of rows are that the reader has not read: larger is stranger. level
// is that of the promise.
func (r Reader) Scores(ctx context.Context, t pfn.Training, level float64) ([]float64, error) {
	return r.target.held(ctx, r, t, level)
}
