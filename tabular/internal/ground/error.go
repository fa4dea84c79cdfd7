package ground

import (
	"fmt"
	"strings"
)

// Error says what is wrong with a file, as tabular.Error does. Its reader knows which file.
type Error struct {
	Row               int64 // from 1; 0 when no single row is concerned
	Column, Msg, Hint string
	Err               error
	// Advice is a hint that names options, with its arguments, some of which are an Option or a
	// ColumnValue; it stands in the place of Hint.
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
	OptionRequireEOS Option = "ReadOptions.RequireEOS"
	OptionIgnore     Option = "SchemaOptions.Ignore"
)

// ColumnValue is a column as the value of an option, in an advice.
type ColumnValue string
