package pfn

import (
	"context"
	"errors"

	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/golden"
)

// goldenCase is one table of a bundle's golden vectors, with the expected result of every stage, as
// computed by the exporter's implementation.
type goldenCase interface {
	golden.Case
	// replay computes every stage like Fit and Predict.
	replay(ctx context.Context, m *Model) (CaseReport, error)
}

// The kinds of cases, by their members and outputs.
type (
	quantileCase struct{ *golden.QuantileCase }
	classCase    struct{ *golden.ClassCase }
	barCase      struct{ *golden.BarCase }
	ownClassCase struct{ *golden.OwnClassCase }

	ownQuantileCase struct{ *golden.OwnQuantileCase }
)

// readGolden reads golden vectors whose cases are of the kind C.
func readGolden[C any, P interface {
	*C
	golden.Case
}](data []byte, m *models.Manifest, of func(P) goldenCase) ([]goldenCase, error) {
	read, err := golden.Read[C, P](data, m)
	cases := make([]goldenCase, len(read))
	for i, c := range read {
		cases[i] = of(c)
	}
	return cases, err
}

// goldenCases lists the cases of a bundle.
func goldenCases(b *models.Bundle) ([]goldenCase, error) {
	f, err := familyOf(b)
	if err != nil {
		return nil, err
	}
	cases, err := f.golden(b.Golden(), &b.Manifest)
	if err != nil {
		return nil, &BundleError{Bundle: b.Source, File: b.Manifest.Golden.File,
			Msg: "the golden vectors are invalid", Err: err}
	}
	return cases, nil
}

// trainingOf returns the context of a case. Golden vectors are those of the original pipelines,
// which do not bend outliers.
func trainingOf(t golden.Table) Training {
	return Training{X: golden.Cells(t.XTrain), Categorical: t.Categorical, Y: t.YTrain, raw: true}
}

// refit encodes the training table of a golden case, whose ensemble must be of the kind E. The
// caller closes the context. It returns errNoNetwork if the ensemble is of another kind, or an
// error of Fit.
func refit[E ensemble](
	ctx context.Context, m *Model, t Training, members int,
) (c *Context, e E, err error) {
	if c, err = m.fit(ctx, t, members); err != nil {
		return nil, e, err
	}
	e, ok := c.ensemble.(E)
	if !ok {
		return nil, e, errors.Join(errNoNetwork, c.Close())
	}
	return c, e, nil
}
