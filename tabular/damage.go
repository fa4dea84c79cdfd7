package tabular

import (
	"errors"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// brief shortens a library's report of a damaged file, an error or the value of a panic, to one
// short line. Some reports quote the file.
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

// own converts a reader's error into an *Error, without the name of the file.
func own(found *ground.Error) *Error {
	e := &Error{Line: found.Line, Row: found.Row, Column: found.Column, Msg: found.Msg,
		Hint: found.Hint, Err: found.Err}
	if found.Advice == "" {
		return e
	}
	args := make([]any, len(found.Args))
	for i, arg := range found.Args {
		if option, ok := arg.(ground.Option); ok {
			arg = Option(option)
		}
		args[i] = arg
	}
	return e.advise(found.Advice, args...)
}
