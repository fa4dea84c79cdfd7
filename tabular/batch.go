package tabular

import (
	"context"
	"fmt"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
)

// DefaultBatchRows is the number of rows in a batch if ReadOptions.BatchRows is zero.
const DefaultBatchRows = 4096

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

	places  []int64  // 0-based index of every row; nil if they follow First
	numbers [][]bool // by column, or nil: whether a row's text is a number in the file
}

// index returns the 0-based index of a row of the batch among the file's data rows.
func (b *Batch) index(row int) int64 {
	if b.places != nil {
		return b.places[row]
	}
	return b.First + int64(row)
}

// Rows returns the number of rows of the batch.
func (b *Batch) Rows() int { return int(b.Record.NumRows()) }

// Column returns the named column, unchanged, and whether the batch has it. Use it to write a
// column through to the output.
func (b *Batch) Column(name string) (arrow.Array, bool) {
	at := fieldIndex(b.Record.Schema(), name)
	if at < 0 {
		return nil, false
	}
	return b.Record.Column(at), true
}

// errorAt returns an *Error that points at a row of the batch.
func (b *Batch) errorAt(row int, column, format string, args ...any) *Error {
	e := &Error{
		File:   b.File,
		Row:    b.index(row) + 1,
		Column: column,
		Msg:    fmt.Sprintf(format, args...),
	}
	if row < len(b.Lines) {
		e.Line = b.Lines[row]
	}
	return e
}

// Table is a whole file in memory, as a list of batches.
type Table struct {
	// File is the name of the file, as given to ReadAll.
	File string
	// Schema names the columns, in the order of the file.
	Schema *arrow.Schema
	// Batches holds the rows, in order.
	Batches []*Batch
	// Rows is the number of rows of all batches.
	Rows int64
	// Notes are notes about the file, as in Reader.Notes.
	Notes []string
	// na is the set of texts that stand for a missing value; nil stands for DefaultNA.
	na *naSet
	// decimal comes from ReadOptions.Decimal.
	decimal byte
}

// Names lists the columns in the order of the file.
func (t *Table) Names() []string { return fieldNames(t.Schema) }

// source is what each file format implements.
type source interface {
	// schema names the columns in the order of the file.
	schema() *arrow.Schema
	// next returns the next batch, with at least one row, and io.EOF after the last one.
	next(ctx context.Context) (*Batch, error)
	// close frees everything that the source holds except the input. It is safe to call twice.
	close()
	// rows returns the number of rows according to the file's footer, -1 if unknown.
	rows() int64
	// end returns a note about the end of the input after the last batch, "" if there is none.
	end() string
}

// fieldNames lists the names of the fields of a schema.
func fieldNames(schema *arrow.Schema) []string {
	names := make([]string, schema.NumFields())
	for i, f := range schema.Fields() {
		names[i] = f.Name
	}
	return names
}

// fieldIndex returns the position of the named field, or -1.
func fieldIndex(schema *arrow.Schema, name string) int {
	return slices.IndexFunc(schema.Fields(), func(f arrow.Field) bool { return f.Name == name })
}
