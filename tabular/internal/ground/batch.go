package ground

import (
	"context"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/compute"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// SparseRow is a row that may have no cell in some columns.
type SparseRow struct {
	Line  int64
	Cells []SparseCell
}

// SparseCell is a cell that is not null.
type SparseCell struct {
	Column int
	Text   string
	Number bool // the file holds it as a number, not as a text that looks like one
}

// Sparse reads the next rows: up to Most, and fewer if there are many columns or long rows. read
// returns a row and its size in bytes, and io.EOF after the last one. Sparse returns the errors of
// read, and io.EOF if no row is left.
func (l *Lines) Sparse(read func() (SparseRow, int, error)) (*Batch, error) {
	columns := l.Fields.NumFields()
	most := min(l.Most, max(1, MaxBatchBytes/(8*columns)))
	builder := array.NewRecordBuilder(memory.DefaultAllocator, l.Fields)
	defer builder.Release()
	b := &Batch{First: l.First, Numbers: make([][]bool, columns)}
	for size := 0; len(b.Lines) < most && size < MaxBatchBytes; {
		row, bytes, err := read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		n := len(b.Lines)
		for _, c := range row.Cells {
			texts := builder.Field(c.Column).(*array.StringBuilder)
			texts.AppendNulls(n - texts.Len())
			texts.Append(c.Text)
			if c.Number {
				b.Numbers[c.Column] = append(padded(b.Numbers[c.Column], n), true)
			}
		}
		b.Lines = append(b.Lines, row.Line)
		size += bytes
	}
	n := len(b.Lines)
	if n == 0 {
		return nil, io.EOF
	}
	for j := range columns {
		builder.Field(j).AppendNulls(n - builder.Field(j).Len())
		if b.Numbers[j] != nil {
			b.Numbers[j] = padded(b.Numbers[j], n)
		}
	}
	b.Record = builder.NewRecordBatch()
	l.First += int64(n)
	return b, nil
}

// padded appends false until there are n flags.
func padded(flags []bool, n int) []bool { return append(flags, make([]bool, n-len(flags))...) }

// GroupRows is the number of rows in a row group or record batch of the output; the last one has
// fewer.
const GroupRows = 1 << 14

// Grouped cuts the rows into groups of GroupRows before an encoder sees them, so that a file does
// not depend on the batches of its rows.
type Grouped struct {
	Encoder
	Schema  *arrow.Schema
	waiting []arrow.RecordBatch
	rows    int64 // number of waiting rows
}

// Write takes a batch and encodes the groups that it completes.
func (g *Grouped) Write(rec arrow.RecordBatch) error {
	rec.Retain()
	g.waiting, g.rows = append(g.waiting, rec), g.rows+rec.NumRows()
	for g.rows >= GroupRows {
		if err := g.flush(GroupRows); err != nil {
			return err
		}
	}
	return nil
}

// Close encodes the rest and completes the file.
func (g *Grouped) Close() error {
	if g.rows > 0 {
		if err := g.flush(g.rows); err != nil {
			return err
		}
	}
	return g.Encoder.Close()
}

// flush encodes the first waiting rows as one batch.
func (g *Grouped) flush(rows int64) error {
	var parts []arrow.RecordBatch
	for need := rows; need > 0; {
		first := g.waiting[0]
		n := min(need, first.NumRows())
		parts = append(parts, first.NewSlice(0, n))
		if n == first.NumRows() {
			g.waiting = g.waiting[1:]
		} else {
			g.waiting[0] = first.NewSlice(n, first.NumRows())
		}
		first.Release()
		need -= n
	}
	g.rows -= rows
	group, err := Concatenate(g.Schema, parts, rows)
	if err != nil {
		return err
	}
	defer group.Release()
	return g.Encoder.Write(group)
}

// Stored converts the columns of a batch to the types of a schema, in which they are stored.
func Stored(schema *arrow.Schema, rec arrow.RecordBatch) (arrow.RecordBatch, error) {
	columns := make([]arrow.Array, rec.NumCols())
	for i := range columns {
		columns[i] = rec.Column(i)
		t := schema.Field(i).Type
		if arrow.TypeEqual(columns[i].DataType(), t) {
			continue
		}
		var err error
		columns[i], err = compute.CastArray(context.Background(), columns[i], compute.SafeCastOptions(t))
		if err != nil {
			return nil, &Error{Column: rec.ColumnName(i), Msg: "cannot be encoded", Err: err}
		}
	}
	return array.NewRecordBatch(schema, columns, rec.NumRows()), nil
}

// Concatenate joins batches of one schema and releases them.
func Concatenate(schema *arrow.Schema, parts []arrow.RecordBatch, rows int64) (
	arrow.RecordBatch, error,
) {
	if len(parts) == 1 {
		return parts[0], nil
	}
	columns := make([]arrow.Array, schema.NumFields())
	for j := range columns {
		if t, ok := schema.Field(j).Type.(*UnsupportedType); ok {
			columns[j] = Absent(t, int(rows))
			continue
		}
		pieces := make([]arrow.Array, len(parts))
		for i, part := range parts {
			pieces[i] = part.Column(j)
		}
		column, err := array.Concatenate(pieces, memory.DefaultAllocator)
		if err != nil {
			return nil, err
		}
		defer column.Release()
		columns[j] = column
	}
	for _, part := range parts {
		part.Release()
	}
	return array.NewRecordBatch(schema, columns, rows), nil
}
