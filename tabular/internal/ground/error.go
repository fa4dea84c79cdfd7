package ground

import (
	"fmt"
	"strings"
)

// Error reports what is wrong with a file, like tabular.Error. It does not name the file; the
// reader adds the name.
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

// The options that readers name, the same as those of tabular.
const (
	OptionDelimiter  Option = "ReadOptions.Delimiter"
	OptionEncoding   Option = "ReadOptions.Encoding"
	OptionSheet      Option = "ReadOptions.Sheet"
	OptionHeaderRow  Option = "ReadOptions.HeaderRow"
	OptionRequireEOS Option = "ReadOptions.RequireEOS"
	OptionIgnore     Option = "SchemaOptions.Ignore"
)

// ColumnValue is a column as the value of an option, inside an advice.
type ColumnValue string

// ShellWord is an argument of a command, inside an advice.
type ShellWord string

// NoHeader returns the error for a missing row of column names.
func NoHeader(row int, kind string) *Error {
	return &Error{Advice: "give the one with the column names: %s 3 for the third",
		Args: []any{OptionHeaderRow},
		Msg:  fmt.Sprintf("%s %d should name the columns, but it is empty or missing", kind, row)}
}

// Advise sets the advice.
func (e *Error) Advise(format string, args ...any) *Error {
	e.Advice, e.Args = format, args
	return e
}
