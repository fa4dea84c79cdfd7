package parquetguard

import (
	"fmt"

	"github.com/apache/arrow-go/v18/parquet/metadata"
)

// checkRowGroups checks the row counts of the footer, and that each row group has a chunk of every
// column inside the file.
func checkRowGroups(meta *metadata.FileMetaData, size int64) error {
	total, most := meta.GetNumRows(), max(maxRowsFloor, maxRowsPerByte*size)
	leaves := meta.Schema.NumColumns()
	if leaves > MaxColumns {
		return fmt.Errorf("there are %d columns, at most %d are possible", leaves, MaxColumns)
	}
	sum := int64(0)
	for i, group := range meta.GetRowGroups() {
		rows := group.GetNumRows()
		if rows < 0 || rows > most-sum {
			return fmt.Errorf("row group %d declares %d rows in %d bytes", i+1, rows, size)
		}
		sum += rows
		if len(group.Columns) != leaves {
			return fmt.Errorf("row group %d has %d of %d columns", i+1, len(group.Columns),
				leaves)
		}
	}
	if sum != total && total != 0 { // some writers leave it out
		return fmt.Errorf("the row groups hold %d rows, but the footer says %d", sum, total)
	}
	return nil
}
