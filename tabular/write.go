package tabular

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/klauspost/compress/zstd"

	"github.com/pfnamp/pfnamp/internal/atomicfile"
	"github.com/pfnamp/pfnamp/tabular/internal/ground"
	"github.com/pfnamp/pfnamp/tabular/internal/parquet"
)

// WriteOptions are the options for writing a table. The zero value is good for a file with the
// extension of its format.
type WriteOptions struct {
	// Format of the file; Auto takes it from the extension, and is CSV for "-".
	Format Format
	// Delimiter between the cells of text; 0 takes it from the extension: a tab for .tsv and .tab,
	// a semicolon for .ssv, else a comma.
	Delimiter rune
	// EscapeFormulas puts an apostrophe before names and texts of a text file that a spreadsheet
	// would run as a formula: those that are not numbers and begin with = + - @, their full-width
	// forms, a tab or a carriage return. Other formats distinguish texts from formulas.
	EscapeFormulas bool
	// Flush writes the rows of every Write at once, for a reader that waits for them. It works for
	// text and for Arrow streams, whose record batches are then those of Write. Without Flush, a
	// file does not depend on the batches of its rows.
	Flush bool
	// Stdout is the output for "-"; nil refuses "-".
	Stdout io.Writer
	// Metadata is stored in the footer of a Parquet file and in the schema of Arrow data, in this
	// order. Text does not store it.
	Metadata [][2]string
}

// Writer writes the batches of a table. When Commit returns, the complete file appears under its
// name; until then no file appears.
type Writer struct {
	name   string // for errors
	schema *arrow.Schema
	stored *arrow.Schema    // of the encoder
	file   *atomicfile.File // nil for "-"
	buffer *bufio.Writer
	pack   io.WriteCloser // compressor of text, nil without
	flush  bool           // after every batch
	enc    ground.Encoder
	err    error // the first error; it stays

	finished, done bool
}

// Create starts to write a table with the columns of a schema to a path; "-" means opt.Stdout. It
// fails early with an *Error:
//
//   - if the path is a folder, or its folder does not exist or is not writable;
//   - if the extension implies no format;
//   - if column names collide, or the format cannot hold a type.
func Create(path string, schema *arrow.Schema, opt WriteOptions) (*Writer, error) {
	w := &Writer{name: path, schema: schema, flush: opt.Flush}
	if path == "-" {
		w.name = "stdout"
	}
	format, err := WriteFormat(path, opt.Format)
	if err == nil {
		err = checkWritable(schema)
	}
	if err == nil {
		err = w.open(path, format, opt)
	}
	if err != nil {
		w.Abort()
		return nil, w.wrap(err)
	}
	return w, nil
}

// open opens the output and starts the encoder.
func (w *Writer) open(path string, format Format, opt WriteOptions) (err error) {
	defer recoverEncoder(&err)
	out := opt.Stdout
	if path != "-" {
		file, err := atomicfile.Create(path)
		if err != nil {
			return err
		}
		w.file, out = file, file
	}
	if out == nil {
		return &Error{Msg: "standard output is not available"}
	}
	w.buffer = bufio.NewWriterSize(out, 256<<10)
	sink := io.Writer(w.buffer)
	switch _, packed := stripCompression(strings.ToLower(path)); packed {
	case ".gz":
		w.pack = gzip.NewWriter(sink)
	case ".zst": // with one goroutine, the output depends only on the input
		if w.pack, err = zstd.NewWriter(sink, zstd.WithEncoderConcurrency(1)); err != nil {
			return err
		}
	}
	if w.pack != nil {
		sink = w.pack
	}
	row := format.row()
	if row.text && w.file == nil && w.pack == nil {
		sink = out // the encoder writes whole rows, which a buffer would split
	}
	fields := w.schema.Fields()
	for i, f := range fields {
		if t, ok := f.Type.(*arrow.DictionaryType); ok && row.values {
			fields[i].Type = t.ValueType
		}
	}
	w.stored = arrow.NewSchema(fields, nil)
	w.enc, err = row.create(sink, ground.Output{Schema: w.stored,
		Metadata:       mergeMetadata(w.schema, opt.Metadata),
		Delimiter:      cmp.Or(opt.Delimiter, rune(extensionDelimiter(path)), ','),
		EscapeFormulas: opt.EscapeFormulas})
	if err == nil && row.whole && !(opt.Flush && row.steady) {
		w.enc = &ground.Grouped{Encoder: w.enc, Schema: w.stored}
	}
	return err
}

// recoverEncoder turns a panic of an encoding library into an error.
func recoverEncoder(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("cannot be encoded: %w", ground.Brief(p))
	}
}

