package tabular

import (
	"bufio"
	"io"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp/internal/atomicfile"
)

// WriteOptions says how a table is written. The zero value is good for a file whose name ends
// in the extension of its format.
type WriteOptions struct {
	// Format of the file; Auto takes it from the extension, and is CSV for "-".
	Format Format
	// Delimiter between the cells of text; 0 takes it from the extension: a tab for .tsv and
	// .tab, a semicolon for .ssv, else a comma.
	Delimiter rune
	// EscapeFormulas puts an apostrophe before names and texts of a text file that a spreadsheet
	// would take for a formula: those that begin with = + - @, their full-width forms, a tab or a
	// carriage return, and are not numbers. Other formats know texts from formulas.
	EscapeFormulas bool
	// Flush lets the rows of every Write go out at once, for a reader that waits for them; it is
	// for text and Arrow streams, whose record batches are then those of Write. Without, a file
	// does not depend on the batches in which its rows arrive.
	Flush bool
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
	file   *atomicfile.File // nil for "-"
	buffer *bufio.Writer
	pack   io.WriteCloser // compressor of text, nil without
	flush  bool           // after every batch
	enc    encoder
	err    error // sticky

	finished, done bool
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
	row := format.row()
	if row.text && w.file == nil && w.pack == nil {
		sink = out // the encoder writes whole rows, a buffer would cut them
	}
	w.enc, err = row.create(sink, destination{path, w.schema, mergeMetadata(w.schema, opt.Metadata),
		opt})
	if err == nil && row.whole && !(opt.Flush && row.steady) {
		w.enc = &grouped{encoder: w.enc, schema: w.schema}
	}
	return err
}
