package tabular

import (
	"errors"
	"io"
	"os"

	"github.com/pfnamp/pfnamp/internal/atomicfile"
)

// openArrowStream opens an Arrow IPC stream. It closes r when the source is closed, and at once
// where it returns an error.
func openArrowStream(r io.ReadCloser, name string, opt ReadOptions) (source, error) {
	meta, err := readMetadata(r)
	var sc *arrowSchema
	if err == nil {
		sc, err = parseArrowSchema(meta)
	} else if errors.Is(err, io.EOF) {
		err = errors.New("no schema")
	}
	if err != nil {
		r.Close()
		return nil, &Error{File: name, Msg: "not a readable Arrow stream", Err: err}
	}
	s := newArrowSource(name, sc, opt)
	s.closer = r
	s.message = func() (arrowMessage, error) { return readMessage(r) }
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
