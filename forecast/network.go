package forecast

import (
	"context"

	"github.com/pfnamp/pfnamp/pfn"
)

// Of makes a [Network] of a model that predicts numbers.
func Of(m *pfn.Model) Network {
	return func(ctx context.Context, train pfn.Training, asked pfn.Matrix) ([]Answer, error) {
		c, err := m.Fit(ctx, train)
		if err != nil {
			return nil, err
		}
		defer c.Close()
		ppds, err := c.Predict(ctx, asked)
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
