package heldout

import (
	"context"
	"slices"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/reading"
)

// Table is a context. A model can read parts of it.
type Table struct {
	Model   *pfn.Model
	Rows    pfn.Training
	Target  Target
	Missing reading.Missing // treatment of rows with missing cells
	// Possible are the values of a label of numbers, to which predictions keep.
	Possible amp.Support
	Seed     uint64
}

// Reader is a model that has read a part of a context.
type Reader struct {
	target  Target
	context *pfn.Context    // nil if its rows are of a single class
	donors  *reading.Donors // among the rows it has read
	present []int           // the classes of its rows, in ascending order
	classes int             // of the whole context, 0 for numbers
}

// Read encodes rows of the context. It drops classes that they lack and renumbers the others, as a
// model needs.
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

// probabilities returns the probabilities of all classes at query rows. Classes that the reader has
// not read have probability 0.
func (r Reader) probabilities(ctx context.Context, x pfn.Matrix) ([]distr.Classes, error) {
	all := make([]distr.Classes, x.Rows)
	for i := range all {
		all[i] = make(distr.Classes, r.classes)
	}
	if r.context == nil {
		for _, row := range all {
			row[r.present[0]] = 1
		}
		return all, nil
	}
	rows, err := r.donors.Predictions(ctx, r.context, x, false)
	for i, row := range rows {
		for place, p := range row.PPD.(distr.Classes) {
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

// Context returns the encoded part, nil if its rows are of a single class.
func (r Reader) Context() *pfn.Context { return r.context }

// Scores returns how strange the labels of rows are that the reader has not read. A larger score is
// stranger. level is the level of the promise.
func (r Reader) Scores(ctx context.Context, t pfn.Training, level float64) ([]float64, error) {
	return r.target.held(ctx, r, t, level)
}
