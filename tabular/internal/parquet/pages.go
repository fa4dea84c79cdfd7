package parquet

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
)

// Limits on the pages of a Parquet file.
const (
	maxPage       = 128 << 20 // bytes of a page, decompressed
	maxPageHeader = 4 << 20   // bytes of a page's header
	maxDictionary = 4 << 20   // values of a dictionary
	minOpenPages  = 192 << 20 // bytes of pages open at a time, in a file of any size
)

// A chunk is the part of a row group that holds one column.
type chunk struct {
	start, length int64
	rows          int64
	codec         compress.Compression
	kind          parquet.Type
	width         int  // bytes of a fixed-length value
	optional      bool // whether values may be null
}

// chunkPages is a summary of the headers of a chunk's pages.
type chunkPages struct {
	data    int   // number of data pages
	total   int64 // bytes of all pages, decompressed
	largest int64 // bytes of the dictionary and of the largest page, decompressed
	shared  int64 // the largest page whose values share prefixes, 0 where none do
}

// audit reads the page headers of a chunk before the library decodes it. Sizes and counts must be
// within the limits, and the pages must have as many values as the row group has rows. It compares
// checksums, which the library does not.
func (c chunk) audit(f io.ReaderAt) (p chunkPages, err error) {
	dictionary := int64(0)
	at, end, values := c.start, c.start+c.length, int64(0)
	for page := 1; values < c.rows; page++ {
		h, size, err := readPageHeader(f, at, end)
		if err == nil {
			at += int64(size)
			err = h.check(c, end-at)
		}
		if err == nil && h.dictionary && page > 1 {
			err = errors.New("a dictionary follows the first page")
		}
		if err == nil && h.hasCRC {
			err = checkCRC(io.NewSectionReader(f, at, h.packed), h.crc)
		}
		if err == nil && !h.dictionary {
			err = c.checkValues(f, at, h)
		}
		if err != nil {
			return p, fmt.Errorf("page %d: %w", page, err)
		}
		at += h.packed
		p.total += h.full
		if h.dictionary {
			dictionary = h.full
			continue
		}
		p.data++
		values += h.values
		p.largest = max(p.largest, h.full)
		if h.encoding == int64(parquet.Encodings.DeltaByteArray) {
			p.shared = max(p.shared, h.full)
		}
	}
	if values > c.rows {
		return p, fmt.Errorf("the pages hold %d values for %d rows", values, c.rows)
	}
	p.largest += dictionary
	return p, nil
}

// checkValues decompresses and checks a data page in the delta encodings.
func (c chunk) checkValues(f io.ReaderAt, at int64, h pageHeader) error {
	if !deltaEncoded(h.encoding) {
		return nil
	}
	packed := make([]byte, h.packed)
	if err := readAt(f, packed, at); err != nil {
		return err
	}
	values, err := c.pageValues(packed, h)
	if err != nil || len(values) == 0 {
		return err
	}
	return h.checkDelta(values)
}

// checkCRC compares the checksum of a stored page with its header.
func checkCRC(r io.Reader, want uint32) error {
	sum := crc32.NewIEEE()
	if _, err := io.Copy(sum, r); err != nil {
		return err
	}
	if sum.Sum32() != want {
		return fmt.Errorf("the checksum is %08x, but its header says %08x", sum.Sum32(), want)
	}
	return nil
}
