package pfn

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/pfn/internal/ort"
)

// Sizes of the tables in one run of the network. A run costs about 2 ms whatever its size. So on a
// CPU 256 rows of one member take three quarters of the time per row of 64 rows. They take hardly
// more than 1,200 rows, and less memory. Four members in one run are slower for wide tables.
//
// For a single row, the kernels of onnxruntime take another path and round differently. For two and
// more rows they give equal bits, wherever a row is. So blocks are padded to a multiple of rowUnit.
// Other devices have blocks of their own, see [Context.deviceBlock].
const (
	chunkRows    = 256 // query rows on a CPU
	rowUnit      = 2
	leastRows    = 32 // least query rows in a run
	spanChunks   = 4  // chunks whose results are held at the same time, limited in bytes too
	spanBytes    = 256 << 20
	combinedRows = 32 // rows that one goroutine combines; their trends share work
)

// admit checks a query table and keeps the model open until closing.RUnlock.
func (c *Context) admit(x Matrix) error {
	if err := checkMatrix(x, "query"); err != nil {
		return err
	}
	scored := c.trees != nil && x.Cols == c.columns+len(c.trees.Scores)
	if x.Cols != c.columns && !scored && x.Rows > 0 {
		return &InputError{Table: "query", Row: -1, Col: -1, Msg: fmt.Sprintf(
			"the table has %d features, but the context has %d", x.Cols, c.columns)}
	}
	if c.closed.Load() {
		return ErrClosed
	}
	return c.model.acquire()
}

// predict returns the parts of these voices for every row.
func (c *Context) predict(ctx context.Context, x Matrix, asked []*voice) ([]Result, error) {
	if err := c.admit(x); err != nil {
		return nil, err
	}
	defer c.model.closing.RUnlock()
	return c.answer(ctx, x, asked)
}

// answer is predict for rows that were checked.
func (c *Context) answer(ctx context.Context, x Matrix, asked []*voice) ([]Result, error) {
	x, err := c.trees.Beside(x)
	if err != nil {
		return nil, err
	}
	if c.nodes != nil {
		return c.answerNodes(ctx, x, len(asked) > 1)
	}
	results := make([]Result, x.Rows)
	span := c.span(asked)
	var combining errgroup.Group // on a device, of the span before the one that it runs
	combining.SetLimit(1)
	defer combining.Wait()
	for first := 0; first < x.Rows; first += span {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		blocks, err := c.fitted(func() ([]block, error) {
			return c.run(ctx, x, block{first: first, rows: min(span, x.Rows-first)}, asked)
		})
		if err != nil {
			return nil, c.model.tooLarge(err, x, "query")
		}
		combine := func() error { return c.combineBlocks(x, blocks, asked, results) }
		if c.model.binds {
			combining.Go(panics.Job(combine))
		} else if err := combine(); err != nil {
			return nil, err
		}
	}
	return results, combining.Wait()
}

// combineBlocks makes the results of all rows of blocks, with rows in parallel.
func (c *Context) combineBlocks(
	x Matrix, blocks []block, asked []*voice, results []Result,
) error {
	var jobs errgroup.Group
	jobs.SetLimit(max(1, c.model.info.Threads))
	for _, b := range blocks {
		for first := 0; first < b.rows; first += combinedRows {
			jobs.Go(panics.Job(func() error {
				last := min(first+combinedRows, b.rows)
				trends := trendsOf(c.ensemble, x.Span(b.first+first, b.first+last))
				for i := first; i < last; i++ {
					var w weighing
					for _, v := range asked {
						members := b.row(v, i)
						trends.add(i-first, members)
						if v.role == ofLabel {
							w = trends.weigh(i-first, members)
							w.doubtTrees(c, members)
							if n := len(w.trees); c.target.classes > 0 && n > 0 && !c.trees.Within {
								w.scores = x.Row(b.first + i)[x.Cols-n:]
							}
						}
						results[b.first+i].put(v.combine(members, w))
					}
				}
				return nil
			}))
		}
	}
	return jobs.Wait()
}

// block is a range of rows of a query table, with the network's output for them.
type block struct {
	first, rows int
	raw         [roles][][]float32 // by member [rows, size]; padding may follow
}

// row returns every member's output for row i of the block, for one head.
func (b block) row(v *voice, i int) [][]float32 {
	members, size := make([][]float32, len(b.raw[v.role])), v.output.size()
	for m, raw := range b.raw[v.role] {
		members[m] = raw[i*size : (i+1)*size]
	}
	return members
}

