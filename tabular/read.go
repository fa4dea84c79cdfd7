package tabular

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// Reader reads the rows of one table in batches.
type Reader struct {
	file     string
	format   Format
	na       *naSet
	decimal  byte
	notes    []string
	src      ground.Source
	whole    *ground.Whole // reads text and streams; nil if the size is unknown
	ended    bool
	maxBytes int64
	maxRows  int64     // of ReadAll, 0 for any number
	closer   io.Closer // nil if the caller closes the input
}

// Open opens a file, or standard input for "-", and reads up to the names of the columns. It
// unpacks compressed text (.gz, .zst). It fails with an *Error if the file has no columns, an
// unnamed column that is not the first, or two columns with one name. A file without rows is not an
// error.
func Open(path string, opt ReadOptions) (*Reader, error) {
	if path == "-" {
		if opt.Stdin == nil {
			return nil, &Error{File: "stdin", Msg: "standard input is not available"}
		}
		return OpenReader(opt.Stdin, "stdin", opt)
	}
	if err := CheckPath(path); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, ground.Locate(path, err)
	}
	r, err := OpenReader(f, path, opt)
	if err != nil {
		f.Close()
		return nil, err
	}
	r.closer = f
	return r, nil
}

// OpenReader is Open for a table that is not a file, such as a message, an object in a store or a
// part of a file. It reads from the current position of in and does not close it. Errors call the
// table name. The extension of name is used like that of a file.
//
// Text and Arrow streams are read from beginning to end. Parquet and Arrow files are read from both
// ends. For these, in must also be an io.ReaderAt and an io.Seeker, like *bytes.Reader,
// *io.SectionReader and the *os.File of a regular file; any other reader is an *Error, so that the
// caller decides how much to hold in memory.
func OpenReader(in io.Reader, name string, opt ReadOptions) (*Reader, error) {
	r := &Reader{file: name, na: newNA(opt.NA), decimal: opt.Decimal, maxRows: opt.MaxRows,
		maxBytes: cmp.Or(max(opt.MaxBytes, 0), DefaultMaxBytes)}
	if opt.Decimal != 0 && opt.Decimal != '.' && opt.Decimal != ',' {
		return nil, &Error{File: name, Msg: fmt.Sprintf("%q cannot be the decimal sign", opt.Decimal),
			Hint: "use a point or a comma"}
	}
	if err := r.open(in, opt); err != nil {
		return nil, ground.Locate(name, err)
	}
	if err := ground.CheckNames(r.src.Schema()); err != nil {
		err.File = name
		return nil, err
	}
	r.notes = append(r.notes, twins(r.Names(), strings.ToLower,
		"columns %s and %s differ only by case")...)
	return r, nil
}

// Names lists the columns in the order of the file.
func (r *Reader) Names() []string { return ground.FieldNames(r.src.Schema()) }

// Schema returns the names and types of the columns. Every column of a text file is utf8.
func (r *Reader) Schema() *arrow.Schema { return r.src.Schema() }

// File returns the name of the table: the path given to Open, or "stdin" for "-".
func (r *Reader) File() string { return r.file }

// Format returns the format in which the file is read.
func (r *Reader) Format() Format { return r.format }

// Rows returns the number of rows that the file declares, -1 if it declares none.
func (r *Reader) Rows() int64 { return r.src.Rows() }

// Share returns the part of the file that has been read, in [0, 1], or NaN if the size is unknown,
// as for a pipe. Reading runs ahead of the rows that Next has returned. It is safe for concurrent
// use.
func (r *Reader) Share() float64 {
	if r.whole == nil || r.Rows() >= 0 {
		return math.NaN()
	}
	return r.whole.Share()
}

// Notes returns notes about the file, a sentence each, for example that two columns differ only by
// case. After Next has returned io.EOF there may be one more, about the end.
func (r *Reader) Notes() []string { return r.notes }