// Write appends a batch, whose columns must have the names and types given to Create. After an
// error nothing more can be written, and no output appears.
func (w *Writer) Write(rec arrow.RecordBatch) error {
	if w.err != nil {
		return w.err
	}
	if w.done || w.finished {
		return &Error{File: w.name, Msg: "is closed"}
	}
	err := w.check(rec)
	if err == nil && rec.NumRows() > 0 {
		err = w.encode(rec)
	}
	if err != nil {
		return w.fail(err)
	}
	return nil
}

// check compares a batch with the schema.
func (w *Writer) check(rec arrow.RecordBatch) error {
	fields, got := w.schema.Fields(), rec.Schema().Fields()
	if len(fields) != len(got) {
		return fmt.Errorf("the batch has %d columns, the table has %d", len(got), len(fields))
	}
	for i, f := range fields {
		if f.Name != got[i].Name || !arrow.TypeEqual(f.Type, got[i].Type) {
			return fmt.Errorf("the batch has column %q of type %s, the table has %q of type %s",
				got[i].Name, got[i].Type, f.Name, f.Type)
		}
	}
	return nil
}

// encode hands a batch to the encoder.
func (w *Writer) encode(rec arrow.RecordBatch) (err error) {
	defer recoverEncoder(&err)
	if rec, err = ground.Stored(w.stored, rec); err == nil {
		err = w.enc.Write(rec)
	}
	if err != nil || !w.flush {
		return err
	}
	if held, ok := w.enc.(interface{ Flush() error }); ok {
		err = held.Flush()
	}
	return errors.Join(err, w.buffer.Flush())
}

// fail records an error, removes the output and returns the error.
func (w *Writer) fail(err error) error {
	w.err = w.wrap(err)
	w.Abort()
	return w.err
}

// wrap turns an error into an *Error that names the output.
func (w *Writer) wrap(err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		if e.File == "" {
			e.File = w.name
		}
		return e
	}
	return &Error{File: w.name, Msg: "cannot be written", Err: atomicfile.Cause(err)}
}

// Commit completes the output. When it returns, the file is on disk and under its name. If it
// returns an error, there is no output. Call it once, after the last Write.
func (w *Writer) Commit() error {
	if w.done {
		return w.err
	}
	file, err := w.Finish()
	if err != nil {
		return err
	}
	if file != nil {
		if err := file.Commit(); err != nil {
			return w.fail(err)
		}
	}
	w.done = true
	return nil
}

// Finish writes the rest to disk and returns the file, which only needs its name; nil for standard
// output. It is for outputs of this module that are committed together; for a single output, use
// Commit. Nothing can be written afterwards.
func (w *Writer) Finish() (*atomicfile.File, error) {
	if w.err != nil || w.finished {
		return w.file, w.err
	}
	w.finished = true
	if err := w.finish(); err != nil {
		return nil, w.fail(err)
	}
	return w.file, nil
}

func (w *Writer) finish() (err error) {
	defer recoverEncoder(&err)
	if err := w.enc.Close(); err != nil {
		return err
	}
	if w.pack != nil {
		if err := w.pack.Close(); err != nil {
			return err
		}
	}
	if err := w.buffer.Flush(); err != nil || w.file == nil {
		return err
	}
	return w.file.Finish()
}

// Abort discards the output: no file appears, and text on "-" ends with a whole row. After Commit
// it does nothing, so it can be deferred.
func (w *Writer) Abort() error {
	done := w.done
	if w.done = true; done || w.file == nil {
		return nil
	}
	return w.file.Abort()
}

// checkWritable refuses schemas that no format can hold.
func checkWritable(schema *arrow.Schema) error {
	if err := ground.CheckNames(schema); err != nil {
		return err
	}
	for _, f := range schema.Fields() {
		if t, ok := f.Type.(*UnsupportedType); ok {
			return &Error{Column: f.Name,
				Msg: fmt.Sprintf("columns of type %s cannot be written", t.Stored)}
		}
	}
	return nil
}

// mergeMetadata appends pairs to the metadata of a schema; a pair replaces one with the same key.
func mergeMetadata(schema *arrow.Schema, pairs [][2]string) arrow.Metadata {
	old := schema.Metadata()
	var keys, values []string
	for i, key := range old.Keys() {
		if key != parquet.SchemaKey &&
			!slices.ContainsFunc(pairs, func(p [2]string) bool { return p[0] == key }) {
			keys, values = append(keys, key), append(values, old.Values()[i])
		}
	}
	for _, p := range pairs {
		keys, values = append(keys, p[0]), append(values, p[1])
	}
	return arrow.NewMetadata(keys, values)
}
