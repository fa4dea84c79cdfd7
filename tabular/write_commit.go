package tabular

import "github.com/pfnamp/pfnamp/internal/atomicfile"

// Commit completes the output: a file is on the disk and under its name when it returns. Where
// it returns an error, there is no output. It is called once, after the last Write.
func (w *Writer) Commit() error {
	if w.done {
		return w.err
	}
	file, err := w.Finish()
	if err != nil {
		return err
	}
	if file != nil {
		if err := file.Commit(); err != nil {
			return w.fail(err)
		}
	}
	w.done = true
	return nil
}

// Finish writes what is left to disk and returns the file, which lacks nothing but its name; nil
// for standard output. It is for outputs of this module that are committed together with others;
// Commit does it for one alone. Nothing can be written afterwards.
func (w *Writer) Finish() (*atomicfile.File, error) {
	if w.err != nil || w.finished {
		return w.file, w.err
	}
	w.finished = true
	if err := w.finish(); err != nil {
		return nil, w.fail(err)
	}
	return w.file, nil
}

// finish writes what is left.
func (w *Writer) finish() (err error) {
	defer recoverEncoder(&err)
	if err := w.enc.close(); err != nil {
		return err
	}
	if w.pack != nil {
		if err := w.pack.Close(); err != nil {
			return err
		}
	}
	if err := w.buffer.Flush(); err != nil || w.file == nil {
		return err
	}
	return w.file.Finish()
}

// Abort gives up the output: no file appears, and text on "-" ends with a whole row. It does
// nothing after Commit, so that it can be deferred.
func (w *Writer) Abort() error {
	if w.done {
		return nil
	}
	w.done = true
	if w.file == nil {
		return nil
	}
	return w.file.Abort()
}
