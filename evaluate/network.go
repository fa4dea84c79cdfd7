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

// Network is a regression network as a [Model]. Of a bundle that has one it tells the network's own
// posterior and the local sample sizes that follow.
type Network struct {
	Network *pfn.Model
	Values  *amp.Support // possible labels, nil for those that the labels show
}

// ClassNetwork is a classifier as a [Model], for tables of so many classes, 0 for as many as the
// training table has.
type ClassNetwork struct {
	Network *pfn.Model
	Classes int
}

// Predict reads the training table and predicts the query rows. Classes that no training row has
// get the probability 0, and a table of one class tells nothing about the others. Errors are those
// of [pfn.Model.Fit] and [pfn.Context.Predict].
func (n ClassNetwork) Predict(
	ctx context.Context, train Data, query Matrix,
) (p Prediction, err error) {
	if n.Classes == 0 {
		n.Classes = int(slices.Max(train.Y)) + 1
	}
	present, numbered := train.Present(n.Classes)
	if len(present) == 1 {
		return Shares{Classes: n.Classes}.Predict(ctx, train, query)
	}
	table := pfn.Training{X: numbered.Matrix, Categorical: numbered.Categorical, Y: numbered.Y}
	fitted, err := n.Network.Fit(ctx, table)
	if err != nil {
		return p, err
	}
	defer func() { err = errors.Join(err, fitted.Close()) }()
	rows, _, err := donorsOf(n.Network, table, fitted.Classes()).ClassPredictions(ctx, fitted, query,
		true)
	if err != nil {
		return p, err
	}
	laws := make([]distr.Classes, len(rows))
	for i, row := range rows {
		laws[i] = row.PPD.(distr.Classes)
		if own, ok := row.Own.(*amp.ClassPosterior); ok {
			p.Own = append(p.Own, placed(own, present, n.Classes))
		}
	}
	made, err := ClassPredictions(laws, present, n.Classes)
	made.Own = p.Own
	return made, err
}

// donorsOf lend cells to query rows that lack some, as in predict.
func donorsOf(m *pfn.Model, t pfn.Training, classes int) *reading.Donors {
	return reading.Auto.Donors(m.Bundle().Manifest, t, classes, 1)
}

// placed extends a posterior of the classes that are present to all classes. The posterior of an
// absent class is 0 at every level.
func placed(own *amp.ClassPosterior, present []int, classes int) *amp.ClassPosterior {
	all := &amp.ClassPosterior{ClassPosterior: distr.ClassPosterior{Levels: own.Levels,
		Quantiles: make([][]float64, classes)}}
	for k := range all.Quantiles {
		all.Quantiles[k] = make([]float64, len(own.Levels))
	}
	for at, k := range present {
		all.Quantiles[k] = own.Quantiles[at]
	}
	return all
}

// Predict reads the training table and predicts the query rows. Errors are those of
// [pfn.Model.Fit] and [pfn.Context.Predict].
func (n Network) Predict(
	ctx context.Context, train Data, query Matrix,
) (p Prediction, err error) {
	table := pfn.Training{X: train.Matrix, Categorical: train.Categorical, Y: train.Y}
	fitted, err := n.Network.Fit(ctx, table)
	if err != nil {
		return p, err
	}
	defer func() { err = errors.Join(err, fitted.Close()) }()
	rows, err := donorsOf(n.Network, table, 0).Predictions(ctx, fitted, query, true)
	if err != nil {
		return p, err
	}
	support := amp.SupportOf(train.Y)
	if n.Values != nil {
		support = *n.Values
	}
	for _, row := range support.Predictions(rows) {
		p.PPDs = append(p.PPDs, row.PPD.(PPD))
		if row.Own != nil {
			p.Own = append(p.Own, row.Own)
			p.Sizes = append(p.Sizes, row.Size)
		}
	}
	return p, nil
}
