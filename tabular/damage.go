package tabular

import (
	"errors"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// brief is what a library reports of a damaged file, an error or the value of a panic, as one line
// that is not too long: some quote the file.
func brief(report any) error {
	err, _ := report.(error)
	if e, ok := errors.AsType[*Error](err); ok { // ours
		return e
	}
	if e, ok := errors.AsType[*ground.Error](err); ok {
		return own(e)
	}
	return ground.Brief(report)
}

// ours is an error that says by itself what is wrong.
func ours(err error) (*Error, bool) {
	if e, ok := err.(*Error); ok {
		return e, true
	}
	if found, ok := err.(*ground.Error); ok {
		return own(found), true
	}
	return nil, false
}

// own is the *Error of what a reader has found, of a file that is not named yet.
func own(found *ground.Error) *Error {
	e := &Error{Row: found.Row, Column: found.Column, Msg: found.Msg, Hint: found.Hint, Err: found.Err}
	if found.Advice == "" {
		return e
	}
	args := make([]any, len(found.Args))
	for i, arg := range found.Args {
		switch v := arg.(type) {
		case ground.Option:
			arg = Option(v)
		case ground.ColumnValue:
			arg = columnValue(v)
		}
		args[i] = arg
	}
	return e.advise(found.Advice, args...)
}

// recoverDamage turns a panic of a library that decodes a file into an *Error. Decoders index
// into what the file claims, so that a panic means damage in the file.
func recoverDamage(file string, err *error) {
	if p := recover(); p != nil {
		*err = &Error{File: file, Msg: "damaged file", Err: brief(p)}
	}
}
