package parquet

import (
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/parquet"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
	"github.com/pfnamp/pfnamp/tabular/internal/parquetguard"
)

// openGroup opens the next row group; io.EOF after the last one.
func (s *Reader) openGroup() (err error) {
	if s.group >= s.reader.NumRowGroups() {
		return io.EOF
	}
	defer ground.Recover(&err)
	group := s.reader.Group(s.group)
	s.group++
	s.left = group.NumRows()
	if s.left == 0 {
		return nil
	}
	columns := make([]*columnReader, len(s.leaves))
	text := int64(0)
	for i, leaf := range s.leaves {
		if leaf < 0 {
			continue
		}
		column, err := group.Column(leaf)
		if err != nil {
			return s.damage(i, err)
		}
		if err := group.Fits(); err != nil {
			return &ground.Error{Msg: fmt.Sprintf("the pages of row group %d %s", s.group, err)}
		}
		columns[i] = s.openColumn(column, i)
		if column.Type() == parquet.Types.ByteArray {
			text += column.Bytes
		}
	}
	s.columns = columns
	s.fit = min(s.limit, max(1, aimStringBytes/max(1, text/s.left)))
	return nil
}

// openColumn begins to read a column.
func (s *Reader) openColumn(column *parquetguard.Column, i int) *columnReader {
	c := &columnReader{reader: column.ColumnChunkReader, typ: s.sc.Field(i).Type,
		pages: column.Pages, optional: column.Optional, step: maxStep}
	if column.Shared > 0 {
		c.step = max(1, sharedBytes/column.Shared)
	}
	return c
}
