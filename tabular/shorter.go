package tabular

import (
	"fmt"
	"io"
)

// shorterHint is the remedy where a file has become shorter.
const shorterHint = "read it again when no other process writes to it"

// wholeReader reads an input whose size was known when it was opened: that it ends before is an
// error, as rows would be missing.
type wholeReader struct {
	in         io.Reader
	size, read int64
}

// Read reads on.
func (r *wholeReader) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	r.read += int64(n)
	if err == io.EOF && r.read < r.size {
		err = &Error{Hint: shorterHint, Msg: fmt.Sprintf(
			"the file has become shorter while it was read: %d of %d bytes", r.read, r.size)}
	}
	return n, err
}
