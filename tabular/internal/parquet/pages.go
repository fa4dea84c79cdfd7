package parquet

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
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
}

// chunkPages is a summary of the headers of a chunk's pages.
type chunkPages struct {
	data    int   // number of data pages
	total   int64 // bytes of all pages, decompressed
	largest int64 // bytes of the dictionary and of the largest page, decompressed
	shared  int64 // the largest page whose values share prefixes, 0 where none do
	delta   bool  // pages have a delta encoding
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
			err = h.check(end - at)
		}
		if err == nil && h.part == partDictionary && page > 1 {
			err = errors.New("a dictionary follows the first page")
		}
		if err == nil && h.hasCRC {
			err = checkCRC(io.NewSectionReader(f, at, h.packed), h.crc)
		}
		if err != nil {
			return p, fmt.Errorf("page %d: %w", page, err)
		}
		at += h.packed
		p.total += h.full
		if h.part == partDictionary {
			dictionary = h.full
			continue
		}
		p.data++
		values += h.values
		p.largest = max(p.largest, h.full)
		p.delta = p.delta || deltaSequences[parquet.Encoding(h.encoding)] > 0
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

// A pageHeader is the relevant part of struct PageHeader of parquet.thrift.
type pageHeader struct {
	kind         int64
	full, packed int64 // bytes of the page, decompressed and as stored
	crc          uint32
	hasCRC       bool
	part         int16 // the field with the header of its kind
	values, rows int64
	encoding     int64
}

// The fields of PageHeader for each kind of page, and the kinds.
const partData, partDictionary, partDataV2 = 5, 7, 8

var pageKinds = map[int16]file.PageType{partData: file.PageTypeDataPage,
	partDictionary: file.PageTypeDictionaryPage, partDataV2: file.PageTypeDataPageV2}

// parsePageHeader decodes a page header and returns its length. ok is false if the buffer ends
// before the header.
func parsePageHeader(buf []byte) (h pageHeader, size int, ok bool) {
	w := walk(buf)
	var inner map[int16]int64
	outer := w.numbers(func(id int16) { h.part, inner = id, w.numbers(nil) })
	h.kind, h.full, h.packed, h.values = outer[1], outer[2], outer[3], inner[1]
	crc, ok := outer[4]
	h.crc, h.hasCRC = uint32(crc), ok
	if h.encoding, h.rows = inner[2], h.values; h.part == partDataV2 {
		h.encoding, h.rows = inner[4], inner[3]
	}
	return h, w.pos(), w.err == nil
}

// check checks a header against the bytes left in its chunk.
func (h pageHeader) check(left int64) error {
	kind, known := pageKinds[h.part]
	switch {
	case h.packed < 0 || h.packed > left || h.full < 0:
		return fmt.Errorf("a page has %d bytes, but only %d are left", h.packed, left)
	case h.full > maxPage:
		return fmt.Errorf("a page expands to %d bytes, at most %d are possible", h.full, maxPage)
	case h.values < 0:
		return fmt.Errorf("a page declares %d values", h.values)
	case !known || h.kind != int64(kind):
		return fmt.Errorf("a page has the unknown kind %d", h.kind)
	case h.rows != h.values:
		return fmt.Errorf("a page has %d values in %d rows", h.values, h.rows)
	case h.part == partDictionary && h.values > maxDictionary:
		return fmt.Errorf("a dictionary has %d values in %d bytes", h.values, h.full)
	case h.values > maxDeltaValues && (h.encoding == int64(parquet.Encodings.DeltaByteArray) ||
		h.encoding == int64(parquet.Encodings.DeltaLengthByteArray)):
		return fmt.Errorf("a page has %d strings, at most %d are possible", h.values, maxDeltaValues)
	}
	return nil
}

// readPageHeader reads the header at a position, and returns its length.
func readPageHeader(f io.ReaderAt, at, end int64) (pageHeader, int, error) {
	for window := int64(512); ; window *= 8 {
		n := min(window, end-at)
		if n <= 0 {
			return pageHeader{}, 0, errors.New("the pages end before the rows")
		}
		buf := make([]byte, n)
		if err := ground.ReadAt(f, buf, at); err != nil {
			return pageHeader{}, 0, err
		}
		if h, size, ok := parsePageHeader(buf); ok {
			return h, size, nil
		}
		if n == end-at || window > maxPageHeader {
			return pageHeader{}, 0, errors.New("a page header is damaged")
		}
	}
}
