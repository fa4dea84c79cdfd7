package pfn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/pfnamp/pfnamp/internal/strictjson"
	"github.com/pfnamp/pfnamp/models"
)

// goldenCase is one table of a bundle's golden vectors, and what every stage of its prediction must
// give, as the exporter's implementation computed it.
type goldenCase interface {
	title() string
	// check compares all lengths with each other and with the manifest.
	check(m *models.Manifest) error
	// replay computes every stage the way Fit and Predict do.
	replay(ctx context.Context, m *Model) (CaseReport, error)
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
			Msg: "not valid golden vectors", Err: err}
	}
	return cases, nil
}

// goldenFile is golden.json with cases of one kind.
type goldenFile[C any] struct {
	Format int `json:"format"`
	Cases  []C `json:"cases"`
}

// readGolden decodes golden.json with cases C and checks every shape.
func readGolden[C any, P interface {
	*C
	goldenCase
}](data []byte, m *models.Manifest) ([]goldenCase, error) {
	var file goldenFile[C]
	if err := strictjson.Decode(data, &file); err != nil {
		return nil, err
	}
	if file.Format != models.FormatVersion {
		return nil, fmt.Errorf("format is %d, this program reads format %d", file.Format,
			models.FormatVersion)
	}
	if len(file.Cases) == 0 {
		return nil, errors.New("no cases")
	}
	var cases []goldenCase
	for i := range file.Cases {
		c := P(&file.Cases[i])
		if err := c.check(m); err != nil {
			return nil, fmt.Errorf("case %q: %w", c.title(), err)
		}
		cases = append(cases, c)
	}
	return cases, nil
}

// cell is a number that JSON may give as null, which reads as NaN.
type cell float64

// UnmarshalJSON reads a number or null.
func (c *cell) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*c = cell(math.NaN())
		return nil
	}
	return json.Unmarshal(data, (*float64)(c))
}

// cells makes a feature table of golden rows.
func cells(rows [][]cell) Matrix {
	m := Matrix{Rows: len(rows), Cols: len(rows[0])}
	for _, row := range rows {
		for _, v := range row {
			m.Data = append(m.Data, float64(v))
		}
	}
	return m
}

// refit encodes the training table of a golden case, whose ensemble must be of the kind E. The
// caller closes the context. The error is errNoNetwork if it is of another kind, or one of Fit.
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

// shaped says whether a tensor has the shape that it must have.
type shaped struct {
	name string
	ok   bool
}

// firstWrong is the error of the first wrong shape, or nil.
func firstWrong(parts []shaped) error {
	for _, s := range parts {
		if !s.ok {
			return fmt.Errorf("%s has a wrong shape", s.name)
		}
	}
	return nil
}

func hasShape[T any](a [][]T, rows, cols int) bool {
	if len(a) != rows {
		return false
	}
	for _, row := range a {
		if len(row) != cols {
			return false
		}
	}
	return true
}

func hasShape3(a [][][]float64, dims [3]int) bool {
	if len(a) != dims[0] {
		return false
	}
	for _, matrix := range a {
		if !hasShape(matrix, dims[1], dims[2]) {
			return false
		}
	}
	return true
}
