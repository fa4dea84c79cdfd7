package ground

import (
	"fmt"
	"io"
	"math"
	"sync/atomic"
)

// ShorterHint is the advice for a file that became shorter.
const ShorterHint = "retry when no other process writes to it"

// AgainHint is the advice for a file that cannot be read as what it says it is.
const AgainHint = "write or copy the file again; it may be cut short"

// Whole reads an input of known size. It fails if the input ends earlier, because rows would be
// missing.
type Whole struct {
	In   io.Reader
	Size int64
	read atomic.Int64
}

// Read reads the next bytes.
func (r *Whole) Read(p []byte) (int, error) {
	n, err := r.In.Read(p)
	read := r.read.Add(int64(n))
	if err == io.EOF && read < r.Size {
		err = &Error{Hint: ShorterHint, Msg: fmt.Sprintf(
			"the file became shorter while pfnamp read it: %d of %d bytes", read, r.Size)}
	}
	return n, err
}

// Share returns the part that has been read, in [0, 1], or NaN if the size is 0. It is safe for
// concurrent use.
func (r *Whole) Share() float64 {
	if r.Size == 0 {
		return math.NaN()
	}
	return min(1, float64(r.read.Load())/float64(r.Size))
}
