package tabular

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
)

// Limits on the pages of a Parquet file.
const (
	maxPage       = 128 << 20 // bytes of a page, decompressed
	maxPageHeader = 4 << 20   // bytes of a page's header
	maxDictionary = 4 << 20   // values of a dictionary
	minOpenPages  = 192 << 20 // bytes of pages that are open at a time, in a file of any size
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

// chunkPages is what the headers of a chunk's pages tell.
type chunkPages struct {
	data    int   // number of data pages
	total   int64 // bytes of all pages, decompressed
	largest int64 // bytes of the dictionary and of the largest page, decompressed
	shared  int64 // the largest page whose values share prefixes, 0 where none do
}

// A pageHeader is the part of struct PageHeader of parquet.thrift that matters here.
type pageHeader struct {
	kind               int64
	full, packed       int64 // bytes of the page, decompressed and as stored
	crc                uint32
	hasCRC             bool
	values, rows       int64 // rows: -1 in pages of version 1
	encoding           int64
	levelEncoding      int64
	levels             int64 // bytes of levels before the values, in pages of version 2
	plain              bool  // whether the values of a page of version 2 are not compressed
	dataHeader, v2Data bool
	dictionary         bool
}

// parsePageHeader decodes a page header and returns its length; ok is false where the buffer
// ends before the header does.
func parsePageHeader(buf []byte) (h pageHeader, size int, ok bool) {
	w := &thriftWalker{buf: buf}
	h.rows = -1
	number := func(to *int64, wire byte) bool {
		if wire != thriftI32 {
			return false
		}
		*to = w.signed()
		return true
	}
	v1 := func(id int, wire byte) bool {
		to := map[int]*int64{1: &h.values, 2: &h.encoding, 3: &h.levelEncoding}[id]
		return to != nil && number(to, wire)
	}
	v2 := func(id int, wire byte) bool {
		levels := int64(0)
		switch id {
		case 1:
			return number(&h.values, wire)
		case 3:
			return number(&h.rows, wire)
		case 4:
			return number(&h.encoding, wire)
		case 5, 6:
			read := number(&levels, wire)
			if levels < 0 {
				w.fail()
			}
			h.levels += levels
			return read
		case 7:
			h.plain = wire == thriftFalse
		}
		return false
	}
	w.fields(func(id int, wire byte) bool {
		crc := int64(0)
		switch {
		case id == 1:
			return number(&h.kind, wire)
		case id == 2:
			return number(&h.full, wire)
		case id == 3:
			return number(&h.packed, wire)
		case id == 4 && number(&crc, wire):
			h.crc, h.hasCRC = uint32(crc), true
			return true
		case id == 5 && wire == thriftStruct:
			h.dataHeader = true
			w.fields(v1)
			return true
		case id == 7 && wire == thriftStruct:
			h.dictionary = true
			w.fields(v1)
			return true
		case id == 8 && wire == thriftStruct:
			h.v2Data = true
			w.fields(v2)
			return true
		}
		return false
	})
	return h, w.pos, w.err == nil
}

// check checks a header against its chunk.
func (h pageHeader) check(c chunk, left int64) error {
	switch {
	case h.packed < 0 || h.packed > left || h.full < 0:
		return fmt.Errorf("page of %d bytes where %d are left", h.packed, left)
	case h.full > maxPage:
		return fmt.Errorf("page expands to %d bytes, the limit is %d", h.full, maxPage)
	case h.values < 0 || h.values > math.MaxInt32 || h.levels > h.packed:
		return fmt.Errorf("page claims %d values", h.values)
	}
	want := map[int64]bool{
		int64(file.PageTypeDataPage):       h.dataHeader,
		int64(file.PageTypeDataPageV2):     h.v2Data,
		int64(file.PageTypeDictionaryPage): h.dictionary,
	}
	if !want[h.kind] {
		return fmt.Errorf("page of unknown kind %d", h.kind)
	}
	if h.v2Data && h.rows != h.values {
		return fmt.Errorf("page of %d values in %d rows", h.values, h.rows)
	}
	if h.dictionary {
		width := int64(max(c.width, 1))
		if h.values > maxDictionary || h.values*width > h.full {
			return fmt.Errorf("dictionary of %d values in %d bytes", h.values, h.full)
		}
	}
	return nil
}

// audit reads the page headers of a chunk before the library decodes it: sizes and counts
// within bounds, checksums right where there are any (the library does not check them), as many
// values as the row group has rows.
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
			err = errors.New("dictionary after the first page")
		}
		if err == nil && h.hasCRC {
			err = checkCRC(io.NewSectionReader(f, at, h.packed), h.crc)
		}
		if err == nil && deltaEncoded(h.encoding) && !h.dictionary {
			err = c.checkDelta(f, at, h)
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
		return p, fmt.Errorf("pages hold %d values for %d rows", values, c.rows)
	}
	p.largest += dictionary
	return p, nil
}

// readPageHeader reads the header at a position, and returns its length.
func readPageHeader(f io.ReaderAt, at, end int64) (pageHeader, int, error) {
	for window := int64(512); ; window *= 8 {
		n := min(window, end-at)
		if n <= 0 {
			return pageHeader{}, 0, errors.New("pages end before the rows do")
		}
		buf := make([]byte, n)
		if _, err := f.ReadAt(buf, at); err != nil {
			return pageHeader{}, 0, unexpectedEOF(err)
		}
		if h, size, ok := parsePageHeader(buf); ok {
			return h, size, nil
		}
		if n == end-at || window > maxPageHeader {
			return pageHeader{}, 0, errors.New("page header is damaged")
		}
	}
}

// checkCRC compares the checksum of a page as stored with the one in its header.
func checkCRC(r io.Reader, want uint32) error {
	sum := crc32.NewIEEE()
	if _, err := io.Copy(sum, r); err != nil {
		return err
	}
	if sum.Sum32() != want {
		return fmt.Errorf("checksum is %08x, the header says %08x", sum.Sum32(), want)
	}
	return nil
}
