package tabular

import (
	"io"
	"os"

	"github.com/pfnamp/pfnamp/internal/atomicfile"
)

// openArrowStream opens an Arrow IPC stream. It closes r when the source is closed, and at once
// where it returns an error.
func openArrowStream(r io.ReadCloser, name string, opt ReadOptions) (source, error) {
	s, err := newArrowSource(&arrowMessages{r: r}, opt)
	if err != nil {
		r.Close()
		return nil, &Error{File: name, Msg: "not a readable Arrow stream", Err: brief(err)}
	}
	s.name, s.closer = name, r
	return s, nil
}

// openRegular opens a file that must be seekable.
func openRegular(path string) (*os.File, int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, &Error{File: path, Msg: "cannot be opened", Err: atomicfile.Cause(err)}
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &Error{File: path, Msg: "not a regular file",
			Hint: "this format is read from both ends; write it to a file first"}
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}
