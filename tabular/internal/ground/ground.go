// Package ground is the common ground of all readers: batches of rows, errors about a file, and our
// words for the reports of libraries. Package tabular converts these types into its own.
package ground

import (
	"context"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// Source is a table that is read in batches.
type Source interface {
	// Schema names the columns in the order of the file.
	Schema() *arrow.Schema
	// Next returns the next batch, with at least one row, and io.EOF after the last one.
	Next(ctx context.Context) (Batch, error)
	// Rows returns the number of rows according to the file's footer, -1 if unknown.
	Rows() int64
	// Note returns a note on the end of the input, after the last batch; "" if there is none.
	Note() string
	// Close frees everything that the source holds except the input. It is safe to call twice.
	Close()
}

// Batch holds consecutive rows.
type Batch struct {
	Record arrow.RecordBatch
	First  int64   // 0-based index of the first row in the file
	Lines  []int64 // of text, on which each row starts; nil otherwise
	// Numbers report, by column, or nil, the rows whose text is a number in the file.
	Numbers [][]bool
}

// Options are the options of a source.
type Options struct {
	BatchRows  int               // rows of a batch, at most
	Skip       func(string) bool // columns that are not needed; nil needs all
	RequireEOS bool              // an Arrow stream must end with its marker
	Delimiter  rune              // of text; 0 to detect it
	Names      []string          // columns that text should have, which settle the delimiter
	Told       rune              // delimiter of a text's extension, 0 for none or a comma
	Encoding   string            // of text
	HeaderRow  int               // row that names the columns, from 1; 0 for the first one
	Sheet      string            // of a workbook; "" for the only one
	IsNumber   func(string) bool // reports whether a text is a number
	// Refuse returns an error if the first bytes of an unpacked text show another format.
	Refuse func(head []byte) error
	// Unsupported returns the type of an unsupported column, for its stored type.
	Unsupported func(stored string) arrow.DataType
}

// Skipped gives columns that are not needed a type without values, and returns their positions.
func (o Options) Skipped(fields []arrow.Field) (skipped []int) {
	for i, f := range fields {
		if o.Skip != nil && o.Skip(f.Name) {
			fields[i].Type = o.Unsupported(f.Type.String())
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
