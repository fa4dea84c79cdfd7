package pfn

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/pfn/internal/tabicl"
)

// sameBits reports whether two distributions are equal to the last bit.
func sameBits(a, b *distr.Quantiles) bool {
	return slices.Equal(a.Knots, b.Knots) && a.Left == b.Left && a.Right == b.Right &&
		a.Location == b.Location && a.Scale == b.Scale
}

// checkRows fails at the first row whose distribution has other bits than the wanted one.
func checkRows(t testing.TB, what string, got, want []*distr.Quantiles) {
	t.Helper()
	for i, d := range got {
		if !sameBits(d, want[i]) {
			t.Fatalf("%s: row %d differs", what, i)
		}
	}
}

// A row's distribution does not depend on the other rows of the call.
func TestBatchInvariance(t *testing.T) {
	for _, features := range []int{1, 2, 5, 13} {
		t.Run(fmt.Sprint(features, " features"), func(t *testing.T) {
			m := embedded(t, "default")
			c := fit(t, m, synthetic(1, 60, features))
			query := synthetic(2, 150, features).X
			query.Data[3] = math.NaN()
			all := predict(t, c, query)
			r := rand.New(rand.NewPCG(3, 3))
			order := r.Perm(query.Rows)
			for k, d := range predict(t, c, query.Take(order)) {
				if !sameBits(d, all[order[k]]) {
					t.Fatalf("row %d differs when the rows are shuffled", order[k])
				}
			}
			for i := range query.Rows {
				if i%7 == 0 && !sameBits(predict(t, c, query.Take([]int{i}))[0], all[i]) {
					t.Fatalf("row %d differs when it is alone", i)
				}
			}
			for first := 0; first < query.Rows; {
				last := min(first+1+r.IntN(90), query.Rows)
				part := predict(t, c, query.Span(first, last))
				checkRows(t, fmt.Sprintf("rows from %d to %d", first, last), part, all[first:last])
				first = last
			}
		})
	}
}

// Results do not depend on the number of threads, which decides into how many blocks the rows are
// split.
func TestThreadInvariance(t *testing.T) {
	train, query := synthetic(1, 80, 6), synthetic(2, 100, 6).X
	for _, members := range []int{1, 4} {
		var first []*distr.Quantiles
		for _, threads := range []int{1, 2, 3, 8} {
			m := open(t, Options{Threads: threads, Members: members})
			ppds := predict(t, fit(t, m, train), query)
			if first == nil {
				first = ppds
			}
			checkRows(t, fmt.Sprintf("%d members, %d threads", members, threads), ppds, first)
			m.Close()
		}
	}
}

func TestBlockRows(t *testing.T) {
	for _, c := range []struct{ members, workers, rows, want int }{
		{4, 2, 1, 2}, {4, 2, 100, 100}, {4, 2, 257, 130}, // members occupy the workers
		{1, 2, 100, 50}, {1, 2, 63, 64}, {1, 2, 1024, 256}, {1, 2, 600, 150},
		{4, 8, 100, 50}, {4, 16, 100, 34}, {3, 2, 90, 46},
	} {
		m := &Model{chunk: chunkRows, workers: c.workers}
		of := &Context{model: m, ensemble: tabiclEnsemble{&tabicl.Transformer{
			Members: make([]tabicl.Member, c.members)}}}
		if got := of.blockRows(c.rows); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

// Sizes other than those with which the graphs were traced, down to the smallest.
func TestSizes(t *testing.T) {
	m := embedded(t, "default")
	limits := m.Bundle().Manifest.Limits
	for _, size := range [][2]int{{2, 1}, {3, 2}, {17, 1}, {40, limits.MaxFeatures}, {500, 3}} {
		c := fit(t, m, synthetic(8, size[0], size[1]))
		// two norms, with and without a trend
		if want := min(m.Members(), 4*c.ensemble.features()); c.Members() != want {
			t.Errorf("%v: %d members, want %d", size, c.Members(), want)
		}
		for i, d := range predict(t, c, synthetic(9, 3, size[1]).X) {
			if d.Scale == 0 || !(d.Variance() > 0) || math.IsInf(d.Variance(), 0) {
				t.Errorf("%v: row %d has variance %g", size, i, d.Variance())
			}
		}
	}
}

func TestExtremeValues(t *testing.T) {
	m := embedded(t, "default")
	for _, scale := range []float64{1e300, 1e-300, 1e308 / 3, math.SmallestNonzeroFloat64} {
		train, query := synthetic(15, 50, 3), synthetic(16, 8, 3).X
		for i := range train.X.Rows {
			train.X.Data[i*3] *= scale / 4
		}
		query.Data[0], query.Data[3], query.Data[7] = math.MaxFloat64, -math.MaxFloat64, scale
		for i, d := range predict(t, fit(t, m, train), query) {
			if v := d.Mean() + d.Variance(); math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("scale %g, row %d: mean %g, variance %g", scale, i, d.Mean(),
					d.Variance())
			}
		}
	}
	train := synthetic(17, 40, 2)
	for i := range train.Y {
		train.Y[i] *= 1e298
	}
	for i, d := range predict(t, fit(t, m, train), synthetic(18, 5, 2).X) {
		if v := d.Quantile(1e-12) + d.Quantile(0.5) + d.Mean(); math.IsNaN(v) || math.IsInf(v, 0) {
			t.Errorf("row %d of a huge target: %g", i, v)
		}
	}
}

func TestFeaturesWithoutInformation(t *testing.T) {
	m := embedded(t, "default")
	train := synthetic(1, 200, 2)
	for i := range train.X.Data {
		train.X.Data[i] = 7
	}
	c := fit(t, m, train)
	if !c.Marginal() || c.Degenerate() || c.ensemble.features() != 0 || c.Members() != 0 {
		t.Error("features that do not vary must be flagged")
	}
	d := predict(t, c, Matrix{Rows: 1, Cols: 2, Data: []float64{1, 2}})[0]
	sorted := slices.Sorted(slices.Values(train.Y))
	if got := d.Quantile(0.5); math.Abs(got-(sorted[99]+sorted[100])/2) > 1e-6 {
		t.Errorf("median %g is not that of the target", got)
	}
}

func TestCancel(t *testing.T) {
	m := embedded(t, "default")
	c := fit(t, m, synthetic(1, 60, 4))
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	if _, err := c.Predict(ctx, synthetic(2, 10, 4).X); !errors.Is(err, cause) {
		t.Errorf("Predict returned %v", err)
	}
	if _, err := m.Fit(ctx, synthetic(1, 60, 4)); !errors.Is(err, cause) {
		t.Errorf("Fit returned %v", err)
	}
	ctx, cancel = context.WithCancelCause(t.Context())
	done := make(chan error)
	go func() {
		_, err := c.Predict(ctx, synthetic(2, 20000, 4).X)
		done <- err
	}()
	cancel(cause)
	if err := <-done; !errors.Is(err, cause) {
		t.Errorf("a running Predict returned %v", err)
	}
	predict(t, c, synthetic(2, 10, 4).X) // the model is still usable
}
