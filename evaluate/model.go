package evaluate

import (
	"context"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/internal/matrix"
)

// PPD is the posterior predictive distribution of the label of one query row, as it is scored.
type PPD interface {
	amp.PPD
	LogDensity(y float64) float64 // natural logarithm of the density of the continuous part
	CRPS(y float64) float64       // continuous ranked probability score at the outcome y
}

// Matrix holds feature values row by row: feature j of row i is Data[i*Cols+j]. NaN is missing.
type Matrix = matrix.Matrix

// Data is a labelled table.
type Data struct {
	Matrix
	Categorical []bool    // by feature: values are codes; nil means none
	Y           []float64 // Rows labels
}

// Take returns a copy of the listed rows, which may repeat.
func (d Data) Take(rows []int) Data {
	out := Data{Matrix: d.Matrix.Take(rows), Categorical: d.Categorical,
		Y: make([]float64, len(rows))}
	for to, from := range rows {
		out.Y[to] = d.Y[from]
	}
	return out
}

// Model predicts labels from a labelled table.
type Model interface {
	// Predict returns the predictions of the query rows after the training table was read.
	Predict(ctx context.Context, train Data, query Matrix) (Prediction, error)
}

// Prediction is what a model says about query rows.
type Prediction struct {
	PPDs []PPD // by row

	// Own is the posterior that the model itself returns, by row; nil if it has none.
	Own []amp.Own
}

// Row returns the prediction of row i as the methods of package amp read it.
func (p Prediction) Row(i int) amp.Prediction {
	row := amp.Prediction{PPD: p.PPDs[i]}
	if p.Own != nil {
		row.Own = p.Own[i]
	}
	return row
}

// Points returns the point estimates of a functional, by row.
func (p Prediction) Points(f amp.Functional) []float64 {
	points := make([]float64, len(p.PPDs))
	for i, ppd := range p.PPDs {
		points[i] = f.Point(ppd)
	}
	return points
}
