package pfn

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/ort"
)

// Constants of the memory estimate, fitted to the peaks of whole processes with the embedded bundle
// and networks of every family (docs/design/trust.md).
const (
	programBytes = 96 << 20 // program, library and the base of every job
	graphShare   = 2.5      // bytes per byte of both graphs
	spareShare   = 1.1      // allocators and garbage collector
	rowCopies    = 4        // arrays of [rows, row width] in a run
	answerBytes  = 8 << 10  // per query row
	levelCopies  = 2        // float64 per level of the heads
	manyShare    = 1.2      // per byte of several contexts
	refitBytes   = 64 << 20 // chains and results of repeated fits
	refitShare   = 1.25     // the kept context graph, per byte of a run
)

// cost is the part of the estimate that differs between families.
type cost struct {
	copies   float64 // arrays of [rows, tokens, cell width] in a run
	pipeline float64 // bytes of pipelines per cell that a member reads
	stacked  float64 // copies of what is kept of cells while a context is read
}

// widths are sizes of a network, read from the shapes of the encoded context; 0 if unknown.
type widths struct {
	cell, row                  float64 // of the embedding of a cell, and of a row
	keptCell, keptRow, keptCol float64 // floats kept per cell, row and column of a context
	heads                      float64 // of the attention between rows
}

// widthsOf reads the shapes of a query graph's inputs, with 0 for dimensions of any size:
//
//	colkv [.., heads, inducing points, size]             keys and values of columns
//	iclkv [.., heads, 0, size]                           of rows
//	cache [layers, .., 0, 0, size], ranks [1, 3, 0, 0]   of cells
//	[1, size]                                            the token of a label
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
			if n >= 3 {
				w.heads = max(w.heads, float64(p.Shape[n-3]))
			}
		case p.Name == models.CacheInput, p.Name == models.RanksInput:
			w.keptCell += fixed
		case p.Name == models.TargetInput && n > 0:
			w.cell = max(w.cell, float64(p.Shape[n-1]))
		}
	}
	return w
}

// demand is the work to estimate.
type demand struct {
	rows    int   // of the context
	widths  []int // columns that every member reads
	batch   int   // query rows at a time, 0 for none
	threads int
	encoded bool // the context is already encoded
	tree    *hierarchy
}

// shares returns how often cells, rows and columns of a context are read.
func (d *demand) shares() (digits, depth, columns float64) {
	switch h := d.tree; {
	case h == nil:
		return 1, 1, 1
	case h.order != nil:
		return 1, float64(h.depth), float64(len(h.nodes))
	default:
		return float64(h.digits), float64(h.depth), float64(h.digits)
	}
}

// footprint estimates the peak memory of the process for a demand, in bytes:
//
//	program + 2.5 graphs + 1.1 (kept + max(encode, query))
//	encode = min(members, threads) (run(rows) + 4 S rows tokens keptCell)
//	         + P sum over members of rows columns
//	query  = threads run(chunk) + batch (8 KiB + 2·8 levels)
//	run(r) = 4 r (A tokens cell + 4 row)
//	kept   = 4 sum over members of (rows tokens keptCell + rows keptRow + columns keptCol)
//
// A, P and S are the cost of the family. With several contexts at a time, each keeps 1.2 times as
// much. With more classes than outputs, cells and columns count once per digit of a class, kept
// rows once per level of the tree, and levels once per class; the graphs of the tree are added. If
// the context graph stays loaded (Options.Refit), the maximum becomes 1.25 (encode + query) + 64
// MiB.
func (m *Model) footprint(d demand) int64 {
	w, cost := m.widths, m.family.cost()
	most, kept, cells, rows := 0.0, 0.0, 0.0, float64(d.rows)
	digits, depth, often := d.shares()
	for _, columns := range d.widths {
		tokens := m.family.tokens(m, columns)
		kept += 4 * (rows*tokens*w.keptCell + depth*rows*w.keptRow + often*float64(columns)*w.keptCol)
		most = max(most, tokens)
		cells += rows * float64(columns)
	}
	run := func(rows int) float64 {
		return 4 * float64(rows) * (digits*cost.copies*most*w.cell + rowCopies*w.row)
	}
	if m.options.Contexts > 1 {
		kept *= manyShare * float64(m.options.Contexts)
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
		one := run(d.rows) + 4*cost.stacked*rows*most*w.keptCell
		encode = float64(min(len(d.widths), d.threads))*one + cost.pipeline*cells
	}
	if d.batch > 0 {
		query = float64(d.threads)*run(min(d.batch, m.chunk)) +
			float64(d.batch)*(answerBytes+levelCopies*8*float64(levels))
	}
	work := max(encode, query)
	if m.options.Refit {
		work = refitShare*(encode+query) + refitBytes
	}
	bytes := programBytes + graphShare*float64(graphs) + spareShare*(kept+work)
	return int64(min(bytes, math.MaxInt64/2))
}

