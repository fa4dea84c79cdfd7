package pfn

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/models"
)

// bundle returns the embedded bundle.
func bundle(t testing.TB) *models.Bundle {
	t.Helper()
	b, err := models.Default()
	must.Succeed(t, err)
	return b
}

// open is openLoaded of the embedded bundle.
func open(t testing.TB, opt Options) *Model {
	t.Helper()
	return openLoaded(t, bundle(t), opt)
}

// openLoaded loads a bundle into onnxruntime until the end of the test.
func openLoaded(t testing.TB, b *models.Bundle, opt Options) *Model {
	t.Helper()
	opt.Library = orttest.Library(t)
	m, err := Open(b, opt)
	must.Succeed(t, err)
	t.Cleanup(func() {
		if err := m.Close(); err != nil && err != ErrClosed {
			t.Error(err)
		}
	})
	return m
}

// fit fits a context until the end of the test.
func fit(t testing.TB, m *Model, train Training) *Context {
	t.Helper()
	c, err := m.Fit(t.Context(), train)
	must.Succeed(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}

// predict returns the distributions of all rows.
func predict(t testing.TB, c *Context, x Matrix) []*distr.Quantiles {
	t.Helper()
	ppds, err := c.Predict(t.Context(), x)
	must.Succeed(t, err)
	if len(ppds) != x.Rows {
		t.Fatalf("%d distributions for %d rows", len(ppds), x.Rows)
	}
	rows := make([]*distr.Quantiles, len(ppds))
	for i, ppd := range ppds {
		rows[i] = ppd.(*distr.Quantiles)
	}
	return rows
}

// synthetic makes a table of normal features with a smooth noisy target.
func synthetic(seed uint64, rows, cols int) Training {
	r := rand.New(rand.NewPCG(seed, 1))
	t := Training{X: Matrix{Rows: rows, Cols: cols, Data: make([]float64, rows*cols)}}
	for i := range t.X.Data {
		t.X.Data[i] = r.NormFloat64()
	}
	for i := range rows {
		x := t.X.Data[i*cols : (i+1)*cols]
		t.Y = append(t.Y, 3+2*math.Sin(x[0])+x[cols-1]+0.3*r.NormFloat64())
	}
	return t
}
