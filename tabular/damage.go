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

// own is the *Error of what a reader has found, of a file that is not named yet.
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
