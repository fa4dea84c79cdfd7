package evaluate

import (
	"context"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/pfn"
)

// PPD is the posterior predictive distribution of the label of one query row, as it is scored.
type PPD interface {
	amp.PPD
	LogDensity(y float64) float64 // natural logarithm of the density of the continuous part
	CRPS(y float64) float64       // continuous ranked probability score at the outcome y
}

// Matrix holds feature values row by row: feature j of row i is Data[i*Cols+j]. NaN is missing.
type Matrix = matrix.Matrix

// Model predicts labels from a labelled table.
type Model interface {
	// Predict returns the predictions of the query rows after the training table was read. Their
	// distributions are a [PPD], or distr.Classes.
	Predict(ctx context.Context, train pfn.Training, query Matrix) ([]amp.Prediction, error)
}

// Points returns the point estimates of a functional, by row.
func Points(rows []amp.Prediction, f amp.Functional) []float64 {
	points := make([]float64, len(rows))
	for i, row := range rows {
		points[i] = f.Point(row.PPD)
	}
	return points
}