// Next returns the next batch, with at least one row and at most BatchRows, and io.EOF after the
// last one. It fails with an *Error if the file is wrong, and with the error of ctx when ctx is
// done.
func (r *Reader) Next(ctx context.Context) (*Batch, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	b, err := r.src.Next(ctx)
	if err == io.EOF && !r.ended {
		r.ended = true
		if note := r.src.Note(); note != "" {
			r.notes = append(r.notes, note)
		}
	}
	if err != nil && err != io.EOF && ctx.Err() == nil {
		err = ground.Locate(r.file, err)
	}
	if err == nil && b.File == "" {
		b.File, b.Decimal = r.file, r.decimal
	}
	return b, err
}

// Close closes the file if Open opened it. Batches stay valid.
func (r *Reader) Close() error {
	if r.closer == nil {
		return nil
	}
	err := r.closer.Close()
	r.closer = nil
	if err != nil {
		return ground.Locate(r.file, err)
	}
	return nil
}

// ReadAll reads a whole file, or standard input for "-", like Reader.ReadAll.
func ReadAll(ctx context.Context, path string, opt ReadOptions) (*Table, error) {
	r, err := Open(path, opt)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.ReadAll(ctx)
}

// ReadAll reads the remaining rows. It fails with an *Error if the table would need more memory
// than ReadOptions.MaxBytes, or has more rows than ReadOptions.MaxRows: at once if a footer has the
// number of rows, otherwise when the rows read so far exceed the limit. The estimate is 2.4 times
// the sum of rows × (columns + 11) × 8 bytes and the memory of the columns. For the program it adds
// 2 times that sum or 128 MiB, whichever is less (docs/design/trust.md).
func (r *Reader) ReadAll(ctx context.Context) (*Table, error) {
	t := &Table{File: r.file, Schema: r.Schema(), na: r.na, decimal: r.decimal}
	declared := max(r.Rows(), 0)
	if err := r.checkRows(declared, ""); err != nil {
		return nil, err
	}
	if err := checkSize(t, declared, 0, r.maxBytes); err != nil {
		return nil, err
	}
	held, seen := int64(0), map[*memory.Buffer]bool{} // batches may share buffers
	for {
		b, err := r.Next(ctx)
		if err == io.EOF {
			t.Notes = r.notes
			return t, r.checkRows(t.Rows, "")
		}
		if err != nil {
			return nil, err
		}
		if err := r.checkRows(t.Rows, "more than "); err != nil {
			return nil, err
		}
		t.Batches = append(t.Batches, b)
		t.Rows += int64(b.Rows())
		for _, column := range b.Record.Columns() {
			held += newBytes(column.Data(), seen)
		}
		if err := checkSize(t, t.Rows, held, r.maxBytes); err != nil {
			return nil, err
		}
	}
}

// checkRows refuses more rows than the limit; more says that there are more.
func (r *Reader) checkRows(rows int64, more string) error {
	if r.maxRows == 0 || rows <= r.maxRows {
		return nil
	}
	return &Error{File: r.file, Limit: true, Hint: "use a sample of the rows", Msg: fmt.Sprintf(
		"the table has %s%d rows, at most %d can be used", more, rows, r.maxRows)}
}

// checkSize refuses a table that needs more than limit bytes.
func checkSize(t *Table, rows, held, limit int64) error {
	columns := int64(t.Schema.NumFields())
	data := 8*float64(rows)*float64(columns+11) + float64(held)
	need := 2.4*data + min(2*data, 128<<20)
	if need <= float64(limit) {
		return nil
	}
	e := &Error{File: t.File, Limit: true, Msg: fmt.Sprintf("the table is too large: its first %d "+
		"rows of %d columns take about %.0f MiB of memory by an estimate, but the limit is %d MiB",
		rows, columns, math.Ceil(need/(1<<20)), limit>>20)}
	return e.Advise("use a sample of the rows, or raise the limit with %s or ulimit", OptionMaxBytes)
}

// newBytes returns the number of bytes that an array holds in buffers that were not seen before.
func newBytes(data arrow.ArrayData, seen map[*memory.Buffer]bool) (n int64) {
	for _, b := range data.Buffers() {
		if b != nil && !seen[b] {
			seen[b] = true
			n += int64(b.Len())
		}
	}
	for _, child := range data.Children() {
		n += newBytes(child, seen)
	}
	return n
}
