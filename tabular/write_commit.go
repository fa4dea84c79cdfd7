package tabular

// Commit completes the output: a file is on the disk and under its name when it returns. Where
// it returns an error, there is no output. It is called once, after the last Write.
func (w *Writer) Commit() error {
	if w.err != nil || w.done {
		return w.err
	}
	if err := w.finish(); err != nil {
		return w.fail(err)
	}
	w.done = true
	return nil
}

// finish writes what is left and gives a file its name.
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
	if err := w.buffer.Flush(); err != nil {
		return err
	}
	if w.file == nil {
		return nil
	}
	return w.file.Commit()
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
