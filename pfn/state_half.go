package pfn

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
)

// mostHalf is the smallest number that float16 rounds to infinity.
const mostHalf = 65520

// half rounds a finite number to float16 (IEEE 754 binary16), ties to even, and reports whether it
// fits.
func half(v float32) (bits uint16, ok bool) {
	all := math.Float32bits(v)
	sign, size := uint16(all>>16&0x8000), math.Float32frombits(all&^(1<<31))
	switch {
	case !(size < mostHalf):
		return 0, false
	case size < 1.0/(1<<14): // below the normal numbers, with steps of 2^-24
		return sign | uint16(math.RoundToEven(float64(size)*(1<<24))), true
	}
	rest := math.Float32bits(size)
	rest += 0xfff + rest>>13&1
	return sign | uint16((rest-(127-15)<<23)>>13), true
}

// fromHalf converts a float16.
func fromHalf(bits uint16) float32 {
	exponent, fraction := int(bits>>10&31), float64(bits&1023)
	var size float64
	switch exponent {
	case 0:
		size = math.Ldexp(fraction, -24)
	case 31:
		size = math.Inf(1)
		if fraction > 0 {
			return float32(math.NaN())
		}
	default:
		size = math.Ldexp(1024+fraction, exponent-25)
	}
	return float32(math.Copysign(size, 1-float64(bits>>15)*2))
}

func writeHalves(w io.Writer, values []float32) error {
	buffer := make([]byte, 0, 2*blockFloats)
	for block := range slices.Chunk(values, blockFloats) {
		buffer = buffer[:0]
		for _, v := range block {
			bits, ok := half(v)
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
			values = append(values, fromHalf(binary.LittleEndian.Uint16(part)))
		}
	}
	if !finite(values) {
		return nil, errNotFinite
	}
	return values, nil
}
