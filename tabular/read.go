package tabular

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
)

// Reader reads the rows of one file in batches.
type Reader struct {
	file   string
	format Format
	na     *naSet
	notes  []string
	src    source
}

// Open opens a file, or standard input for "-", and reads as far as the names of the columns.
// A file without columns, with an unnamed or a repeated column is an *Error, one without rows is
// not. Compressed text (.gz, .zst) is unpacked on the way.
func Open(path string, opt ReadOptions) (*Reader, error) {
	r := &Reader{file: path, na: newNA(opt.NA)}
	if path == "-" {
		r.file = "stdin"
	}
	if err := r.open(path, opt); err != nil {
		return nil, r.locate(err)
	}
	if err := checkNames(r.src.schema()); err != nil {
		r.Close()
		err.File = r.file
		return nil, err
	}
	r.notes = append(r.notes, caseNotes(r.Names())...)
	return r, nil
}

// open finds the format and starts the source.
func (r *Reader) open(path string, opt ReadOptions) error {
	in, regular, err := openInput(path, opt)
	if err != nil {
		return err
	}
	buffered := bufio.NewReader(in)
	head, err := buffered.Peek(len(magicArrow) + 2)
	if err != nil && err != io.EOF {
		in.Close()
		return err
	}
	r.format, err = pickFormat(path, opt.Format, head)
	if err == nil && !regular && (r.format == Parquet || r.format == ArrowFile) {
		e := &Error{Msg: fmt.Sprintf("a file of format %s cannot be read from a pipe", r.format)}
		err = e.advise("give the name of a file, or send an Arrow stream (%s %s)", OptionFormat,
			ArrowStream)
	}
	if err != nil {
		in.Close()
		return err
	}
	stream := struct {
		io.Reader
		io.Closer
	}{buffered, in}
	switch r.format {
	case Parquet:
		in.Close()
		r.src, err = openParquet(path, opt)
	case ArrowFile:
		in.Close()
		r.src, err = openArrowFile(path, opt)
	case ArrowStream:
		r.src, err = openArrowStream(stream, r.file, opt)
	default:
		var text *csvSource
		if text, err = openCSV(stream, r.file, opt); err == nil {
			r.src, r.notes = text, text.notes
		}
	}
	if err != nil {
		in.Close()
	}
	return err
}

// openInput opens a file or standard input and reports whether it can be read from anywhere.
func openInput(path string, opt ReadOptions) (in io.ReadCloser, regular bool, err error) {
	if path == "-" {
		if opt.Stdin == nil {
			return nil, false, &Error{Msg: "there is no standard input to read"}
		}
		return io.NopCloser(opt.Stdin), false, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, false, err
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = &Error{Msg: "is a folder, not a file"}
	}
	if err != nil {
		f.Close()
		return nil, false, err
	}
	return f, info.Mode().IsRegular(), nil
}

// pickFormat is the format asked for, else the one that the extension tells, else the one that
// the first bytes tell. It refuses columnar files that are called text or are compressed.
func pickFormat(path string, asked Format, head []byte) (Format, error) {
	found := sniff(head)
	if asked != Auto {
		return asked, nil
	}
	told := FormatOf(path)
	_, packed := stripCompression(strings.ToLower(path))
	switch {
	case told == Auto:
		return found, nil
	case packed != "" && told != CSV:
		return Auto, &Error{
			Msg:  fmt.Sprintf("compressed files of format %s are not read", told),
			Hint: "unpack it first",
		}
	case told == CSV && found != CSV && bytes.ContainsFunc(head, control):
		e := &Error{Msg: fmt.Sprintf("the extension tells text, but it looks like format %s", found)}
		return Auto, e.advise("say %s %s", OptionFormat, found)
	}
	return told, nil
}

// control reports whether r is not of a text.
func control(r rune) bool {
	return r < ' ' && !strings.ContainsRune("\t\r\n", r) || r == '\uFFFD'
}

