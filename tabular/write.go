package tabular

import (
	"bufio"
	"io"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp/internal/atomicfile"
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
	file   *atomicfile.File // nil for "-"
	buffer *bufio.Writer
	pack   io.WriteCloser // compressor of text, nil without
	flush  bool           // after every batch
	enc    encoder
	err    error // the first error; it stays

	finished, done bool
}

// encoder is what each file format implements.
type encoder interface {
	write(rec arrow.RecordBatch) error
	close() error
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
	if _, packed := stripCompression(strings.ToLower(path)); packed != "" {
		if w.pack, err = newPacker(sink, packed); err != nil {
			return err
		}
		sink = w.pack
	}
	row := format.row()
	if row.text && w.file == nil && w.pack == nil {
		sink = out // the encoder writes whole rows, which a buffer would split
	}
	w.enc, err = row.create(sink, destination{path, w.schema, mergeMetadata(w.schema, opt.Metadata),
		opt})
	if err == nil && row.whole && !(opt.Flush && row.steady) {
		w.enc = &grouped{encoder: w.enc, schema: w.schema}
	}
	return err
}
