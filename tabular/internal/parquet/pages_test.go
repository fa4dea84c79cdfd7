package parquet

import (
	"bytes"
	"hash/crc32"
	"io"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/klauspost/compress/snappy"
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
		place := chunk{length: int64(len(c.file)), rows: c.rows, kind: parquet.Types.Int64,
			width: 8, codec: compress.Codecs.Uncompressed}
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
	c := chunk{width: 8}
	for want, h := range map[string]pageHeader{
		"page has -1 bytes":           {packed: -1, dataHeader: true},
		"page has 9 bytes":            {packed: 9, dataHeader: true},
		"a page expands to":           {full: maxPage + 1, dataHeader: true},
		"page declares -1 values":     {values: -1, dataHeader: true},
		"a page has the unknown kind": {kind: 7, dataHeader: true},
		"1 values in 2 rows":          {kind: 3, values: 1, rows: 2, v2Data: true},
		"dictionary has 2 values in 8 bytes": {kind: 2, values: 2, full: 8,
			dictionary: true},
	} {
		if err := h.check(c, 8); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestSkipDelta(t *testing.T) {
	// blocks of 8 values in 1 part; 3 values, the first is 5; minimum 0, width 1, a byte, the rest
	honest := []byte{8, 1, 3, 10, 0, 1, 0b11, 'r'}
	rest, err := skipDelta(honest, 3)
	if err != nil || string(rest) != "r" {
		t.Errorf("rest %q, error %v", rest, err)
	}
	for want, b := range map[string][]byte{
		"header is damaged":             {8, 1},
		"a delta block has 0 values":    {0, 1, 3, 10},
		"in 3 parts":                    {8, 3, 3, 10},
		"3 delta values":                honest,
		"the delta values end early":    {8, 1, 2, 10, 0, 64},
		"a delta block has 268435455 v": {0xff, 0xff, 0xff, 0x7f, 1, 2, 10},
	} {
		if _, err := skipDelta(b, 2); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%x: error %v, want %q", b, err, want)
		}
	}
}

// TestBoundedCodecs checks that a page that holds more than its header says is refused.
func TestBoundedCodecs(t *testing.T) {
	if err := registerCodecs(); err != nil {
		t.Fatal(err)
	}
	long := bytes.Repeat([]byte("x"), 1<<16)
	for _, id := range []compress.Compression{compress.Codecs.Snappy, compress.Codecs.Zstd,
		compress.Codecs.Lz4Raw} {
		codec, err := compress.GetCodec(id)
		if err != nil {
			t.Fatal(err)
		}
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

// TestHadoop checks the framing of the deprecated LZ4 codec.
func TestHadoop(t *testing.T) {
	block := []byte{0x40, 'a', 'b', 'c', 'd'} // four literals
	framed := append([]byte{0, 0, 0, 4, 0, 0, 0, 5}, block...)
	for what, src := range map[string][]byte{"framed": framed, "bare": block} {
		got, err := decodeHadoop(make([]byte, 4), src)
		if err != nil || string(got) != "abcd" {
			t.Errorf("%s: %q, error %v", what, got, err)
		}
	}
	lie := bytes.Clone(framed)
	lie[0] = 0x7f
	if _, err := decodeHadoop(make([]byte, 4), lie); err == nil {
		t.Error("a block of 2 GiB is read")
	}
}

// TestShrunkFile checks that the end of a file that shrinks is no end of the rows.
func TestShrunkFile(t *testing.T) {
	err := readAt(bytes.NewReader(make([]byte, 4)), make([]byte, 8), 0)
	if err == nil || err == io.EOF {
		t.Errorf("error %v", err)
	}
}
