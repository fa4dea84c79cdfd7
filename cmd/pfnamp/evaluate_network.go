package main

import (
	"context"
	"errors"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/pfn"
)

// network is a model as package evaluate wants it.
type network struct{ model *pfn.Model }

// Predict reads the training table and predicts the query rows. Of a bundle with a direct output
// it tells the posterior of the median and the local sample sizes that follow.
func (n network) Predict(
	ctx context.Context, train evaluate.Data, query evaluate.Matrix,
) (p evaluate.Prediction, err error) {
	fitted, err := n.model.Fit(ctx, pfn.Training{
		X: pfnMatrix(train.Matrix), Categorical: train.Categorical, Y: train.Y})
	if err != nil {
		return p, err
	}
	defer func() { err = errors.Join(err, fitted.Close()) }()
	var ppds []pfn.PPD
	var medians []*pfn.Quantiles
	if n.model.Direct() {
		ppds, medians, err = fitted.PredictMedian(ctx, pfnMatrix(query))
	} else {
		ppds, err = fitted.Predict(ctx, pfnMatrix(query))
	}
	if err != nil {
		return p, err
	}
	for i, ppd := range ppds {
		p.PPDs = append(p.PPDs, ppd)
		if medians != nil {
			p.Own = append(p.Own, ownMedian{medians[i]})
			p.Sizes = append(p.Sizes, amp.LocalSize(ppd, medians[i]))
		}
	}
	return p, nil
}

// ownMedian is a network's posterior of the median, the only functional that it knows.
type ownMedian struct{ median *pfn.Quantiles }

// Of implements amp.Own.
func (o ownMedian) Of(f amp.Functional) amp.Marginal {
	if f != (amp.Quantile{Level: 0.5}) {
		return nil
	}
	return o.median
}

func pfnMatrix(m evaluate.Matrix) pfn.Matrix {
	return pfn.Matrix{Rows: m.Rows, Cols: m.Cols, Data: m.X}
}

// plain lists distributions as package amp knows them.
func plain[D amp.PPD](list []D) []amp.PPD {
	out := make([]amp.PPD, len(list))
	for i, q := range list {
		out[i] = q
	}
	return out
}
