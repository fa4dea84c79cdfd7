package ground

import (
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// SparseRow is a row that need not have a cell in every column.
type SparseRow struct {
	Line  int64
	Cells []SparseCell
}

// SparseCell is a cell that is not null.
type SparseCell struct {
	Column int
	Text   string
	Number bool // that the file holds as a number: how texts are written says nothing about it
}

// SparseBatch reads the next rows of a file: as many as most says, and fewer where there are many
// columns or long rows. It adds their number to first. read returns a row with the bytes that it
// takes, and io.EOF after the last one. Errors are those of read, and io.EOF if no row is left.
func SparseBatch(fields *arrow.Schema, most int, first *int64,
	read func() (SparseRow, int, error)) (Batch, error) {
	columns := fields.NumFields()
	most = min(most, max(1, MaxBatchBytes/(8*columns)))
	var rows []SparseRow
	for size := 0; len(rows) < most && size < MaxBatchBytes; {
		row, bytes, err := read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return Batch{}, err
		}
		rows = append(rows, row)
		size += bytes
	}
	if len(rows) == 0 {
		return Batch{}, io.EOF
	}
	b := Batch{First: *first, Lines: sparseLines(rows), Numbers: sparseNumbers(rows, columns),
		Record: array.NewRecordBatch(fields, sparseColumns(rows, columns), int64(len(rows)))}
	*first += int64(len(rows))
	return b, nil
}

// sparseColumns makes columns of rows. Those without a cell share their memory, as rows may be few
// bytes in a table of many columns.
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

// sparseColumn makes a column of its cells, whose columns are rows.
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

// sparseNumbers tells which cells are numbers in the file, by column and row; nil for columns
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
