package tabular

import (
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
}

// sparseColumns makes columns of rows.
func sparseColumns(rows []sparseRow, columns int) []arrow.Array {
	arrays := make([]arrow.Array, columns)
	texts := make([][]sparseCell, columns) // of every column, with rows in place of columns
	for i, row := range rows {
		for _, c := range row.cells {
			texts[c.column] = append(texts[c.column], sparseCell{i, c.text})
		}
	}
	for j := range arrays {
		builder := array.NewStringBuilder(memory.DefaultAllocator)
		builder.Reserve(len(rows))
		for _, c := range texts[j] {
			for builder.Len() < c.column {
				builder.AppendNull()
			}
			builder.Append(c.text)
		}
		for builder.Len() < len(rows) {
			builder.AppendNull()
		}
		arrays[j] = builder.NewArray()
		builder.Release()
	}
	return arrays
}

// sparseLines lists the lines of rows.
func sparseLines(rows []sparseRow) []int64 {
	lines := make([]int64, len(rows))
	for i, row := range rows {
		lines[i] = row.line
	}
	return lines
}
