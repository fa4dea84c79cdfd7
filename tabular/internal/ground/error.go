package ground

import (
	"fmt"
	"strings"
)

// Error says what is wrong with a file, as tabular.Error does. Its reader knows which file.
type Error struct {
	Line              int64 // of text, from 1; 0 when unknown
	Row               int64 // from 1; 0 when no single row is concerned
	Column, Msg, Hint string
	Err               error
	// Advice is a hint that names options, with its arguments. An argument may be an Option, a
	// ColumnValue or a ShellWord. Advice replaces Hint.
	Advice string
	Args   []any
}

// Error returns the place and the message.
func (e *Error) Error() string {
	var parts []string
	if e.Row > 0 {
		parts = append(parts, fmt.Sprintf("row %d", e.Row))
	}
	if e.Column != "" {
		parts = append(parts, fmt.Sprintf("column %q", e.Column))
	}
	if e.Msg != "" {
		parts = append(parts, e.Msg)
	}
	if e.Err != nil {
		parts = append(parts, e.Err.Error())
	}
	return strings.Join(parts, ": ")
}

// Unwrap returns the cause, if any.
func (e *Error) Unwrap() error { return e.Err }

// Option names an option in an advice.
type Option string

// The options that readers name, as tabular does.
const (
	OptionDelimiter  Option = "ReadOptions.Delimiter"
	OptionEncoding   Option = "ReadOptions.Encoding"
	OptionSheet      Option = "ReadOptions.Sheet"
	OptionHeaderRow  Option = "ReadOptions.HeaderRow"
	OptionRequireEOS Option = "ReadOptions.RequireEOS"
	OptionIgnore     Option = "SchemaOptions.Ignore"
)

// ColumnValue is a column as the value of an option, in an advice.
type ColumnValue string

// ShellWord is an argument of a command, in an advice.
type ShellWord string

// NoHeader is the error of a row of names that is not there.
func NoHeader(row int, kind string) *Error {
	return &Error{Advice: "say which one names them: %s 3 for the third", Args: []any{OptionHeaderRow},
		Msg: fmt.Sprintf("%s %d, which is to name the columns, is empty or not there", kind, row)}
}

// Advise sets the advice.
func (e *Error) Advise(format string, args ...any) *Error {
	e.Advice, e.Args = format, args
	return e
}
