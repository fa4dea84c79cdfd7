// Package ground is what the readers and writers of all formats stand on: batches of rows, what is
// wrong with a table, and the words for what libraries report. Package tabular gives users its
// Batch, Error, Option and Words.
package ground

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// Source is a table that is read in batches.
type Source interface {
	// Schema names the columns in the order of the file.
	Schema() *arrow.Schema
	// Next returns the next batch, with at least one row, and io.EOF after the last one.
	Next(ctx context.Context) (*Batch, error)
	// Rows returns the number of rows according to the file's footer, -1 if unknown.
	Rows() int64
	// Note returns a note on the end of the input, after the last batch; "" if there is none.
	Note() string
}

// Defaults are methods of a source without a number of rows and a note.
type Defaults struct{}

// Rows returns -1: the number of rows is known at the end.
func (Defaults) Rows() int64 { return -1 }

// Note returns "".
func (Defaults) Note() string { return "" }

// Lines is what the sources have in common that read rows from beginning to end.
type Lines struct {
	Defaults
	Fields *arrow.Schema
	Most   int   // rows of a batch
	First  int64 // rows delivered
}

// Schema names the columns, all of type utf8.
func (l *Lines) Schema() *arrow.Schema { return l.Fields }

// Encoder writes the batches of a table in a format.
type Encoder interface {
	Write(rec arrow.RecordBatch) error
	Close() error
}

// Batch holds rows of one file. They are consecutive, except after Table.Partition.
type Batch struct {
	// File is the name of the file the rows come from, as given to Open or OpenReader.
	File string
	// Record holds the columns. Text files: every column is utf8 and holds the raw unquoted
	// text of the cells, never null. Columnar files: the columns as stored.
	Record arrow.RecordBatch
	// First is the 0-based index of the first row among the data rows of the file, or of the part
	// that Table.Partition returned.
	First int64
	// Lines holds, for text files, the 1-based line on which each row starts; nil otherwise.
	Lines []int64
	// Places holds the 0-based index of every row in the file; nil if they follow First.
	Places []int64
	// Numbers reports, by column, or nil, the rows whose text is a number in the file.
	Numbers [][]bool
	// Lacking allows the batch to lack features: their cells are unknown.
	Lacking bool
	// Decimal is ReadOptions.Decimal of the file; 0 means the sign of the training table.
	Decimal byte
}

// Index returns the 0-based index of a row of the batch among the file's data rows.
func (b *Batch) Index(row int) int64 {
	if b.Places != nil {
		return b.Places[row]
	}
	return b.First + int64(row)
}

// Rows returns the number of rows of the batch.
func (b *Batch) Rows() int { return int(b.Record.NumRows()) }

// Column returns the named column, unchanged, and whether the batch has it. Use it to write a
// column through to the output.
func (b *Batch) Column(name string) (arrow.Array, bool) {
	at := FieldIndex(b.Record.Schema(), name)
	if at < 0 {
		return nil, false
	}
	return b.Record.Column(at), true
}

// ErrorAt returns an *Error that points at a row of the batch.
func (b *Batch) ErrorAt(row int, column, format string, args ...any) *Error {
	e := &Error{File: b.File, Row: b.Index(row) + 1, Column: column, Msg: fmt.Sprintf(format, args...)}
	if row < len(b.Lines) {
		e.Line = b.Lines[row]
	}
	return e
}

// FieldNames lists the names of the fields of a schema.
func FieldNames(schema *arrow.Schema) []string {
	names := make([]string, schema.NumFields())
	for i, f := range schema.Fields() {
		names[i] = f.Name
	}
	return names
}

// FieldIndex returns the position of the named field, or -1.
func FieldIndex(schema *arrow.Schema, name string) int {
	return slices.IndexFunc(schema.Fields(), func(f arrow.Field) bool { return f.Name == name })
}

// Input is the input of a source.
type Input struct {
	Stream *bufio.Reader     // unpacked text
	File   *io.SectionReader // nil for a pipe
}

// Options are the options of a source.
type Options struct {
	BatchRows  int               // rows of a batch, at most
	Skip       func(string) bool // columns that are not needed; nil needs all
	RequireEOS bool              // an Arrow stream must end with its marker
	Delimiter  rune              // of text; 0 to detect it
	Names      []string          // columns that text should have, which settle the delimiter
	Told       byte              // delimiter of a text's extension, 0 for none or a comma
	Encoding   string            // of text
	HeaderRow  int               // row that names the columns, from 1; 0 for the first one
	Sheet      string            // of a workbook; "" for the only one
}

// Output is what an encoder writes besides rows, and how.
type Output struct {
	Schema         *arrow.Schema
	Metadata       arrow.Metadata
	Delimiter      rune
	EscapeFormulas bool
}

// Skipped gives columns that are not needed a type without values, and returns their positions.
func (o Options) Skipped(fields []arrow.Field) (skipped []int) {
	for i, f := range fields {
		if o.Skip != nil && o.Skip(f.Name) {
			fields[i].Type = NewUnsupported(f.Type.String())
			skipped = append(skipped, i)
		}
	}
	return skipped
}

// Absent returns n rows of an unsupported column, without values.
func Absent(t arrow.DataType, n int) arrow.Array {
	data := array.NewData(t, n, nil, nil, n, 0)
	defer data.Release()
	return array.MakeFromData(data)
}

// Count formats a number of things: 1 row, 2 rows.
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
