package ground

import (
	"fmt"
	"io"
	"math"
	"sync/atomic"
)

// ShorterHint is the remedy where a file has become shorter.
const ShorterHint = "read it again when no other process writes to it"

// Whole reads an input whose size was known when it was opened: that it ends before is an
// error, as rows would be missing.
type Whole struct {
	In   io.Reader
	Size int64
	read atomic.Int64
}

// Read reads on.
func (r *Whole) Read(p []byte) (int, error) {
	n, err := r.In.Read(p)
	read := r.read.Add(int64(n))
	if err == io.EOF && read < r.Size {
		err = &Error{Hint: ShorterHint, Msg: fmt.Sprintf(
			"the file has become shorter while it was read: %d of %d bytes", read, r.Size)}
	}
	return n, err
}

// Share is how much has been read, in [0, 1], and NaN of nothing. It is safe for concurrent use.
func (r *Whole) Share() float64 {
	if r.Size == 0 {
		return math.NaN()
	}
	return min(1, float64(r.read.Load())/float64(r.Size))
}
