package parquet

import (
	"bytes"
	"errors"
	"io"

	"github.com/apache/arrow-go/v18/parquet/metadata"
)

// border is the end of one Parquet file and the beginning of another.
var border = []byte(magic + magic)

// checkTogether refuses several Parquet files written one after the other. The last footer gives
// positions as if its file stood alone, so rows of one file would be taken for all. Then another
// file's end lies between the known pages and the footer.
func checkTogether(f io.ReaderAt, meta *metadata.FileMetaData, footer int64) error {
	at := knownEnd(meta)
	buffer := make([]byte, 1<<20)
	for at < footer {
		n := min(int64(len(buffer)), footer-at)
		if err := readAt(f, buffer[:n], at); err != nil {
			return err
		}
		if bytes.Contains(buffer[:n], border) {
			return errors.New("the file holds several Parquet files, and its footer lists only the " +
				"last one: write them as one, or use one of them")
		}
		at += max(n-int64(len(border))+1, 1)
	}
	return nil
}

// knownEnd returns the end of the pages, indices and filters that the footer lists.
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
