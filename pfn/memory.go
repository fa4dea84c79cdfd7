package pfn

import (
	"fmt"
	"math"
	"strings"

	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/ort"
)

// Constants of the estimate of memory. They were fitted to peaks of whole processes with the
// embedded bundle and small networks of every family (docs/design/trust.md has both).
const (
	programBytes = 96 << 20 // program, library and what every job takes
	graphShare   = 2.5      // bytes for every byte of both graphs
	spareShare   = 1.1      // what allocators and the garbage collector add
	rowCopies    = 4        // arrays of [rows, row width] in a run
	answerBytes  = 8 << 10  // for a query row, and
	levelCopies  = 2        // float64 for every level of the heads
	manyShare    = 1.2      // for every byte of several contexts
	refitBytes   = 64 << 20 // for repeated fits: chains and results, and
	refitShare   = 1.25     // what the kept context graph has grown to, for every byte of a run
)

// cost is what differs between families in the estimate, fitted likewise.
type cost struct {
	copies   float64 // arrays of [rows, tokens, cell width] that a run holds at a time
	pipeline float64 // bytes that pipelines take for every cell that a member reads
}

// widths is what the shapes of the encoded context tell of a network; what they do not tell is 0.
type widths struct {
	cell, row                  float64 // of the embedding of a cell, and of a row
	keptCell, keptRow, keptCol float64 // floats kept for every cell, row and column of a context
}

// widthsOf reads the shapes of the inputs of a query graph. They are, with 0 for dimensions of any
// size: keys and values of columns colkv [.., heads, inducing points, size], of rows iclkv
// [.., heads, 0, size], of cells cache [layers, .., 0, 0, size] and ranks [1, 3, 0, 0], and the
// token of a label [1, size].
func widthsOf(ports []ort.Port) widths {
	var w widths
	for _, p := range ports {
		fixed, n := 1.0, len(p.Shape)
		for _, d := range p.Shape {
			fixed *= float64(max(d, 1))
		}
		heads := 0.0
		if n >= 3 && p.Shape[n-3] > 0 && p.Shape[n-1] > 0 {
			heads = float64(p.Shape[n-3]) * float64(p.Shape[n-1])
		}
		switch {
		case strings.HasPrefix(p.Name, "colkv"):
			w.keptCol += fixed
			w.cell = max(w.cell, heads)
		case strings.HasPrefix(p.Name, "iclkv"):
			w.keptRow += fixed
			w.row = max(w.row, heads)
		case p.Name == models.CacheInput, p.Name == models.RanksInput:
			w.keptCell += fixed
		case p.Name == models.TargetInput && n > 0:
			w.cell = max(w.cell, float64(p.Shape[n-1]))
		}
	}
	return w
}

// demand is the work that an estimate is about.
type demand struct {
	rows    int   // of the context
	widths  []int // columns that every member reads
	batch   int   // query rows at a time, 0 for none
	threads int
	encoded bool // the context has been encoded before
	tree    *hierarchy
}

// shares is how often a context is read: its columns once for every digit, its rows once for every
// level of a tree.
func (d *demand) shares() (digits, depth float64) {
	if d.tree == nil {
		return 1, 1
	}
	return float64(d.tree.digits), float64(d.tree.depth)
}

// footprint estimates the most bytes that the process takes at any time for a demand:
//
//	program + 2.5 graphs + 1.1 (kept + max(encode, query))
//	encode = min(members, threads) run(rows) + P sum over members of rows columns
//	query  = threads run(chunk) + batch (8 KiB + 2·8 levels)
//	run(r) = 4 r (A tokens cell + 4 row)
//	kept   = 4 sum over members of (rows tokens keptCell + rows keptRow + columns keptCol)
//
// A and P are the cost of the family; of several contexts at a time each keeps 1.2 times as much.
// Of more classes than outputs, cells and columns count once for every digit of a class, kept rows
// once for every level of the tree, and levels by class; its graphs are added.
// Where the context graph stays loaded (Options.Refit) it is
// 1.25 (encode + query) + 64 MiB in the place of the maximum.
func (m *Model) footprint(d demand) int64 {
	w, cost := m.widths, m.family.cost()
	most, kept, cells, rows := 0.0, 0.0, 0.0, float64(d.rows)
	digits, depth := d.shares()
	for _, columns := range d.widths {
		tokens := m.family.tokens(m, columns)
		kept += 4 * (rows*tokens*w.keptCell + depth*rows*w.keptRow + digits*float64(columns)*w.keptCol)
		most = max(most, tokens)
		cells += rows * float64(columns)
	}
	run := func(rows int) float64 {
		return 4 * float64(rows) * (digits*cost.copies*most*w.cell + rowCopies*w.row)
	}
	if m.contexts > 1 {
		kept *= manyShare * float64(m.contexts)
	}
	levels, graphs := 0, m.bundle.Size()
	for _, h := range m.heads {
		if h != nil {
			levels += h.output().size()
		}
	}
	if d.tree != nil {
		levels = levels / m.bundle.Manifest.Head.Levels * len(d.tree.rows)
		graphs += m.bundle.HierarchySize()
	}
	encode, query := 0.0, 0.0
	if !d.encoded {
		encode = float64(min(len(d.widths), d.threads))*run(d.rows) + cost.pipeline*cells
	}
	if d.batch > 0 {
		query = float64(d.threads)*run(min(d.batch, m.chunk)) +
			float64(d.batch)*(answerBytes+levelCopies*8*float64(levels))
	}
	work := max(encode, query)
	if m.refit {
		work = refitShare*(encode+query) + refitBytes
	}
	bytes := programBytes + graphShare*float64(graphs) + spareShare*(kept+work)
	return int64(min(bytes, math.MaxInt64/2))
}

