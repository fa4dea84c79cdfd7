package ground

import (
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
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
	var rows []SparseRow
	for size := 0; len(rows) < most && size < MaxBatchBytes; {
		row, bytes, err := read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
		size += bytes
	}
	if len(rows) == 0 {
		return nil, io.EOF
	}
	b := &Batch{First: l.First, Lines: sparseLines(rows), Numbers: sparseNumbers(rows, columns),
		Record: array.NewRecordBatch(l.Fields, sparseColumns(rows, columns), int64(len(rows)))}
	l.First += int64(len(rows))
	return b, nil
}

// sparseColumns turns rows into columns. Columns without a cell share their memory, because rows
// may be a few bytes in a table of many columns.
func sparseColumns(rows []SparseRow, columns int) []arrow.Array {
	arrays := make([]arrow.Array, columns)
	texts := make([][]SparseCell, columns) // of every column, with rows in place of columns
	for i, row := range rows {
		for _, c := range row.Cells {
			texts[c.Column] = append(texts[c.Column], SparseCell{i, c.Text, c.Number})
		}
	}
	empty := sparseColumn(nil, len(rows))
	for j := range arrays {
		arrays[j] = empty
		if len(texts[j]) > 0 {
			arrays[j] = sparseColumn(texts[j], len(rows))
		}
	}
	return arrays
}

// sparseColumn makes a column from its cells; their field Column holds the row.
func sparseColumn(cells []SparseCell, rows int) arrow.Array {
	builder := array.NewStringBuilder(memory.DefaultAllocator)
	defer builder.Release()
	builder.Reserve(rows)
	for _, c := range cells {
		builder.AppendNulls(c.Column - builder.Len())
		builder.Append(c.Text)
	}
	builder.AppendNulls(rows - builder.Len())
	return builder.NewArray()
}

// sparseNumbers reports which cells are numbers in the file, by column and row; nil for columns
// without any.
func sparseNumbers(rows []SparseRow, columns int) [][]bool {
	numbers := make([][]bool, columns)
	for i, row := range rows {
		for _, c := range row.Cells {
			if !c.Number {
				continue
			}
			if numbers[c.Column] == nil {
				numbers[c.Column] = make([]bool, len(rows))
			}
			numbers[c.Column][i] = true
		}
	}
	return numbers
}

func sparseLines(rows []SparseRow) []int64 {
	lines := make([]int64, len(rows))
	for i, row := range rows {
		lines[i] = row.Line
	}
	return lines
}

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
	group, err := g.take(rows)
	if err != nil {
		return err
	}
	defer group.Release()
	return g.Encoder.Write(group)
}

// take removes the first waiting rows.
func (g *Grouped) take(rows int64) (arrow.RecordBatch, error) {
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
	return Concatenate(g.Schema, parts, rows)
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