// checkMemory refuses a demand beyond Options.Memory, on devices that use the process's memory.
func (m *Model) checkMemory(d demand) error {
	if m.options.Memory == 0 || m.info.Device != "cpu" {
		return nil
	}
	d.threads, d.batch = m.workers, m.options.Batch
	need := m.footprint(d)
	if need <= m.options.Memory {
		return nil
	}
	e := &MemoryError{Need: need, Limit: m.options.Memory, Rows: d.rows, Members: len(d.widths),
		Threads: d.threads, Batch: d.batch, Columns: slices.Max(append([]int{0}, d.widths...))}
	m.remedy(e, d)
	return e
}

// fewRows is the share of the rows below which a subsample is recommended only as the last remedy.
const fewRows = 0.1

// remedy finds changes with which the demand fits, one at a time. If none fits, or only very few
// rows, it also tries a smaller batch.
func (m *Model) remedy(e *MemoryError, d demand) {
	m.alternatives(e, d)
	enough := float64(e.FitRows) >= fewRows*float64(d.rows) && e.FitRows > 0
	if !enough && e.FitMembers+e.FitThreads+e.FitBatch == 0 && d.batch > m.chunk && !m.options.Refit {
		d.batch, e.WithBatch = m.chunk, m.chunk
		m.alternatives(e, d)
	}
}

// alternatives sets the fields with sizes that fit.
func (m *Model) alternatives(e *MemoryError, d demand) {
	if !d.encoded {
		least := max(2, m.bundle.Manifest.Limits.MinRows)
		e.FitRows = rounded(m.fitting(d, d.rows, least, func(d *demand, n int) {
			if m.options.Refit { // rows to predict belong to the same table
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

// fitting returns the largest number, from least to below most, with which a demand fits, or 0.
func (m *Model) fitting(d demand, most, least int, change func(*demand, int)) int {
	low, high := least-1, most // low fits or is below least, high does not fit
	for high-low > 1 {
		middle := low + (high-low)/2
		part := d
		change(&part, middle)
		if m.footprint(part) <= m.options.Memory {
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

// rounded keeps the two leading digits of a number; the estimate is not more precise.
func rounded(n int) int {
	unit := 1
	for n/unit >= 100 {
		unit *= 10
	}
	return n / unit * unit
}

// CheckMemory compares Options.Memory with the estimate for a context of this size, before it is
// read. It fails with a *MemoryError. Fit does the same with the columns that its members read;
// TabPFN's members read more columns.
func (m *Model) CheckMemory(rows, columns int) error {
	return m.checkMemory(demand{rows: rows, widths: slices.Repeat([]int{columns}, m.members)})
}

// checkLoading refuses a bundle whose graphs alone do not fit.
func (m *Model) checkLoading() error {
	need := int64(programBytes + graphShare*float64(m.bundle.Size()))
	if m.options.Memory == 0 || need <= m.options.Memory {
		return nil
	}
	return &MemoryError{Need: need, Limit: m.options.Memory}
}

// MemoryError reports that a job needs more memory than Options.Memory, by an estimate. Nothing was
// encoded yet. Changing one of the Fit fields to its value brings the estimate below the limit; 0
// means that no such value exists.
type MemoryError struct {
	Need, Limit int64 // bytes, estimated and allowed
	// The job. Rows is 0 if the model alone does not fit.
	Rows, Columns, Members, Threads, Batch int

	FitRows, FitMembers, FitThreads, FitBatch int
	// WithBatch is the batch that the other values need, if no single change suffices; otherwise 0.
	WithBatch int
}

// Error returns the job, the estimate and the limit.
func (e *MemoryError) Error() string {
	const text = "%s about %s of memory by an estimate, but the limit is %s"
	if e.Rows == 0 {
		return fmt.Sprintf(text, "loading the model takes", mebibytes(e.Need), mebibytes(e.Limit))
	}
	return fmt.Sprintf(text, fmt.Sprintf("a context of %d rows and %d columns, %d of %d members at a "+
		"time, takes", e.Rows, e.Columns, min(e.Threads, e.Members), e.Members), mebibytes(e.Need),
		mebibytes(e.Limit))
}

func mebibytes(bytes int64) string {
	if bytes >= 10<<30 {
		return fmt.Sprintf("%.0f GiB", float64(bytes)/(1<<30))
	}
	return fmt.Sprintf("%d MiB", (bytes+1<<20-1)>>20)
}
