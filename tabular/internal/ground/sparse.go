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

// sparseLines lists the lines of rows.
func sparseLines(rows []SparseRow) []int64 {
	lines := make([]int64, len(rows))
	for i, row := range rows {
		lines[i] = row.Line
	}
	return lines
}
