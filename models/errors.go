package models

import "strings"

// Error reports that a bundle or one of its files cannot be used.
type Error struct {
	Bundle string // folder of the bundle, "embedded", or "" if unknown
	File   string // file in the bundle, or empty
	Msg    string // what is wrong, lower case
	Hint   string // how to repair it, or ""
	Err    error  // cause, or nil
}

// Error returns "model bundle BUNDLE: FILE: what is wrong; how to repair it".
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("model bundle")
	if e.Bundle != "" {
		b.WriteString(" " + e.Bundle)
	}
	if e.File != "" {
		b.WriteString(": " + e.File)
	}
	b.WriteString(": " + e.Msg)
	if e.Err != nil {
		b.WriteString(": " + e.Err.Error())
	}
	if e.Hint != "" {
		b.WriteString("; " + e.Hint)
	}
	return b.String()
}

// Unwrap returns the cause, or nil.
func (e *Error) Unwrap() error { return e.Err }
