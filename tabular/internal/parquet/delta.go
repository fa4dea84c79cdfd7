package parquet

import (
	"encoding/binary"
	"fmt"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// Limits on pages in the delta encodings: their decoders allocate what pages declare.
const (
	maxDeltaBlock  = 1 << 20 // values of a block
	maxDeltaValues = 1 << 23 // values of a page of strings
)

// deltaSequences are the sequences of delta-encoded numbers at the start of a page's values.
var deltaSequences = map[parquet.Encoding]int{parquet.Encodings.DeltaBinaryPacked: 1,
	parquet.Encodings.DeltaLengthByteArray: 1, parquet.Encodings.DeltaByteArray: 2}

// checkDelta checks the blocks of delta-encoded pages before a decoder believes them. optional
// reports that values may be null.
func checkDelta(pages file.PageReader, optional bool) (err error) {
	defer ground.Recover(&err)
	for pages.Next() {
		page := pages.Page()
		values := page.Data()
		switch v := page.(type) {
		case *file.DataPageV1:
			if optional && v.DefinitionLevelEncoding() == parquet.Encodings.RLE {
				values = values[4+int(binary.LittleEndian.Uint32(values)):]
			} else if optional { // bit-packed
				values = values[(v.NumValues()+7)/8:]
			}
		case *file.DataPageV2:
			values = values[v.DefinitionLevelByteLen()+v.RepetitionLevelByteLen():]
		}
		for range deltaSequences[parquet.Encoding(page.Encoding())] {
			if len(values) > 0 {
				values = skipDelta(values)
			}
		}
	}
	return pages.Err()
}

// skipDelta returns the bytes after a sequence in the DELTA_BINARY_PACKED encoding. Layout: block
// size, miniblocks per block, number of values, first value; then blocks, each of a minimum, a bit
// width per miniblock, and the packed miniblocks
// (https://github.com/apache/parquet-format/blob/master/Encodings.md).
func skipDelta(b []byte) []byte {
	number := func() int {
		v, n := binary.Uvarint(b)
		b = b[n:]
		return int(v)
	}
	block, mini, count := number(), number(), number()
	number()
	if block < 1 || block > maxDeltaBlock || mini < 1 || mini > block {
		panic(fmt.Errorf("a delta block has %d values in %d parts", block, mini))
	}
	for left := count - 1; left > 0; {
		number()
		widths := b[:mini]
		b = b[mini:]
		for i := 0; i < mini && left > 0; i++ {
			b = b[(block/mini*int(widths[i])+7)/8:]
			left -= block / mini
		}
	}
	return b
}
