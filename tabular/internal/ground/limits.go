package ground

import "unicode/utf8"

// Limits of a text file. A larger file is refused rather than held in memory.
const (
	MaxCell   = 1 << 20  // bytes in one cell
	MaxRecord = 64 << 20 // bytes in one row
)

// ReadSize is the number of bytes in one read of the input.
const ReadSize = 128 << 10

// MaxBatchBytes ends a batch of a text file early, so that long rows do not add up.
const MaxBatchBytes = 32 << 20

// FirstInvalid returns the position of the first byte that is not UTF-8, -1 if there is none.
func FirstInvalid(b []byte) int {
	for i := 0; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// HeadBytes is the number of first bytes of a file that are inspected.
const HeadBytes = 64