// checkMemory refuses a demand beyond Options.Memory, on devices whose memory is the process's.
func (m *Model) checkMemory(d demand) error {
	if m.memory == 0 || m.info.Device != "cpu" {
		return nil
	}
	d.threads, d.batch = m.workers, m.batch
	need := m.footprint(d)
	if need <= m.memory {
		return nil
	}
	e := &MemoryError{Need: need, Limit: m.memory, Rows: d.rows, Members: len(d.widths),
		Threads: d.threads, Batch: d.batch, Columns: m.columnsOf(d)}
	m.remedy(e, d)
	return e
}

// columnsOf is the widest member of a demand.
func (m *Model) columnsOf(d demand) int {
	widest := 0
	for _, columns := range d.widths {
		widest = max(widest, columns)
	}
	return widest
}

// fewRows is the share of the rows below which a subsample is no remedy if there is another one.
const fewRows = 0.1

// remedy looks for what fits, one thing changed at a time; if nothing does, or nothing but very few
// rows, with a smaller batch.
func (m *Model) remedy(e *MemoryError, d demand) {
	m.alternatives(e, d)
	enough := float64(e.FitRows) >= fewRows*float64(d.rows) && e.FitRows > 0
	if !enough && e.FitMembers+e.FitThreads+e.FitBatch == 0 && d.batch > m.chunk && !m.refit {
		d.batch, e.WithBatch = m.chunk, m.chunk
		m.alternatives(e, d)
	}
}

// alternatives fills in what fits.
func (m *Model) alternatives(e *MemoryError, d demand) {
	if !d.encoded {
		least := max(2, m.bundle.Manifest.Limits.MinRows)
		e.FitRows = rounded(m.fitting(d, d.rows, least, func(d *demand, n int) {
			if m.refit { // the rows that are predicted are of the same table
				d.batch = int(float64(d.batch) * float64(n) / float64(d.rows))
			}
			d.rows = n
		}))
		e.FitMembers = m.fitting(d, len(d.widths), 1,
			func(d *demand, n int) { d.widths = d.widths[:n] })
	}
	e.FitThreads = m.fitting(d, d.threads, 1, func(d *demand, n int) { d.threads = n })
	if d.batch > 1 {
		e.FitBatch = rounded(m.fitting(d, d.batch, 1, func(d *demand, n int) { d.batch = n }))
	}
}

// fitting is the largest number, from least to below most, with which a demand fits, or 0.
func (m *Model) fitting(d demand, most, least int, change func(*demand, int)) int {
	low, high := least-1, most // low fits or is less than any, high does not fit
	for high-low > 1 {
		middle := low + (high-low)/2
		part := d
		change(&part, middle)
		if m.footprint(part) <= m.memory {
			low = middle
		} else {
			high = middle
		}
	}
	if low < least {
		return 0
	}
	return low
}

// rounded keeps the two leading digits of a number, which no estimate is better than.
func rounded(n int) int {
	unit := 1
	for n/unit >= 100 {
		unit *= 10
	}
	return n / unit * unit
}

// CheckMemory compares Options.Memory with the estimate for a context of so many rows and features,
// before it is read: the error is a *MemoryError. Fit does so by itself, with the columns that its
// members read, which those of TabPFN have more of.
func (m *Model) CheckMemory(rows, columns int) error {
	return m.checkMemory(demand{rows: rows, widths: equalWidths(m.members, columns)})
}

// equalWidths is the number of columns of so many members that read all.
func equalWidths(members, columns int) []int {
	widths := make([]int, members)
	for b := range widths {
		widths[b] = columns
	}
	return widths
}

// checkLoading refuses a bundle whose graphs alone do not fit.
func (m *Model) checkLoading() error {
	need := int64(programBytes + graphShare*float64(m.bundle.Size()))
	if m.memory == 0 || need <= m.memory {
		return nil
	}
	return &MemoryError{Need: need, Limit: m.memory}
}

// MemoryError says that a job needs more memory than Options.Memory, by an estimate: nothing has
// been encoded. Each of the Fit fields, changed alone, brings the estimate below the limit; 0 where
// that alone does not.
type MemoryError struct {
	Need, Limit int64 // bytes, estimated and allowed
	// What was asked for; no rows where the model alone does not fit.
	Rows, Columns, Members, Threads, Batch int

	FitRows, FitMembers, FitThreads, FitBatch int
	// WithBatch is the batch with which the others fit, where nothing alone does; otherwise 0.
	WithBatch int
}

// Error returns what was asked for, the estimate and the limit.
func (e *MemoryError) Error() string {
	const text = "%s about %s of memory by an estimate, and the limit is %s"
	if e.Rows == 0 {
		return fmt.Sprintf(text, "loading the model takes", mebibytes(e.Need), mebibytes(e.Limit))
	}
	return fmt.Sprintf(text, fmt.Sprintf("a context of %d rows and %d columns, %d of %d members at a "+
		"time, takes", e.Rows, e.Columns, min(e.Threads, e.Members), e.Members), mebibytes(e.Need),
		mebibytes(e.Limit))
}

// mebibytes writes a size.
func mebibytes(bytes int64) string {
	if bytes >= 10<<30 {
		return fmt.Sprintf("%.0f GiB", float64(bytes)/(1<<30))
	}
	return fmt.Sprintf("%d MiB", (bytes+1<<20-1)>>20)
}
