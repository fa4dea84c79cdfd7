package tabular

import "io"

// openArrowStream opens an Arrow IPC stream.
func openArrowStream(r io.Reader, name string, opt ReadOptions) (source, error) {
	s, err := newArrowSource(&arrowMessages{r: r}, opt)
	if err != nil {
		return nil, &Error{File: name, Msg: "not a readable Arrow stream", Err: brief(err)}
	}
	s.name = name
	return s, nil
}
