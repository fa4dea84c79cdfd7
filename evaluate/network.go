package evaluate

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/heldout"
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
	ctx context.Context, train pfn.Training, query Matrix,
) (_ []amp.Prediction, err error) {
	table := heldout.Table{Model: n.Network, Target: heldout.Numbers{}, Missing: reading.Auto,
		Seed: 1, Grow: true}
	switch {
	case n.Network.Bundle().Manifest.Classifier():
		table.Target = heldout.Labels(cmp.Or(n.Classes, int(slices.Max(train.Y))+1))
	case n.Values != nil:
		table.Possible = *n.Values
	default:
		table.Possible = amp.SupportOf(train.Y)
	}
	reader, err := table.Read(ctx, train)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	return table.Predictions(ctx, reader, query, true)
}
