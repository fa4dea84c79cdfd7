// Package half converts between float32 and float16, the half precision of IEEE 754 (binary16).
package half

import "math"

// overflow is the smallest number that float16 rounds to infinity.
const overflow = 65520

// Round rounds a number to float16, ties to even, and reports whether it fits. Infinity and NaN do
// not fit.
func Round(v float32) (bits uint16, ok bool) {
	all := math.Float32bits(v)
	sign, size := uint16(all>>16&0x8000), math.Float32frombits(all&^(1<<31))
	switch {
	case !(size < overflow):
		return 0, false
	case size < 1.0/(1<<14): // below the normal numbers, with steps of 2^-24
		return sign | uint16(math.RoundToEven(float64(size)*(1<<24))), true
	}
	rest := math.Float32bits(size)
	rest += 0xfff + rest>>13&1
	return sign | uint16((rest-(127-15)<<23)>>13), true
}

// Value returns the number that a float16 stands for, which float32 holds exactly.
func Value(bits uint16) float32 {
	sign, exponent, fraction := uint32(bits&0x8000)<<16, uint32(bits>>10&31), uint32(bits&1023)
	switch exponent {
	case 0:
		size := float32(fraction) / (1 << 24)
		return math.Float32frombits(sign | math.Float32bits(size))
	case 31: // infinity or NaN
		return math.Float32frombits(sign | 0xff<<23 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+127-15)<<23 | fraction<<13)
}
