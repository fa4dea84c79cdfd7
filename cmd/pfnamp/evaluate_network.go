package main

import (
	"context"
	"errors"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/pfn"
)

// network is a model as package evaluate wants it.
type network struct{ model *pfn.Model }

// Predict reads the training table and predicts the query rows. Of a bundle with a direct output
// it tells the network's own posterior and the local sample sizes that follow.
func (n network) Predict(
	ctx context.Context, train evaluate.Data, query evaluate.Matrix,
) (p evaluate.Prediction, err error) {
	fitted, err := n.model.Fit(ctx, pfn.Training{
		X: train.Matrix, Categorical: train.Categorical, Y: train.Y})
	if err != nil {
		return p, err
	}
	defer func() { err = errors.Join(err, fitted.Close()) }()
	rows, err := pfnamp.Predictions(ctx, fitted, query, n.model.Direct())
	if err != nil {
		return p, err
	}
	for _, row := range rows {
		p.PPDs = append(p.PPDs, row.PPD.(pfn.PPD))
		if row.Own != nil {
			p.Own = append(p.Own, row.Own)
			p.Sizes = append(p.Sizes, amp.LocalSize(row.PPD, row.Own.Of(amp.Quantile{Level: 0.5})))
		}
	}
	return p, nil
}
