package pfn

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"github.com/pfnamp/pfnamp/pfn/internal/half"
)

func writeHalves(w io.Writer, values []float32) error {
	buffer := make([]byte, 0, 2*blockFloats)
	for block := range slices.Chunk(values, blockFloats) {
		buffer = buffer[:0]
		for _, v := range block {
			bits, ok := half.Round(v)
			if !ok {
				return fmt.Errorf("pfn: the encoded context holds %g, which is too large for half precision: "+
					"save it in full precision", v)
			}
			buffer = binary.LittleEndian.AppendUint16(buffer, bits)
		}
		if _, err := w.Write(buffer); err != nil {
			return err
		}
	}
	return nil
}

// readHalves is readFloats for float16.
func readHalves(r io.Reader, n int64) ([]float32, error) {
	values := make([]float32, 0, min(n, trustedFloats))
	buffer := make([]byte, 2*min(n, blockFloats))
	for int64(len(values)) < n {
		part := buffer[:2*min(n-int64(len(values)), blockFloats)]
		if _, err := io.ReadFull(r, part); err != nil {
			return nil, err
		}
		for ; len(part) > 0; part = part[2:] {
			values = append(values, half.Value(binary.LittleEndian.Uint16(part)))
		}
	}
	if !finite(values) {
		return nil, errNotFinite
	}
	return values, nil
}
