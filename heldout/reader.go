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
	Grow     bool // trees read the rows of a large part that a network does not
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
		if r.present, rows.Y = Present(rows.Y); len(r.present) == 1 {
			return r, nil
		}
	}
	manifest, classes := t.Model.Bundle().Manifest, len(r.present)
	if t.Grow {
		if rows, err = reading.Grown(ctx, rows, classes, manifest.Limits, t.Seed); err != nil {
			return r, err
		}
	}
	r.donors = t.Missing.Donors(manifest, rows, classes, t.Seed)
	r.context, err = t.Model.Fit(ctx, rows)
	return r, err
}

// Present lists the classes of rows in ascending order, and the place of every row's class among
// them.
func Present(y []float64) (classes []int, places []float64) {
	codes := slices.Compact(slices.Sorted(slices.Values(y)))
	for _, code := range codes {
		classes = append(classes, int(code))
	}
	for _, code := range y {
		place, _ := slices.BinarySearch(codes, code)
		places = append(places, float64(place))
	}
	return classes, places
}

// Predictions predicts query rows, and keeps to the possible labels. Classes that the reader has
// not read have probability 0. With own, it returns the network's own posterior too, if there is
// one.
func (t Table) Predictions(
	ctx context.Context, r Reader, x pfn.Matrix, own bool,
) ([]amp.Prediction, error) {
	if r.classes == 0 {
		rows, err := r.donors.Predictions(ctx, r.context, x, own)
		return t.Possible.Predictions(rows), err
	}
	return r.probabilities(ctx, x, own)
}

// probabilities predicts all classes at query rows.
func (r Reader) probabilities(
	ctx context.Context, x pfn.Matrix, own bool,
) ([]amp.Prediction, error) {
	if r.context == nil {
		sure := make(distr.Classes, r.classes)
		sure[r.present[0]] = 1
		return slices.Repeat([]amp.Prediction{{PPD: sure}}, x.Rows), nil
	}
	rows, err := r.donors.Predictions(ctx, r.context, x, own)
	for i, row := range rows {
		all := make(distr.Classes, r.classes)
		for place, p := range row.PPD.(distr.Classes) {
			all[r.present[place]] = p
		}
		rows[i].PPD = all
		if posterior, ok := row.Own.(*amp.ClassPosterior); ok {
			rows[i].Own = r.placed(posterior)
		}
	}
	return rows, err
}

// placed extends a posterior of the classes that the reader has read to all classes. The posterior
// of another class is 0 at every level.
func (r Reader) placed(own *amp.ClassPosterior) *amp.ClassPosterior {
	all := *own
	all.Quantiles = slices.Repeat([][]float64{make([]float64, len(own.Levels))}, r.classes)
	for place, k := range r.present {
		all.Quantiles[k] = own.Quantiles[place]
	}
	return &all
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
