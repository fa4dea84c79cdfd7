package parquet

import (
	"bytes"
	"hash/crc32"
	"io"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/klauspost/compress/snappy"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// dataPage is a page of version 1 of so many values in plain encoding, with a checksum.
func dataPage(values byte, data []byte, sum uint32) []byte {
	b := []byte{0x15, 0} // type DATA_PAGE
	for range 2 {        // sizes
		b = append(b, 0x15, byte(2*len(data)))
	}
	signed := int64(int32(sum))
	zigzag := uint64(signed<<1 ^ signed>>63)
	b = append(b, 0x15)
	for ; zigzag > 0x7f; zigzag >>= 7 {
		b = append(b, byte(zigzag)|0x80)
	}
	b = append(b, byte(zigzag), 0x1c, // DataPageHeader
		0x15, 2*values, 0x15, 0, 0x15, 6, 0x15, 6, 0, 0)
	return append(b, data...)
}

func TestAudit(t *testing.T) {
	data := []byte("12345678")
	good := crc32.ChecksumIEEE(data)
	page := dataPage(1, data, good)
	two := bytes.Repeat(page, 2)
	for _, c := range []struct {
		what string
		file []byte
		rows int64
		want string
	}{
		{"one page", page, 1, ""},
		{"two pages", two, 2, ""},
		{"wrong checksum", dataPage(1, data, good+1), 1, "page 1: the checksum is"},
		{"more values than rows", page, 0, ""}, // no page is read
		{"fewer values than rows", page, 2, "page 2: the pages end before the rows"},
		{"pages beyond the rows", dataPage(3, data, good), 2, "pages hold 3 values for 2 rows"},
		{"cut off", page[:len(page)-1], 1, "a page has 8 bytes, but only 7 are left"},
		{"cut off in the header", page[:5], 1, "a page header is damaged"},
		{"not a header", []byte("\xff\xff\xff\xff\xff\xff"), 1, "a page header is damaged"},
	} {
		place := chunk{length: int64(len(c.file)), rows: c.rows}
		pages, err := place.audit(bytes.NewReader(c.file))
		switch {
		case c.want == "" && (err != nil || int64(pages.data) != c.rows):
			t.Errorf("%s: %d pages, error %v", c.what, pages.data, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: error %v, want %q", c.what, err, c.want)
		}
	}
}

func TestPageHeaderClaims(t *testing.T) {
	for want, h := range map[string]pageHeader{
		"page has -1 bytes":           {packed: -1},
		"page has 9 bytes":            {packed: 9},
		"a page expands to":           {full: maxPage + 1},
		"page declares -1 values":     {values: -1},
		"a page has the unknown kind": {kind: 7},
		"page has 8388609 strings":    {values: 1<<23 + 1, rows: 1<<23 + 1, part: partData, encoding: 6},
		"1 values in 2 rows":          {kind: 3, values: 1, rows: 2, part: partDataV2},
		"a dictionary has":            {kind: 2, values: 1 << 23, rows: 1 << 23, part: partDictionary},
	} {
		if err := h.check(8); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// TestBoundedCodecs checks that a page that holds more than its header says is refused.
func TestBoundedCodecs(t *testing.T) {
	must.Succeed(t, registerCodecs())
	long := bytes.Repeat([]byte("x"), 1<<16)
	for _, id := range []compress.Compression{compress.Codecs.Snappy, compress.Codecs.Zstd,
		compress.Codecs.Lz4Raw} {
		codec, err := compress.GetCodec(id)
		must.Succeed(t, err)
		packed := codec.Encode(make([]byte, codec.CompressBound(int64(len(long)))), long)
		full, err := compress.Decode(codec, make([]byte, len(long)), packed)
		if err != nil || !bytes.Equal(full, long) {
			t.Errorf("%s: %d bytes, error %v", id, len(full), err)
		}
		if _, err := compress.Decode(codec, make([]byte, 100), packed); err == nil {
			t.Errorf("%s: 100 bytes hold %d", id, len(long))
		}
	}
	if _, err := decodeSnappy(make([]byte, 3), snappy.Encode(nil, []byte("four"))); err == nil {
		t.Error("3 bytes hold 4")
	}
}

// TestShrunkFile checks that the end of a file that shrinks is no end of the rows.
func TestShrunkFile(t *testing.T) {
	err := ground.ReadAt(bytes.NewReader(make([]byte, 4)), make([]byte, 8), 0)
	if err == nil || err == io.EOF {
		t.Errorf("error %v", err)
	}
}
