package evaluate

import (
	"context"
	"errors"
	"slices"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/reading"
)

// Network is a network as a [Model]. Of a bundle that has one it tells the network's own
// posterior.
type Network struct {
	Network *pfn.Model
	Values  *amp.Support // possible labels of a regression, nil for those that the labels show
	Classes int          // of a classifier's tables, 0 for as many as the training table has
}

// Predict reads the training table and predicts the query rows, whose missing cells are filled.
// Classes that no training row has get the probability 0, and a table of one class tells nothing
// about the others. Errors are those of [pfn.Model.Fit] and [pfn.Context.Predict].
func (n Network) Predict(
	ctx context.Context, train Data, query Matrix,
) (p Prediction, err error) {
	manifest, read := n.Network.Bundle().Manifest, train
	var present []int
	if manifest.Classifier() {
		if n.Classes == 0 {
			n.Classes = int(slices.Max(train.Y)) + 1
		}
		if present, read = train.Present(n.Classes); len(present) == 1 {
			return Shares{Classes: n.Classes}.Predict(ctx, train, query)
		}
	}
	table := pfn.Training{X: read.Matrix, Categorical: read.Categorical, Y: read.Y}
	table, err = reading.Grown(ctx, table, len(present), manifest.Limits, 1)
	if err != nil {
		return p, err
	}
	fitted, err := n.Network.Fit(ctx, table)
	if err != nil {
		return p, err
	}
	defer func() { err = errors.Join(err, fitted.Close()) }()
	donors := reading.Auto.Donors(manifest, table, fitted.Classes(), 1)
	rows, err := donors.Predictions(ctx, fitted, query, true)
	if err != nil {
		return p, err
	}
	if present == nil {
		return n.numbers(rows, train.Y), nil
	}
	return n.classes(rows, present)
}

func (n Network) numbers(rows []amp.Prediction, labels []float64) (p Prediction) {
	support := amp.SupportOf(labels)
	if n.Values != nil {
		support = *n.Values
	}
	for _, row := range support.Predictions(rows) {
		p.PPDs = append(p.PPDs, row.PPD.(PPD))
		if row.Own != nil {
			p.Own = append(p.Own, row.Own)
		}
	}
	return p
}

// classes are predictions of the classes that are present, as of all classes.
func (n Network) classes(rows []amp.Prediction, present []int) (p Prediction, err error) {
	laws, owns := make([]distr.Classes, len(rows)), []amp.Own(nil)
	for i, row := range rows {
		laws[i] = row.PPD.(distr.Classes)
		if own, ok := row.Own.(*amp.ClassPosterior); ok {
			owns = append(owns, placed(own, present, n.Classes))
		}
	}
	p, err = ClassPredictions(laws, present, n.Classes)
	p.Own = owns
	return p, err
}

// placed extends a posterior of the classes that are present to all classes. The posterior of an
// absent class is 0 at every level.
func placed(own *amp.ClassPosterior, present []int, classes int) *amp.ClassPosterior {
	all := &amp.ClassPosterior{Companion: own.Companion, ClassPosterior: distr.ClassPosterior{
		Levels:    own.Levels,
		Quantiles: make([][]float64, classes)}}
	for k := range all.Quantiles {
		all.Quantiles[k] = make([]float64, len(own.Levels))
	}
	for at, k := range present {
		all.Quantiles[k] = own.Quantiles[at]
	}
	return all
}