// sniff is the format that the first bytes of a file tell.
func sniff(head []byte) Format {
	switch {
	case bytes.HasPrefix(head, magicParquet):
		return Parquet
	case bytes.HasPrefix(head, magicArrow):
		return ArrowFile
	case bytes.HasPrefix(head, magicStream):
		return ArrowStream
	}
	return CSV
}

// Names lists the columns in the order of the file.
func (r *Reader) Names() []string { return fieldNames(r.src.schema()) }

// Schema is the names and types of the columns; every column of a text file is utf8.
func (r *Reader) Schema() *arrow.Schema { return r.src.schema() }

// File is the name of the file: the path that Open got, "stdin" for "-".
func (r *Reader) File() string { return r.file }

// Format is the format that the file is read as.
func (r *Reader) Format() Format { return r.format }

// Rows is the number of rows that the file says it has, -1 where it does not say.
func (r *Reader) Rows() int64 { return r.src.rows() }

// Notes says what is worth knowing about the file, a sentence each, such as that two columns
// differ by case only.
func (r *Reader) Notes() []string { return r.notes }

// Next returns the next batch, with at least one row and at most BatchRows, and io.EOF after the
// last one. What is wrong in the file is an *Error; a context that is done returns its error.
func (r *Reader) Next(ctx context.Context) (*Batch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	b, err := r.src.next(ctx)
	if err != nil && err != io.EOF && ctx.Err() == nil {
		err = r.locate(err)
	}
	return b, err
}

// Close frees the file. Batches stay valid.
func (r *Reader) Close() error {
	if err := r.src.close(); err != nil {
		return r.locate(err)
	}
	return nil
}

// locate turns an error into an *Error that names the file.
func (r *Reader) locate(err error) error {
	var e *Error
	if errors.As(err, &e) {
		if e.File == "" {
			e.File = r.file
		}
		return err
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return &Error{File: r.file, Err: err}
}

// ReadAll reads a whole file, or standard input for "-". A file that would take more memory than
// opt.MaxBytes is an *Error: by the number of rows that its footer tells, else when the rows read
// so far exceed it. The estimate is the larger of rows × columns × 8 bytes and of the columns as
// held.
func ReadAll(ctx context.Context, path string, opt ReadOptions) (*Table, error) {
	r, err := Open(path, opt)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	t := &Table{File: r.file, Schema: r.Schema(), Notes: r.notes, na: r.na}
	if err := checkSize(t, max(r.Rows(), 0), 0, opt.maxBytes()); err != nil {
		return nil, err
	}
	held := int64(0)
	for {
		b, err := r.Next(ctx)
		if err == io.EOF {
			return t, nil
		}
		if err != nil {
			return nil, err
		}
		t.Batches = append(t.Batches, b)
		t.Rows += int64(b.Rows())
		held += recordSize(b.Record)
		if err := checkSize(t, t.Rows, held, opt.maxBytes()); err != nil {
			return nil, err
		}
	}
}

// checkSize refuses a table that takes more than limit bytes.
func checkSize(t *Table, rows, held, limit int64) error {
	columns := int64(t.Schema.NumFields())
	if rows <= limit/(8*max(columns, 1)) && held <= limit {
		return nil
	}
	return &Error{
		File: t.File,
		Msg: fmt.Sprintf("the table is too large: %d rows of %d columns need more than %d MiB",
			rows, columns, limit>>20),
		Hint:  "take a sample of the rows",
		Limit: true,
	}
}

// recordSize is the number of bytes that the columns of a record hold.
func recordSize(record arrow.RecordBatch) int64 {
	n := int64(0)
	for _, column := range record.Columns() {
		n += dataSize(column.Data())
	}
	return n
}

// dataSize is the number of bytes that an array holds.
func dataSize(data arrow.ArrayData) int64 {
	n := int64(0)
	for _, b := range data.Buffers() {
		if b != nil {
			n += int64(b.Len())
		}
	}
	for _, child := range data.Children() {
		n += dataSize(child)
	}
	return n
}
