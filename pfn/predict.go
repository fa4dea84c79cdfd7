package pfn

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/internal/panics"
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
	spanChunks      = 4  // chunks whose results are held at the same time, in as many bytes at most
	spanBytes       = 256 << 20
	combinedRows    = 32 // rows that one goroutine combines, after what their trends have in common
)

// Predict returns the predictive distribution of every query row, in order: *Quantiles or, of a
// TabPFN network, *Bars. A row's distribution does not depend on the other rows of the call, to
// the last bit on a CPU. No rows give no distributions. Errors are *InputError, *ModelError,
// *NativeError, *TimeLimitError, *TaskError of a classifier, ErrClosed or the cause of a cancelled
// ctx.
func (c *Context) Predict(ctx context.Context, x Matrix) ([]PPD, error) {
	if c.model.Classifier() {
		return nil, &TaskError{Model: c.model.name(), Classifier: true}
	}
	results, err := c.predict(ctx, x, 1)
	if err != nil {
		return nil, err
	}
	return listed[PPD](results[0]), nil
}

// listed are distributions of a head as what they are.
func listed[D any](rows []any) []D {
	list := make([]D, len(rows))
	for i, d := range rows {
		list[i] = d.(D)
	}
	return list
}

// admit checks a query table and keeps the model open until closing.RUnlock.
func (c *Context) admit(x Matrix) error {
	if err := checkMatrix(x, "query"); err != nil {
		return err
	}
	if x.Cols != c.columns && x.Rows > 0 {
		return &InputError{Table: "query", Row: -1, Col: -1, Msg: fmt.Sprintf(
			"%d features, the context has %d", x.Cols, c.columns)}
	}
	if c.closed.Load() {
		return ErrClosed
	}
	return c.model.acquire()
}

// predict returns the distributions of the first so many heads, by head and row.
func (c *Context) predict(ctx context.Context, x Matrix, heads int) ([][]any, error) {
	if err := c.admit(x); err != nil {
		return nil, err
	}
	defer c.model.closing.RUnlock()
	if x.Rows > 0 && c.Members() > 0 && c.hierarchy == nil {
		if err := c.model.loadQuery(ctx); err != nil {
			return nil, err
		}
	}
	results := make([][]any, heads)
	for k := range results {
		results[k] = make([]any, x.Rows)
	}
	span := c.span(heads)
	for first := 0; first < x.Rows; first += span {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		blocks, err := c.run(ctx, x, block{first: first, rows: min(span, x.Rows-first)}, heads)
		if err != nil {
			return nil, c.model.tooLarge(err, x, "query")
		}
		if err := c.combineBlocks(x, blocks, results); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// combineBlocks makes the distributions of all rows of blocks of a table, rows side by side.
func (c *Context) combineBlocks(x Matrix, blocks []block, results [][]any) error {
	var jobs errgroup.Group
	jobs.SetLimit(c.model.workers)
	for _, b := range blocks {
		for first := 0; first < b.rows; first += combinedRows {
			jobs.Go(panics.Job(func() error {
				last := min(first+combinedRows, b.rows)
				trends := trendsOf(c.ensemble, x.Span(b.first+first, b.first+last))
				for i := first; i < last; i++ {
					var w weighing
					for k, rows := range results {
						members := b.row(k, i, c.output(k).size())
						trends.add(i-first, members)
						if k == 0 {
							w = trends.weigh(i-first, members)
						}
						rows[b.first+i] = c.combiners[k](members, w)
					}
				}
				return nil
			}))
		}
	}
	return jobs.Wait()
}

// block is a range of the rows of a query table, and what the network returns for them.
type block struct {
	first, rows int
	raw         [][][]float32 // by head and member [rows, size]; padding may follow
}

// row returns what every member says of row i of the block for head k.
func (b block) row(k, i, size int) [][]float32 {
	members := make([][]float32, len(b.raw[k]))
	for m, raw := range b.raw[k] {
		members[m] = raw[i*size : (i+1)*size]
	}
	return members
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

// run returns what the network returns for a range of the rows of a table and the first so many
// heads. The range is split into blocks; members and blocks run side by side.
func (c *Context) run(ctx context.Context, x Matrix, span block, heads int) ([]block, error) {
	size, last := c.blockRows(span.rows), span.first+span.rows
	var blocks []block
	jobs, ctx := errgroup.WithContext(ctx)
	jobs.SetLimit(c.model.workers)
	for first := span.first; first < last; first += size {
		b := block{first, min(size, last-first), make([][][]float32, heads)}
		for k := range b.raw {
			b.raw[k] = make([][]float32, c.Members())
		}
		blocks = append(blocks, b)
		rows := c.pad(x.Span(first, first+b.rows))
		for member, features := range c.ensemble.queries(rows) {
			jobs.Go(panics.Job(func() error {
				raw, err := c.ask(ctx, member, features, heads, b)
				for k := range raw {
					b.raw[k][member] = raw[k]
				}
				return err
			}))
		}
	}
	return blocks, jobs.Wait()
}

// output is what head k returns for one member and row of this context.
func (c *Context) output(k int) output {
	o := c.model.heads[k].output()
	if c.hierarchy != nil {
		o.shape = append([]int{c.target.classes}, o.shape[1:]...)
	}
	return o
}

// span is the number of query rows whose results are held at the same time: those of a few chunks,
// or fewer of very many classes.
func (c *Context) span(heads int) int {
	bytes := 0
	for k := range heads {
		bytes += 4 * c.Members() * c.output(k).size()
	}
	return spanRows(spanChunks*c.model.chunk, bytes)
}

// spanRows is at most the given number of rows, of so many bytes each.
func spanRows(most, bytes int) int {
	return max(rowUnit, min(most, spanBytes/max(1, bytes)/rowUnit*rowUnit))
}

// ask returns what one member says of a block of query rows, its features [1, rows, width], for the
// first so many heads: [rows, size] each.
func (c *Context) ask(
	ctx context.Context, member int, features ort.Tensor, heads int, b block,
) ([][]float32, error) {
	if c.hierarchy != nil {
		return c.askTree(ctx, member, features, heads, b)
	}
	out, err := c.query(ctx, member, features, heads)
	raw := make([][]float32, heads)
	for k := 0; k < heads && err == nil; k++ {
		raw[k], err = c.model.read(c.model.heads[k], out, b, int(features.Shape[1]))
	}
	return raw, err
}

// query runs the query graph for one member and its features [1, rows, width], for the first so many
// heads at least.
func (c *Context) query(
	ctx context.Context, member int, x ort.Tensor, heads int,
) ([]ort.Tensor, error) {
	rows, columns := c.rows+int(x.Shape[1]), int(x.Shape[2])
	ctx, stop := c.model.within(ctx, "running its query graph", rows, columns)
	defer stop()
	if c.model.binds {
		return c.queryBound(ctx, member, x, heads)
	}
	in := map[string]ort.Tensor{"X_test": x}
	for i, port := range c.model.caches {
		in[port.Name] = c.encoded[member][i]
	}
	return c.model.query.session.Run(ctx, in)
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
		copy(out.Row(i), x.Row(x.Rows-1))
	}
	return out
}
