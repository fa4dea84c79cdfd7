package tabular

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
)

// WriteOptions says how a table is written. The zero value is good for a file whose name ends
// in the extension of its format.
type WriteOptions struct {
	// Format of the file; Auto takes it from the extension, and is CSV for "-".
	Format Format
	// Delimiter between the cells of text; 0 takes it from the extension: a tab for .tsv and
	// .tab, a semicolon for .ssv, else a comma.
	Delimiter rune
	// Stdout is what "-" writes to; nil refuses "-".
	Stdout io.Writer
	// Metadata is kept in the footer of a Parquet file and in the schema of Arrow data, in this
	// order; text has no place for it.
	Metadata [][2]string
}

// Writer writes the batches of a table. A file appears complete, under its name, when Commit
// returns, or not at all.
type Writer struct {
	name   string // for errors
	schema *arrow.Schema
	file   *atomicFile // nil for "-"
	buffer *bufio.Writer
	pack   io.WriteCloser // compressor of text, nil without
	enc    encoder
	err    error // sticky
	done   bool
}

// encoder is what each file format implements.
type encoder interface {
	write(rec arrow.RecordBatch) error
	close() error
}

// Create starts to write a table with the columns of a schema to a path, "-" being
// opt.Stdout. What can be found out before any work is done is refused here, as an *Error: a
// folder that does not exist or is not writable, a path that is a folder, an extension that
// tells no format, column names that collide, types that the format cannot hold.
func Create(path string, schema *arrow.Schema, opt WriteOptions) (*Writer, error) {
	w := &Writer{name: path, schema: schema}
	if path == "-" {
		w.name = "stdout"
	}
	format, err := writeFormat(path, opt)
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

// writeFormat is the format that a table is written in.
func writeFormat(path string, opt WriteOptions) (Format, error) {
	format := opt.Format
	if format == Auto {
		format = FormatOf(path)
	}
	if format == Auto && path == "-" {
		format = CSV
	}
	_, packed := stripCompression(strings.ToLower(path))
	switch {
	case format == Auto:
		return Auto, &Error{Msg: "its extension tells no format",
			Hint: "name it .csv, .tsv, .parquet, .arrow or .arrows, or give a format"}
	case format < Auto || format > ArrowStream:
		return Auto, &Error{Msg: fmt.Sprintf("unknown format %s", format)}
	case packed != "" && format != CSV:
		return Auto, &Error{Msg: fmt.Sprintf("format %s is not written as %s", format, packed),
			Hint: "Parquet is compressed as it is"}
	}
	return format, nil
}

// checkWritable refuses schemas that no format can hold.
func checkWritable(schema *arrow.Schema) error {
	if err := checkNames(schema); err != nil {
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

// open opens the output and starts the encoder.
func (w *Writer) open(path string, format Format, opt WriteOptions) (err error) {
	defer recoverEncoder(&err)
	out := opt.Stdout
	if path != "-" {
		file, err := createAtomic(path)
		if err != nil {
			return err
		}
		w.file, out = file, file
	}
	if out == nil {
		return &Error{Msg: "there is no standard output to write to"}
	}
	w.buffer = bufio.NewWriterSize(out, 256<<10)
	sink := io.Writer(w.buffer)
	if _, packed := stripCompression(strings.ToLower(path)); packed != "" {
		if w.pack, err = newPacker(sink, packed); err != nil {
			return err
		}
		sink = w.pack
	}
	meta := mergeMetadata(w.schema, opt.Metadata)
	switch format {
	case Parquet:
		w.enc, err = newParquetEncoder(sink, w.schema, meta)
	case ArrowFile:
		w.enc, err = newArrowFileEncoder(sink, w.schema, meta)
	case ArrowStream:
		w.enc, err = newArrowStreamEncoder(sink, w.schema, meta)
	default:
		w.enc, err = newCSVEncoder(sink, w.schema, writeDelimiter(path, opt))
		return err
	}
	w.enc = &grouped{encoder: w.enc, schema: w.schema}
	return err
}

// recoverEncoder turns a panic of a library that encodes into an error.
func recoverEncoder(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("cannot be encoded: %v", p)
	}
}

// mergeMetadata appends pairs to the metadata of a schema; a pair replaces one of the same key.
func mergeMetadata(schema *arrow.Schema, pairs [][2]string) arrow.Metadata {
	old := schema.Metadata()
	var keys, values []string
	added := make(map[string]bool, len(pairs))
	for _, p := range pairs {
		added[p[0]] = true
	}
	for i, key := range old.Keys() {
		if !added[key] {
			keys, values = append(keys, key), append(values, old.Values()[i])
		}
	}
	for _, p := range pairs {
		keys, values = append(keys, p[0]), append(values, p[1])
	}
	return arrow.NewMetadata(keys, values)
}

// Write appends a batch, whose columns have the names and types given to Create. After an error
// nothing more can be written and the output will not appear.
func (w *Writer) Write(rec arrow.RecordBatch) error {
	if w.err != nil {
		return w.err
	}
	if w.done {
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
		return fmt.Errorf("batch of %d columns in a table of %d", len(got), len(fields))
	}
	for i, f := range fields {
		if f.Name != got[i].Name || !arrow.TypeEqual(f.Type, got[i].Type) {
			return fmt.Errorf("batch has column %q of type %s in place of %q of type %s",
				got[i].Name, got[i].Type, f.Name, f.Type)
		}
	}
	return nil
}

// encode hands a batch to the encoder.
func (w *Writer) encode(rec arrow.RecordBatch) (err error) {
	defer recoverEncoder(&err)
	return w.enc.write(rec)
}

// fail records an error, removes what was written and returns the error.
func (w *Writer) fail(err error) error {
	w.err = w.wrap(err)
	w.Abort()
	return w.err
}

// wrap turns an error into an *Error that names the output.
func (w *Writer) wrap(err error) error {
	var e *Error
	if errors.As(err, &e) {
		if e.File == "" {
			e.File = w.name
		}
		return e
	}
	return &Error{File: w.name, Msg: "cannot be written", Err: pathCause(err)}
}

// Commit completes the output: a file is on the disk and under its name when it returns. Where
// it returns an error, there is no output. It is called once, after the last Write.
func (w *Writer) Commit() error {
	if w.err != nil || w.done {
		return w.err
	}
	if err := w.finish(); err != nil {
		return w.fail(err)
	}
	w.done = true
	return nil
}

// finish writes what is left and gives a file its name.
func (w *Writer) finish() (err error) {
	defer recoverEncoder(&err)
	if err := w.enc.close(); err != nil {
		return err
	}
	if w.pack != nil {
		if err := w.pack.Close(); err != nil {
			return err
		}
	}
	if err := w.buffer.Flush(); err != nil {
		return err
	}
	if w.file == nil {
		return nil
	}
	return w.file.commit()
}

// Abort gives up the output: nothing appears. It does nothing after Commit, so that it can be
// deferred.
func (w *Writer) Abort() error {
	if w.done {
		return nil
	}
	w.done = true
	if w.file == nil {
		return nil
	}
	return w.file.abort()
}

// SameFile tells whether two paths lead to the same file, through links or not. A path that
// does not exist is the same as another only if both name the same place. "-" is no file.
func SameFile(a, b string) (bool, error) {
	if a == "-" || b == "-" {
		return false, nil
	}
	first, errA := os.Stat(a)
	second, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return os.SameFile(first, second), nil
	}
	for _, err := range []error{errA, errB} {
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return false, err
		}
	}
	if errA == nil || errB == nil {
		return false, nil
	}
	return samePlace(a, b)
}
