package parquetguard

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"

	"github.com/apache/arrow-go/v18/parquet"
)

// errLevels reports definition levels that end before the rows of a page.
var errLevels = errors.New("a page ends in its levels")

// checkPresent refuses a page with more values than its definition levels place: a damaged level
// moves all later values to other rows, and one value is left over. The library itself refuses a
// page with fewer values.
func (c chunk) checkPresent(levels, values []byte, h pageHeader) error {
	present, err := h.present(levels)
	if err != nil {
		return err
	}
	if more := c.beyond(values, h, present); more != "" {
		return fmt.Errorf("the levels place %d values, but the page holds %s", present, more)
	}
	return nil
}

// present counts the values of a page by its definition levels, each 0 or 1.
func (h pageHeader) present(levels []byte) (count int, err error) {
	n := int(h.values)
	if n == 0 {
		return 0, nil
	}
	if parquet.Encoding(h.levelEncoding) == parquet.Encodings.BitPacked && !h.v2Data {
		last := bits.Reverse8(levels[len(levels)-1]) // packed from the highest bit on
		return ones(levels, n-n%8) + ones([]byte{last}, n%8), nil
	}
	seen := 0
	err = runs(levels, 1, func(repeated bool, length int, value []byte) bool {
		length = min(length, n-seen)
		seen += length
		if repeated {
			count += length * int(value[0]&1)
			return seen < n
		}
		count += ones(value, length)
		return seen < n
	})
	if err == nil && seen < n {
		err = errLevels
	}
	return count, err
}

// beyond describes what a page holds beyond its present values; "" if there is nothing or it cannot
// tell.
func (c chunk) beyond(values []byte, h pageHeader, present int) string {
	switch parquet.Encoding(h.encoding) {
	case parquet.Encodings.Plain:
		return c.beyondPlain(values, present)
	case parquet.Encodings.ByteStreamSplit:
		return bytesBeyond(len(values) - present*c.width)
	case parquet.Encodings.PlainDict, parquet.Encodings.RLEDict:
		return indicesBeyond(values[1:], int(values[0]), present)
	case parquet.Encodings.RLE:
		if len(values) > 4 {
			return indicesBeyond(values[4:], 1, present)
		}
	case parquet.Encodings.DeltaBinaryPacked, parquet.Encodings.DeltaLengthByteArray,
		parquet.Encodings.DeltaByteArray:
		w := &thriftWalker{buf: values}
		w.unsigned()
		w.unsigned()
		if count := w.unsigned(); w.err == nil && count > uint64(present) {
			return fmt.Sprintf("%d", count)
		}
	}
	return ""
}

// beyondPlain is beyond for values in the PLAIN encoding.
func (c chunk) beyondPlain(values []byte, present int) string {
	switch {
	case c.kind == parquet.Types.Boolean:
		return bytesBeyond(len(values) - (present+7)/8)
	case c.kind != parquet.Types.ByteArray:
		return bytesBeyond(len(values) - present*c.width)
	}
	at := 0
	for range present {
		if len(values)-at < 4 {
			return ""
		}
		length := int(binary.LittleEndian.Uint32(values[at:]))
		if length > len(values)-at-4 {
			return ""
		}
		at += 4 + length
	}
	return bytesBeyond(len(values) - at)
}

// bytesBeyond describes a number of unused bytes.
func bytesBeyond(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf("%d bytes more", n)
}

// indicesBeyond is beyond for runs of a bit width; the last packed run is padded to a multiple of
// eight.
func indicesBeyond(b []byte, width, present int) string {
	if width > 32 {
		return ""
	}
	total, spare := 0, 0
	err := runs(b, width, func(repeated bool, length int, _ []byte) bool {
		total, spare = total+length, 0
		if !repeated {
			spare = 7
		}
		return true
	})
	if err != nil || total <= present+spare {
		return ""
	}
	return fmt.Sprint(total)
}

// runs walks a sequence in the hybrid encoding of repeated and packed values of a bit width, until
// each returns false (https://github.com/apache/parquet-format/blob/master/Encodings.md).
func runs(b []byte, width int, each func(repeated bool, length int, value []byte) bool) error {
	for len(b) > 0 {
		header, n := binary.Uvarint(b)
		if n <= 0 || header>>1 > 1<<31 {
			return errLevels
		}
		b = b[n:]
		repeated, length, size := header&1 == 0, int(header>>1), (width+7)/8
		if !repeated {
			size = length * width
			length *= 8
		}
		if size > len(b) {
			return errLevels
		}
		if !each(repeated, length, b[:size]) {
			return nil
		}
		b = b[size:]
	}
	return nil
}

// ones counts the present values among the first n of packed levels.
func ones(packed []byte, n int) (count int) {
	for i := range n / 8 {
		count += bits.OnesCount8(packed[i])
	}
	if n%8 > 0 {
		count += bits.OnesCount8(packed[n/8] & (1<<(n%8) - 1))
	}
	return count
}
