package tabular

import "github.com/pfnamp/pfnamp/internal/atomicfile"

// Commit completes the output. When it returns, the file is on disk and under its name. If it
// returns an error, there is no output. Call it once, after the last Write.
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

// Finish writes the rest to disk and returns the file, which only needs its name; nil for standard
// output. It is for outputs of this module that are committed together; for a single output, use
// Commit. Nothing can be written afterwards.
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

// finish writes the rest.
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

// Abort discards the output: no file appears, and text on "-" ends with a whole row. After Commit
// it does nothing, so it can be deferred.
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
