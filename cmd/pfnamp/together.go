package main

import (
	"errors"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/internal/atomicfile"
	"github.com/pfnamp/pfnamp/tabular"
)

// finisher completes an output but for its name, and returns its file: nil where it has none, as
// standard output.
type finisher func() (*atomicfile.File, error)

// commitTogether makes the outputs of a run appear, in this order, or none of them. What cannot be
// finished discards itself; after an error the caller discards what was not asked to be finished.
func commitTogether(outputs ...finisher) error {
	var files []*atomicfile.File
	for _, finish := range outputs {
		file, err := finish()
		if err != nil {
			for _, f := range files {
				err = errors.Join(err, f.Abort())
			}
			return fault.Writing(err)
		}
		if file != nil {
			files = append(files, file)
		}
	}
	err := atomicfile.Commit(files...)
	if failed, ok := errors.AsType[*atomicfile.Error](err); ok {
		err = &tabular.Error{File: failed.Path, Msg: "cannot be written", Err: failed.Err}
	}
	return fault.Writing(err)
}
