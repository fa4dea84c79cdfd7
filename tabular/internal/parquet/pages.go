package parquet

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/thrift/lib/go/thrift"
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

// A pageHeader is the relevant part of struct PageHeader of parquet.thrift.
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

// parsePageHeader decodes a page header and returns its length. ok is false if the buffer ends
// before the header.
func parsePageHeader(buf []byte) (h pageHeader, size int, ok bool) {
	w := walk(buf)
	h.rows = -1
	w.fields(func(id int16, is thrift.TType) bool { return h.field(w, id, is) })
	return h, w.pos(), w.err == nil
}

// field reads a field of the header, and reports whether it knows the field.
func (h *pageHeader) field(w *walker, id int16, is thrift.TType) bool {
	crc := int64(0)
	switch {
	case id == 1:
		return w.number(&h.kind, is)
	case id == 2:
		return w.number(&h.full, is)
	case id == 3:
		return w.number(&h.packed, is)
	case id == 4 && w.number(&crc, is):
		h.crc, h.hasCRC = uint32(crc), true
		return true
	case is != thrift.STRUCT:
		return false
	case id == 5 || id == 7:
		h.dataHeader = h.dataHeader || id == 5
		h.dictionary = h.dictionary || id == 7
		w.fields(func(id int16, is thrift.TType) bool { return h.first(w, id, is) })
		return true
	case id == 8:
		h.v2Data = true
		w.fields(func(id int16, is thrift.TType) bool { return h.second(w, id, is) })
		return true
	}
	return false
}

// first reads a field of the header of a data page of version 1 or of a dictionary.
func (h *pageHeader) first(w *walker, id int16, is thrift.TType) bool {
	switch id {
	case 1:
		return w.number(&h.values, is)
	case 2:
		return w.number(&h.encoding, is)
	case 3:
		return w.number(&h.levelEncoding, is)
	}
	return false
}

// second reads a field of the header of a data page of version 2.
func (h *pageHeader) second(w *walker, id int16, is thrift.TType) bool {
	switch id {
	case 1:
		return w.number(&h.values, is)
	case 3:
		return w.number(&h.rows, is)
	case 4:
		return w.number(&h.encoding, is)
	case 5, 6:
		levels := int64(0)
		read := w.number(&levels, is)
		if levels < 0 {
			w.check(false, nil)
		}
		h.levels += levels
		return read
	case 7:
		compressed, err := w.p.ReadBool(context.Background())
		h.plain = w.check(is == thrift.BOOL, err) && !compressed
		return true
	}
	return false
}

// check checks a header against its chunk.
func (h pageHeader) check(c chunk, left int64) error {
	switch {
	case h.packed < 0 || h.packed > left || h.full < 0:
		return fmt.Errorf("a page has %d bytes, but only %d are left", h.packed, left)
	case h.full > maxPage:
		return fmt.Errorf("a page expands to %d bytes, at most %d are possible", h.full, maxPage)
	case h.values < 0 || h.values > math.MaxInt32 || h.levels > h.packed:
		return fmt.Errorf("a page declares %d values", h.values)
	}
	want := map[int64]bool{
		int64(file.PageTypeDataPage):       h.dataHeader,
		int64(file.PageTypeDataPageV2):     h.v2Data,
		int64(file.PageTypeDictionaryPage): h.dictionary,
	}
	if !want[h.kind] {
		return fmt.Errorf("a page has the unknown kind %d", h.kind)
	}
	if h.v2Data && h.rows != h.values {
		return fmt.Errorf("a page has %d values in %d rows", h.values, h.rows)
	}
	if h.dictionary {
		width := int64(max(c.width, 1))
		if h.values > maxDictionary || h.values*width > h.full {
			return fmt.Errorf("a dictionary has %d values in %d bytes", h.values, h.full)
		}
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
		if err := readAt(f, buf, at); err != nil {
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
