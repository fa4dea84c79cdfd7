package pfn

import (
	"encoding/binary"
	"io"
	"math"
	"slices"
)

// Numbers of values that are converted at a time, and allocated before they are read.
const (
	blockFloats   = 1 << 14
	trustedFloats = 1 << 21
)

func writeFloats(w io.Writer, values []float32) error {
	buffer := make([]byte, 0, 4*blockFloats)
	for block := range slices.Chunk(values, blockFloats) {
		buffer = buffer[:0]
		for _, v := range block {
			buffer = binary.LittleEndian.AppendUint32(buffer, math.Float32bits(v))
		}
		if _, err := w.Write(buffer); err != nil {
			return err
		}
	}
	return nil
}

// readFloats reads n finite values. Beyond 8 MiB it allocates memory as values arrive, whatever n
// is.
func readFloats(r io.Reader, n int64) ([]float32, error) {
	values := make([]float32, 0, min(n, trustedFloats))
	buffer := make([]byte, 4*min(n, blockFloats))
	for int64(len(values)) < n {
		part := buffer[:4*min(n-int64(len(values)), blockFloats)]
		if _, err := io.ReadFull(r, part); err != nil {
			return nil, err
		}
		for ; len(part) > 0; part = part[4:] {
			values = append(values, math.Float32frombits(binary.LittleEndian.Uint32(part)))
		}
	}
	if !finite(values) {
		return nil, errNotFinite
	}
	return values, nil
}

func writeDoubles(w io.Writer, values []float64) error {
	buffer := make([]byte, 0, 8*blockFloats)
	for block := range slices.Chunk(values, blockFloats) {
		buffer = buffer[:0]
		for _, v := range block {
			buffer = binary.LittleEndian.AppendUint64(buffer, math.Float64bits(v))
		}
		if _, err := w.Write(buffer); err != nil {
			return err
		}
	}
	return nil
}

// readDoubles reads n values. It allocates memory as values arrive, whatever n is.
func readDoubles(r io.Reader, n int) ([]float64, error) {
	var values []float64
	buffer := make([]byte, 8*min(n, blockFloats))
	for len(values) < n {
		part := buffer[:8*min(n-len(values), blockFloats)]
		if _, err := io.ReadFull(r, part); err != nil {
			return nil, err
		}
		for ; len(part) > 0; part = part[8:] {
			values = append(values, math.Float64frombits(binary.LittleEndian.Uint64(part)))
		}
	}
	return values, nil
}
