// Package ground is what the readers of all formats stand on: batches of rows, what is wrong with a
// file, and the words for what libraries report. Package tabular makes its own types of these.
package ground

import (
	"context"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// Source is a table that is read batch by batch.
type Source interface {
	// Schema names the columns in the order of the file.
	Schema() *arrow.Schema
	// Next returns the next batch, with at least one row, and io.EOF after the last one.
	Next(ctx context.Context) (Batch, error)
	// Rows is the number of rows by the file's footer, -1 when unknown.
	Rows() int64
	// Note is, after the last batch, what there is to say about the end of the input.
	Note() string
	// Close frees what the source holds but the input; it is safe to call twice.
	Close()
}

// Batch is a run of rows.
type Batch struct {
	Record arrow.RecordBatch
	First  int64   // 0-based index of the first row in the file
	Lines  []int64 // of text, on which each row starts; nil otherwise
	// Numbers are, by column, or nil, the rows whose text is that of a number in the file.
	Numbers [][]bool
}

// Options say how a source reads.
type Options struct {
	BatchRows  int               // rows of a batch, at most
	Skip       func(string) bool // columns that are not needed; nil needs all
	RequireEOS bool              // an Arrow stream ends with its marker
	Delimiter  rune              // of text; 0 where it is to be found
	Told       rune              // the delimiter that the name of a text tells, 0 for none but a comma
	Encoding   string            // of text
	HeaderRow  int               // that names the columns, from 1; 0 for the first one
	Sheet      string            // of a workbook; "" for the only one
	IsNumber   func(string) bool // whether a text is a number
	// Refuse tells by the first bytes of a text that was packed that it is none.
	Refuse func(head []byte) error
	// Unsupported is the type of columns that are not represented, by how the file stores them.
	Unsupported func(stored string) arrow.DataType
}

// Skipped gives columns that are not needed a type without values, and lists their positions.
func (o Options) Skipped(fields []arrow.Field) (skipped []int) {
	for i, f := range fields {
		if o.Skip != nil && o.Skip(f.Name) {
			fields[i].Type = o.Unsupported(f.Type.String())
			skipped = append(skipped, i)
		}
	}
	return skipped
}

// Absent returns n rows of a column that is not represented, without values.
func Absent(t arrow.DataType, n int) arrow.Array {
	data := array.NewData(t, n, nil, nil, n, 0)
	defer data.Release()
	return array.MakeFromData(data)
}

// Count counts things: 1 row, 2 rows.
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
