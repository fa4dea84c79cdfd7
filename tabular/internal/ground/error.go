package ground

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Error reports what is wrong with a table, where, and what to do. Every error of package tabular
// about the content of a file is, or wraps, an *Error.
type Error struct {
	// File is the name of the file; "" if the error is not about a file.
	File string
	// Line is the 1-based line in a text file; 0 if unknown or not a text file.
	Line int64
	// Row is the 1-based data row; 0 if the error is not about a single row. Error prints it only
	// if Line is 0.
	Row int64
	// Column is the name of the column; "" if the error is not about a column.
	Column string
	// Msg says what is wrong: lower case, no full stop.
	Msg string
	// Hint says what to do; "" if there is no advice. It names the options of package tabular as in
	// Go; HintWith names them in the terms of a program. Error does not include it.
	Hint string
	// Fault identifies errors to which a caller who knows the model can add advice.
	Fault Fault
	// Limit reports that a limit on memory is the reason, not the content of the file.
	Limit bool
	// Err is the cause, where another package reported one; nil otherwise.
	Err error

	advice Advice // the source of Hint if it names options
}

// Fault is the kind of error in a target; 0 for every other error.
type Fault int

// The kinds of errors in targets.
const (
	TargetType   Fault = 1 + iota // a type without numbers, in a numeric target
	TargetCells                   // cells that are not finite numbers, in a numeric target
	TargetLabels                  // numbers that are not whole, in a target of labels
)

// Error returns the place and the message, for example
//
//	train.csv:17: column "age": "12 kg" is not a number
//	train.parquet: row 3: column "age": null
func (e *Error) Error() string {
	file, row, column, cause := e.File, "", "", ""
	if e.File != "" && e.Line > 0 {
		file = fmt.Sprintf("%s:%d", e.File, e.Line)
	}
	if e.Line == 0 && e.Row > 0 {
		row = fmt.Sprintf("row %d", e.Row)
	}
	if e.Column != "" {
		column = fmt.Sprintf("column %q", e.Column)
	}
	if e.Err != nil {
		cause = e.Err.Error()
	}
	parts := []string{file, row, column, e.Msg, cause}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ": ")
}

// Unwrap returns the cause, if any.
func (e *Error) Unwrap() error { return e.Err }

// Locate turns an error into an *Error that names the file.
func Locate(file string, err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		if e.File == "" {
			e.File = file
		}
		return err
	}
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		err = path.Err
	}
	return &Error{File: file, Err: err}
}

// Advise sets the hint, a sentence that may mention options; see [Advice].
func (e *Error) Advise(format string, args ...any) *Error {
	e.advice = Advice{Format: format, Args: args}
	e.Hint = e.advice.Words(GoWords)
	return e
}

// Also adds another remedy to the hint, a clause that may mention options.
func (e *Error) Also(format string, args ...any) *Error {
	if e.advice.Format == "" {
		e.Advise("%s", e.Hint)
	}
	return e.Advise(e.advice.Format+"; "+format, append(e.advice.Args, args...)...)
}

// WithHint returns the error with another hint, for a caller that knows what the column is for.
func (e *Error) WithHint(hint string) *Error {
	c := *e
	c.Hint, c.advice = hint, Advice{}
	return &c
}

// HintWith returns Hint in the terms of a program.
func (e *Error) HintWith(w Words) string {
	if e.advice.Format == "" {
		return e.Hint
	}
	return e.advice.Words(w)
}

// NoHeader returns the error for a missing row of column names.
func NoHeader(row int, kind string) *Error {
	e := &Error{Msg: fmt.Sprintf("%s %d should name the columns, but it is empty or missing", kind,
		row)}
	return e.Advise("give the one with the column names: %s 3 for the third", OptionHeaderRow)
}

// RestUnread returns the error for an input that fails within a text: an *Error at this line.
func RestUnread(line int64, cause error) *Error {
	if e, ok := cause.(*Error); ok {
		placed := *e
		placed.Line = line
		return &placed
	}
	return &Error{Line: line, Msg: "pfnamp cannot read the rest of the file", Err: cause}
}

// Option is a setting that a hint or a note recommends: a field of ReadOptions, SchemaOptions,
// FitOptions or Question, by its name in Go.
type Option string

// The options that hints of readers mention; package tabular has the others.
const (
	OptionDelimiter  Option = "ReadOptions.Delimiter"
	OptionEncoding   Option = "ReadOptions.Encoding"
	OptionSheet      Option = "ReadOptions.Sheet"
	OptionHeaderRow  Option = "ReadOptions.HeaderRow"
	OptionRequireEOS Option = "ReadOptions.RequireEOS"
	OptionIgnore     Option = "SchemaOptions.Ignore"
)

// Words translates options and columns in hints and notes into the terms of a program.
type Words struct {
	Option func(Option) string // for example a flag; "" leaves out the clause with the option
	Column func(string) string // a column as the value of an option, for example quoted for a shell
	Word   func(string) string // an argument of a command, for example quoted for a shell
}

// GoWords are the terms of package tabular.
var GoWords = Words{
	Option: func(o Option) string { return string(o) },
	Column: func(name string) string { return name },
	Word:   func(text string) string { return text },
}

// Arguments of an [Advice] that Words translates, besides options.
type (
	ColumnValue  string   // a column as the value of an option
	ColumnValues []string // columns as the value of an option that takes a list
	ShellWord    string   // an argument of a command
)

// An Advice is a sentence that may mention options: a format of clauses with "; " between them, and
// arguments. Words translates an Option, ColumnValue, ColumnValues and ShellWord among them.
type Advice struct {
	Format string
	Args   []any
	// Accepted marks a note that SchemaOptions.Strict does not refuse.
	Accepted bool
}

// String returns the sentence in the terms of package tabular.
func (a Advice) String() string { return a.Words(GoWords) }

// Words returns the sentence in the terms of a program.
func (a Advice) Words(w Words) string {
	args := make([]any, len(a.Args))
	for i, arg := range a.Args {
		switch v := arg.(type) {
		case Option:
			arg = cmp.Or(w.Option(v), "\x00") // which leaves out the clause
		case ColumnValue:
			arg = w.Column(string(v))
		case ColumnValues:
			columns := make([]string, len(v))
			for i, name := range v {
				columns[i] = w.Column(name)
			}
			arg = strings.Join(columns, ",")
		case ShellWord:
			arg = w.Word(string(v))
		}
		args[i] = arg
	}
	clauses := strings.Split(fmt.Sprintf(a.Format, args...), "; ")
	return strings.Join(slices.DeleteFunc(clauses, func(clause string) bool {
		return clause == "" || strings.Contains(clause, "\x00")
	}), "; ")
}
