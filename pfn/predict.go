package pfn

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/pfnamp/pfnamp/pfn/internal/ort"
	"github.com/pfnamp/pfnamp/pfn/internal/tabicl"
)

// Sizes of the tables that the network runs in one call. On a CPU, 64 rows of one member are as
// fast per row as any larger block (0.13 ms for 300 context rows of 8 features) and need a
// quarter of the memory of four members in one call, which is slower for wide tables.
//
// The kernels of onnxruntime take another path, and round differently, for a single row; they
// give equal bits for two rows and more, wherever a row stands. Blocks are padded to a multiple
// of rowUnit to stay clear of such special cases, and to full size on other devices.
const (
	chunkRows       = 64   // query rows on a CPU
	deviceChunkRows = 1024 // query rows on another device
	rowUnit         = 8
	spanChunks      = 16 // chunks whose results are held at the same time
)

// Predict returns the predictive distribution of every query row, in order. A row's distribution
// does not depend on the other rows of the call, to the last bit on a CPU. No rows give no
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
	span := spanChunks * c.model.chunk
	for first := 0; first < x.Rows; first += span {
		last := min(first+span, x.Rows)
		if err := c.span(ctx, ppds[first:last], x.rows(first, last)); err != nil {
			return nil, err
		}
	}
	return ppds, nil
}

// span predicts up to spanChunks chunks of rows, members and chunks side by side.
func (c *Context) span(ctx context.Context, ppds []*Quantiles, x tabicl.Matrix) error {
	raw, err := c.raw(ctx, x)
	if err != nil {
		return err
	}
	levels := c.model.bundle.Manifest.Head.Levels
	var jobs errgroup.Group
	jobs.SetLimit(c.model.workers)
	for chunk := range raw {
		jobs.Go(func() error {
			first := chunk * c.model.chunk
			rows := ppds[first:min(first+c.model.chunk, len(ppds))]
			for i := range rows {
				rows[i] = c.rescale(combine(raw[chunk], i*levels, levels))
			}
			return nil
		})
	}
	return jobs.Wait()
}

// combine averages the distributions of one row, whose quantiles start at offset at of every
// member's output.
func combine(members [][]float32, at, levels int) *Quantiles {
	each := make([]*Quantiles, len(members))
	for b, raw := range members {
		each[b] = newQuantiles(widen(raw[at : at+levels]))
	}
	return average(each)
}

// raw runs the network and returns, for every chunk of rows and every member, the quantiles
// [rows, Q] of the chunk; padding may follow.
func (c *Context) raw(ctx context.Context, x tabicl.Matrix) ([][][]float32, error) {
	size, h := c.model.chunk, c.encoder.Width()
	chunks := (x.Rows + size - 1) / size
	raw := make([][][]float32, chunks)
	jobs, ctx := errgroup.WithContext(ctx)
	jobs.SetLimit(c.model.workers)
	for k := range raw {
		first, last := k*size, min((k+1)*size, x.Rows)
		block := c.pad(tabicl.Matrix{Rows: last - first, Cols: x.Cols,
			Data: x.Data[first*x.Cols : last*x.Cols]})
		features := c.encoder.Transform(block)
		raw[k] = make([][]float32, len(c.encoded))
		for b := range c.encoded {
			jobs.Go(func() (err error) {
				part := features[b*block.Rows*h : (b+1)*block.Rows*h]
				raw[k][b], err = c.query(ctx, b, ort.Tensor{
					Shape: shape(1, block.Rows, h), Data: part})
				return err
			})
		}
	}
	return raw, jobs.Wait()
}

// query runs the query graph for one member and a block of features [1, rows, H].
func (c *Context) query(ctx context.Context, member int, x ort.Tensor) ([]float32, error) {
	out, err := c.model.query.Run(ctx, map[string]ort.Tensor{
		"X_test": x, "colkv": c.encoded[member].colkv, "iclkv": c.encoded[member].iclkv,
	})
	if err != nil {
		return nil, err
	}
	levels := c.model.bundle.Manifest.Head.Levels
	if len(out[0].Data) != int(x.Shape[1])*levels {
		return nil, &ModelError{c.model.name(), fmt.Sprintf(
			"quantiles have shape %v, need [1 %d %d]", out[0].Shape, x.Shape[1], levels)}
	}
	if !finite(out[0].Data) {
		return nil, &ModelError{c.model.name(), "the quantiles contain NaN or Inf"}
	}
	return out[0].Data, nil
}

// pad repeats the last row of a block until its size is one that the network is run with.
func (c *Context) pad(x tabicl.Matrix) tabicl.Matrix {
	rows := c.model.chunk
	if rows == chunkRows {
		rows = (x.Rows + rowUnit - 1) / rowUnit * rowUnit
	}
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

func widen(values []float32) []float64 {
	wide := make([]float64, len(values))
	for i, v := range values {
		wide[i] = float64(v)
	}
	return wide
}