// blockRows returns the size of blocks for this number of rows: the model's chunk, or less if
// workers would be idle.
func (c *Context) blockRows(rows int) int {
	m := c.model
	if m.binds {
		return min(c.deviceBlock(), powerOfTwo(rows))
	}
	blocks := (rows + m.chunk - 1) / m.chunk
	for blocks*c.Members()%m.workers != 0 && rows >= leastRows*(blocks+1) {
		blocks++
	}
	size := (rows + blocks - 1) / blocks
	return (size + rowUnit - 1) / rowUnit * rowUnit
}

// run returns the network's output for a range of rows of a table and some heads. It splits the
// range into blocks; members and blocks run in parallel.
func (c *Context) run(
	ctx context.Context, x Matrix, span block, asked []*voice,
) ([]block, error) {
	size, last := c.blockRows(span.rows), span.first+span.rows
	var blocks []block
	jobs, ctx := errgroup.WithContext(ctx)
	jobs.SetLimit(c.model.workers)
	for first := span.first; first < last; first += size {
		b := block{first: first, rows: min(size, last-first)}
		for _, v := range asked {
			b.raw[v.role] = make([][]float32, c.Members())
		}
		blocks = append(blocks, b)
		rows := c.pad(x.Span(first, first+b.rows))
		for member, features := range c.ensemble.queries(rows) {
			jobs.Go(panics.Job(func() error {
				raw, err := c.ask(ctx, member, features, asked, b)
				for _, v := range asked {
					b.raw[v.role][member] = raw[v.role]
				}
				return err
			}))
		}
	}
	return blocks, jobs.Wait()
}

// span returns how many query rows' results are held at the same time: a few chunks, or less for
// very many classes.
func (c *Context) span(asked []*voice) int {
	bytes := 0
	for _, v := range asked {
		bytes += 4 * c.Members() * v.output.size()
	}
	if c.model.binds { // a block that need not be padded
		return powerOfTwo(spanRows(c.deviceBlock(), bytes)/2 + 1)
	}
	return spanRows(spanChunks*c.model.chunk, bytes)
}

// spanRows returns at most this number of rows, of bytes each.
func spanRows(most, bytes int) int {
	return max(rowUnit, min(most, spanBytes/max(1, bytes)/rowUnit*rowUnit))
}

// said is the output of one member for a block of query rows, [rows, size] by the role of the head.
type said [roles][]float32

// ask returns the output of one member for a block of query rows with features [1, rows, width].
func (c *Context) ask(
	ctx context.Context, member int, features ort.Tensor, asked []*voice, b block,
) (raw said, err error) {
	if c.hierarchy != nil {
		return c.askTree(ctx, member, features, asked[0], b)
	}
	out, err := c.query(ctx, member, features, asked)
	if err != nil {
		return raw, err
	}
	for _, v := range asked {
		if raw[v.role], err = c.model.read(v, out, b, int(features.Shape[1])); err != nil {
			return raw, err
		}
	}
	return raw, nil
}

// query runs the query graph for one member with features [1, rows, width], for at least some
// heads.
func (c *Context) query(
	ctx context.Context, member int, x ort.Tensor, asked []*voice,
) ([]ort.Tensor, error) {
	session, err := c.model.loadQuery(ctx, c.precision)
	if err != nil {
		return nil, err
	}
	rows, columns := c.rows+int(x.Shape[1]), int(x.Shape[2])
	ctx, stop := c.model.within(ctx, "running its query graph", rows, columns)
	defer stop()
	if c.model.binds {
		return c.queryBound(ctx, member, x, asked)
	}
	in := named(c.model.caches, c.encoded[member])
	in["X_test"] = x
	return session.Run(ctx, in)
}

// named returns tensors as the inputs of a graph.
func named(ports []ort.Port, tensors []ort.Tensor) map[string]ort.Tensor {
	in := map[string]ort.Tensor{}
	for i, port := range ports {
		in[port.Name] = tensors[i]
	}
	return in
}

// pad repeats the last row of a block until its size is one of the network's sizes.
func (c *Context) pad(x Matrix) Matrix {
	rows := (x.Rows + rowUnit - 1) / rowUnit * rowUnit
	if c.model.binds {
		rows = powerOfTwo(x.Rows)
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
