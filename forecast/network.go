package forecast

import (
	"context"

	"github.com/pfnamp/pfnamp/pfn"
)

// Of makes a [Network] of a model that predicts numbers.
func Of(m *pfn.Model) Network {
	return func(
		ctx context.Context, rows [][]float64, targets []float64, asked [][]float64,
	) ([]Answer, error) {
		train := pfn.Training{X: matrixOf(rows), Y: targets}
		train.Categorical = make([]bool, train.X.Cols)
		c, err := m.Fit(ctx, train)
		if err != nil {
			return nil, err
		}
		defer c.Close()
		ppds, err := c.Predict(ctx, matrixOf(asked))
		if err != nil {
			return nil, err
		}
		answers := make([]Answer, len(ppds))
		for i, p := range ppds {
			answers[i] = Answer{p.Quantile(0.05), p.Quantile(0.5), p.Quantile(0.95)}
		}
		return answers, nil
	}
}

// matrixOf puts rows one behind the other. A column that is missing in every row is left as it is:
// networks read it as one that says nothing.
func matrixOf(rows [][]float64) pfn.Matrix {
	m := pfn.Matrix{Rows: len(rows), Cols: len(rows[0])}
	for _, row := range rows {
		m.Data = append(m.Data, row...)
	}
	return m
}
