package pfn

import (
	"context"
	"fmt"

	"github.com/pfnamp/pfnamp/pfn/internal/ort"
	"github.com/pfnamp/pfnamp/pfn/internal/tabicl"
)

const (
	groupSize = 4  // members that the network runs in one call
	chunkRows = 64 // query rows that the network runs in one call
)

// Predict returns the predictive distribution of every query row, in order. A row's distribution
// does not depend on the other rows of the call, to the last bit on the CPU. No rows give no
// distributions. Errors are *InputError, *ModelError, *NativeError, ErrClosed or the cause of a
// cancelled ctx.
func (c *Context) Predict(ctx context.Context, x Matrix) ([]*Quantiles, error) {
	if err := x.check("query"); err != nil {
		return nil, err
	}
	if x.Cols != c.features && x.Rows > 0 {
		return nil, &InputError{Table: "query", Row: -1, Col: -1, Msg: fmt.Sprintf(
			"%d features, the context has %d", x.Cols, c.features)}
	}
	if c.closed.Load() {
		return nil, ErrClosed
	}
	if err := c.model.acquire(); err != nil {
		return nil, err
	}
	defer c.model.closing.RUnlock()
	ppds := make([]*Quantiles, x.Rows)
	if c.fixed != nil {
		for i := range ppds {
			ppds[i] = c.fixed
		}
		return ppds, context.Cause(ctx)
	}
	for first := 0; first < x.Rows; first += chunkRows {
		last := min(first+chunkRows, x.Rows)
		if err := c.chunk(ctx, ppds[first:last], x.rows(first, last)); err != nil {
			return nil, err
		}
	}
	return ppds, nil
}

// chunk predicts up to chunkRows rows. The network always sees exactly chunkRows rows, the last
// one repeated as needed, because the kernels of onnxruntime may round differently for matrices
// of another shape.
func (c *Context) chunk(ctx context.Context, ppds []*Quantiles, x tabicl.Matrix) error {
	raw, err := c.raw(ctx, c.encoder.Transform(pad(x, chunkRows)))
	if err != nil {
		return err
	}
	levels := c.model.bundle.Manifest.Head.Levels
	members := make([]*Quantiles, len(c.encoder.Members))
	for i := range ppds {
		for b := range members {
			at := (b*chunkRows + i) * levels
			members[b] = newQuantiles(widen(raw[at : at+levels]))
		}
		ppds[i] = c.rescale(average(members))
	}
	return nil
}

func widen(values []float32) []float64 {
	wide := make([]float64, len(values))
	for i, v := range values {
		wide[i] = float64(v)
	}
	return wide
}

// raw runs the query graph for the features [B, chunkRows, H] of all members and returns the
// network's quantiles [B, chunkRows, Q].
func (c *Context) raw(ctx context.Context, features []float32) ([]float32, error) {
	h, levels := c.encoder.Width(), c.model.bundle.Manifest.Head.Levels
	all := make([]float32, 0, len(c.encoder.Members)*chunkRows*levels)
	for _, g := range c.groups {
		block := features[g.first*chunkRows*h:][:g.members*chunkRows*h]
		out, err := c.model.query.Run(ctx, map[string]ort.Tensor{
			"X_test": {Shape: shape(g.members, chunkRows, h), Data: block},
			"colkv":  g.colkv,
			"iclkv":  g.iclkv,
		})
		if err != nil {
			return nil, err
		}
		if len(out[0].Data) != g.members*chunkRows*levels {
			return nil, &ModelError{c.model.name(), fmt.Sprintf(
				"quantiles have shape %v, need [%d %d %d]", out[0].Shape, g.members, chunkRows,
				levels)}
		}
		if !finite(out[0].Data) {
			return nil, &ModelError{c.model.name(), "the quantiles contain NaN or Inf"}
		}
		all = append(all, out[0].Data...)
	}
	return all, nil
}

// pad repeats the last row until there are rows rows.
func pad(x tabicl.Matrix, rows int) tabicl.Matrix {
	if x.Rows == rows {
		return x
	}
	out := tabicl.NewMatrix(rows, x.Cols)
	copy(out.Data, x.Data)
	for i := x.Rows; i < rows; i++ {
		copy(out.Data[i*x.Cols:(i+1)*x.Cols], x.Data[(x.Rows-1)*x.Cols:])
	}
	return out
}
