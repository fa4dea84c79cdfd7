package pfnamp

import (
	"context"
	"slices"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/reading"
)

// reader is a model that has read the context without one fold.
type reader struct {
	context *pfn.Context    // nil where its rows are of a single class
	donors  *reading.Donors // among the rows that it has read
	present []int           // the classes of its rows, in ascending order
	classes int             // of the whole context, 0 of numbers
}

// read lets the model read rows of the context. Classes that they lack are left out and the others
// numbered anew, as a model needs.
func (m calibrating) read(ctx context.Context, t pfn.Training) (r reader, err error) {
	r = reader{classes: len(m.task.Classes())}
	if r.classes > 0 {
		r.present = presentClasses(t.Y)
		for i, y := range t.Y {
			place, _ := slices.BinarySearch(r.present, int(y))
			t.Y[i] = float64(place)
		}
		if len(r.present) == 1 {
			return r, nil
		}
	}
	q := m.question
	r.donors = q.Missing.Donors(m.model.Bundle().Manifest, t, len(r.present), q.Seed)
	r.context, err = m.model.Fit(ctx, t)
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
func (r reader) probabilities(ctx context.Context, x pfn.Matrix) ([]amp.Classes, error) {
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

// close frees the context.
func (r reader) close() error {
	if r.context == nil {
		return nil
	}
	return r.context.Close()
}
