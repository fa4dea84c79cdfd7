package pfn

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/pfn/internal/ort"
)

// Sizes of the tables that the network runs in one call. A call costs about 2 ms whatever its
// size, so that on a CPU 256 rows of one member take three quarters of the time per row of 64 and
// hardly more than 1,200, in less memory; four members in one call are slower for wide tables.
//
// The kernels of onnxruntime take another path, and round differently, for a single row; they
// give equal bits for two rows and more, wherever a row stands. Blocks are padded to a multiple
// of rowUnit to stay clear of that, and to full size on other devices.
const (
	chunkRows       = 256  // query rows on a CPU
	deviceChunkRows = 1024 // query rows on another device
	rowUnit         = 2
	leastRows       = 32 // query rows that are worth a call
	spanChunks      = 4  // chunks whose results are held at the same time
)

// Predict returns the predictive distribution of every query row, in order: *Quantiles or, of a
// TabPFN network, *Bars. A row's distribution does not depend on the other rows of the call, to
// the last bit on a CPU. No rows give no distributions. Errors are *InputError, *ModelError,
// *NativeError, *TaskError of a classifier, ErrClosed or the cause of a cancelled ctx.
func (c *Context) Predict(ctx context.Context, x Matrix) ([]PPD, error) {
	if c.bars != nil {
		return c.predictBars(ctx, x)
	}
	if c.classes != nil {
		return nil, &TaskError{Model: c.model.name(), Classifier: true}
	}
	results, err := c.predict(ctx, x, 1)
	if err != nil {
		return nil, err
	}
	return distributions(results[0]), nil
}

// distributions lists quantile distributions as what they are to callers.
func distributions(rows []*Quantiles) []PPD {
	ppds := make([]PPD, len(rows))
	for i, d := range rows {
		ppds[i] = d
	}
	return ppds
}

// admit checks a query table and keeps the model open until closing.RUnlock.
func (c *Context) admit(x Matrix) error {
	if err := checkMatrix(x, "query"); err != nil {
		return err
	}
	if x.Cols != c.features && x.Rows > 0 {
		return &InputError{Table: "query", Row: -1, Col: -1, Msg: fmt.Sprintf(
			"%d features, the context has %d", x.Cols, c.features)}
	}
	if c.closed.Load() {
		return ErrClosed
	}
	return c.model.acquire()
}

// predict returns the distributions of the first so many heads, by head and row.
func (c *Context) predict(ctx context.Context, x Matrix, heads int) ([][]*Quantiles, error) {
	if err := c.admit(x); err != nil {
		return nil, err
	}
	defer c.model.closing.RUnlock()
	results := make([][]*Quantiles, heads)
	for k := range results {
		results[k] = make([]*Quantiles, x.Rows)
		for i := range x.Rows {
			if c.fixed != nil {
				results[k][i] = c.fixed[k]
			}
		}
	}
	if c.fixed != nil {
		return results, context.Cause(ctx)
	}
	span := spanChunks * c.model.chunk
	for first := 0; first < x.Rows; first += span {
		part := make([][]*Quantiles, heads)
		last := min(first+span, x.Rows)
		for k, rows := range results {
			part[k] = rows[first:last]
		}
		if err := c.span(ctx, part, x.Span(first, last)); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// blockRows is the size of the blocks that so many rows are run in: the model's chunk, or less
// where workers would be idle otherwise.
func (c *Context) blockRows(rows int) int {
	m := c.model
	blocks := (rows + m.chunk - 1) / m.chunk
	for blocks*c.Members()%m.workers != 0 && rows >= leastRows*(blocks+1) {
		blocks++
	}
	size := (rows + blocks - 1) / blocks
	return (size + rowUnit - 1) / rowUnit * rowUnit
}

// span predicts up to spanChunks chunks of rows, members and blocks of rows side by side.
func (c *Context) span(ctx context.Context, results [][]*Quantiles, x Matrix) error {
	raw, err := c.raw(ctx, x, len(results))
	if err != nil {
		return err
	}
	var jobs errgroup.Group
	jobs.SetLimit(c.model.workers)
	size := c.blockRows(x.Rows)
	for block, outputs := range raw {
		jobs.Go(func() error {
			first := block * size
			last := min(first+size, x.Rows)
			for k, members := range outputs {
				levels := c.model.heads[k].levels
				for i := range last - first {
					results[k][first+i] = c.rescale(combine(members, i*levels, levels))
				}
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

// raw runs the network and returns, for every block of rows, head and member, the quantiles
// [rows, levels] of the block; padding may follow.
func (c *Context) raw(ctx context.Context, x Matrix, heads int) ([][][][]float32, error) {
	size, h := c.blockRows(x.Rows), c.encoder.Width()
	raw := make([][][][]float32, (x.Rows+size-1)/size)
	jobs, ctx := errgroup.WithContext(ctx)
	jobs.SetLimit(c.model.workers)
	for k := range raw {
		first, last := k*size, min((k+1)*size, x.Rows)
		block := c.pad(x.Span(first, last))
		features := c.encoder.Transform(block)
		raw[k] = make([][][]float32, heads)
		for i := range heads {
			raw[k][i] = make([][]float32, len(c.encoded))
		}
		for b := range c.encoded {
			jobs.Go(func() error {
				part := features[b*block.Rows*h : (b+1)*block.Rows*h]
				out, err := c.query(ctx, b, ort.Tensor{
					Shape: shape(1, block.Rows, h), Data: part})
				for i := 0; i < heads && err == nil; i++ {
					raw[k][i][b], err = c.model.output(c.model.heads[i], out, block.Rows)
				}
				return err
			})
		}
	}
	return raw, jobs.Wait()
}

// query runs the query graph for one member and a block of features [1, rows, H].
func (c *Context) query(ctx context.Context, member int, x ort.Tensor) ([]ort.Tensor, error) {
	in := map[string]ort.Tensor{"X_test": x}
	for i, port := range c.model.caches {
		in[port.Name] = c.encoded[member][i]
	}
	return c.model.query.Run(ctx, in)
}

// pad repeats the last row of a block until its size is one that the network is run with.
func (c *Context) pad(x Matrix) Matrix {
	rows := c.model.chunk
	if rows == chunkRows {
		rows = (x.Rows + rowUnit - 1) / rowUnit * rowUnit
	}
	if x.Rows == rows {
		return x
	}
	out := matrix.New(rows, x.Cols)
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
