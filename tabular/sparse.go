package tabular

import (
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// sparseRow is a row that need not have a cell in every column.
type sparseRow struct {
	line  int64
	cells []sparseCell
}

// sparseCell is a cell that is not null.
type sparseCell struct {
	column int
	text   string
	number bool // that the file holds as a number: how texts are written says nothing about it
}

// sparseBatch is the batch of the rows that follow the first rows of a file, which it then counts;
// io.EOF where there are none.
func sparseBatch(file string, fields *arrow.Schema, rows []sparseRow, first *int64) (*Batch,
	error) {
	if len(rows) == 0 {
		return nil, io.EOF
	}
	b := &Batch{File: file, First: *first, Lines: sparseLines(rows),
		numbers: sparseNumbers(rows, fields.NumFields()),
		Record:  array.NewRecordBatch(fields, sparseColumns(rows, fields.NumFields()), int64(len(rows)))}
	*first += int64(len(rows))
	return b, nil
}

// sparseColumns makes columns of rows. Those without a cell share their memory, as rows may be few
// bytes in a table of many columns.
func sparseColumns(rows []sparseRow, columns int) []arrow.Array {
	arrays := make([]arrow.Array, columns)
	texts := make([][]sparseCell, columns) // of every column, with rows in place of columns
	for i, row := range rows {
		for _, c := range row.cells {
			texts[c.column] = append(texts[c.column], sparseCell{i, c.text, c.number})
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
func sparseColumn(cells []sparseCell, rows int) arrow.Array {
	builder := array.NewStringBuilder(memory.DefaultAllocator)
	defer builder.Release()
	builder.Reserve(rows)
	for _, c := range cells {
		builder.AppendNulls(c.column - builder.Len())
		builder.Append(c.text)
	}
	builder.AppendNulls(rows - builder.Len())
	return builder.NewArray()
}

// sparseNumbers tells which cells are numbers in the file, by column and row; nil for columns
// without any.
func sparseNumbers(rows []sparseRow, columns int) [][]bool {
	numbers := make([][]bool, columns)
	for i, row := range rows {
		for _, c := range row.cells {
			if !c.number {
				continue
			}
			if numbers[c.column] == nil {
				numbers[c.column] = make([]bool, len(rows))
			}
			numbers[c.column][i] = true
		}
	}
	return numbers
}

// sparseLines lists the lines of rows.
func sparseLines(rows []sparseRow) []int64 {
	lines := make([]int64, len(rows))
	for i, row := range rows {
		lines[i] = row.line
	}
	return lines
}
