package tabular

import (
	"fmt"
	"io"
	"sync/atomic"
)

// shorterHint is the remedy where a file has become shorter.
const shorterHint = "read it again when no other process writes to it"

// wholeReader reads an input whose size was known when it was opened: that it ends before is an
// error, as rows would be missing.
type wholeReader struct {
	in   io.Reader
	size int64
	read atomic.Int64
}

// Read reads on.
func (r *wholeReader) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	read := r.read.Add(int64(n))
	if err == io.EOF && read < r.size {
		err = &Error{Hint: shorterHint, Msg: fmt.Sprintf(
			"the file has become shorter while it was read: %d of %d bytes", read, r.size)}
	}
	return n, err
}
