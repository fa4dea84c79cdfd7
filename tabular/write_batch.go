package tabular

import (
	"errors"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp/internal/atomicfile"
)

// recoverEncoder turns a panic of an encoding library into an error.
func recoverEncoder(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("cannot be encoded: %w", brief(p))
	}
}

// Write appends a batch, whose columns must have the names and types given to Create. After an
// error nothing more can be written, and no output appears.
func (w *Writer) Write(rec arrow.RecordBatch) error {
	if w.err != nil {
		return w.err
	}
	if w.done || w.finished {
		return &Error{File: w.name, Msg: "is closed"}
	}
	err := w.check(rec)
	if err == nil && rec.NumRows() > 0 {
		err = w.encode(rec)
	}
	if err != nil {
		return w.fail(err)
	}
	return nil
}

// check compares a batch with the schema.
func (w *Writer) check(rec arrow.RecordBatch) error {
	fields, got := w.schema.Fields(), rec.Schema().Fields()
	if len(fields) != len(got) {
		return fmt.Errorf("the batch has %d columns, the table has %d", len(got), len(fields))
	}
	for i, f := range fields {
		if f.Name != got[i].Name || !arrow.TypeEqual(f.Type, got[i].Type) {
			return fmt.Errorf("the batch has column %q of type %s, the table has %q of type %s",
				got[i].Name, got[i].Type, f.Name, f.Type)
		}
	}
	return nil
}

// encode hands a batch to the encoder.
func (w *Writer) encode(rec arrow.RecordBatch) (err error) {
	defer recoverEncoder(&err)
	if err := w.enc.write(rec); err != nil || !w.flush {
		return err
	}
	if held, ok := w.enc.(interface{ flush() error }); ok {
		err = held.flush()
	}
	return errors.Join(err, w.buffer.Flush())
}

// fail records an error, removes the output and returns the error.
func (w *Writer) fail(err error) error {
	w.err = w.wrap(err)
	w.Abort()
	return w.err
}

// wrap turns an error into an *Error that names the output.
func (w *Writer) wrap(err error) error {
	var e *Error
	if errors.As(err, &e) {
		if e.File == "" {
			e.File = w.name
		}
		return e
	}
	return &Error{File: w.name, Msg: "cannot be written", Err: atomicfile.Cause(err)}
}
