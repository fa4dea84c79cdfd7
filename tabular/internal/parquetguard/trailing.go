package parquetguard

import (
	"bytes"
	"errors"
	"io"

	"github.com/apache/arrow-go/v18/parquet/metadata"
)

// border is where one Parquet file ends and another begins.
var border = []byte(magic + magic)

// checkTogether refuses files of which several stand one behind the other: the footer, that of the
// last one, places pages as if this one stood alone, so that rows of one are taken for all. Between
// what it knows and itself there is then the end of another file.
func checkTogether(f io.ReaderAt, meta *metadata.FileMetaData, footer int64) error {
	at := knownEnd(meta)
	buffer := make([]byte, 1<<20)
	for at < footer {
		n := min(int64(len(buffer)), footer-at)
		if err := readAt(f, buffer[:n], at); err != nil {
			return err
		}
		if bytes.Contains(buffer[:n], border) {
			return errors.New("several Parquet files in one; its footer knows only the last: " +
				"write them as one, or give one of them")
		}
		at += max(n-int64(len(border))+1, 1)
	}
	return nil
}

// knownEnd is the end of the pages, indices and filters that the footer knows.
func knownEnd(meta *metadata.FileMetaData) int64 {
	end := int64(0)
	for _, group := range meta.GetRowGroups() {
		for _, c := range group.Columns {
			end = max(end, c.GetColumnIndexOffset()+int64(c.GetColumnIndexLength()),
				c.GetOffsetIndexOffset()+int64(c.GetOffsetIndexLength()))
			if m := c.MetaData; m != nil {
				start := m.DataPageOffset
				if dictionary := m.GetDictionaryPageOffset(); dictionary > 0 {
					start = min(start, dictionary)
				}
				end = max(end, start+m.TotalCompressedSize,
					m.GetBloomFilterOffset()+int64(m.GetBloomFilterLength()))
			}
		}
	}
	return max(end, 0)
}
