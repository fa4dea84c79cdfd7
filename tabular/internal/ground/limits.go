package ground

import "unicode/utf8"

// What a text file may hold at most. A file beyond these is refused rather than held in memory.
const (
	MaxCell   = 1 << 20  // bytes in one cell
	MaxRecord = 64 << 20 // bytes in one row
)

// ReadSize is how many bytes are asked from the input at a time.
const ReadSize = 128 << 10

// MaxBatchBytes ends a batch of a text file early, so that long rows do not add up.
const MaxBatchBytes = 32 << 20

// FirstInvalid is the position of the first byte that is not UTF-8, -1 when all is.
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

// HeadBytes is how many of the first bytes of a file are looked at.
const HeadBytes = 64
