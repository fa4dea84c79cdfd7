package tabular

import (
	"fmt"
	"strings"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// Option is a setting that a hint or a note advises to use: a field of ReadOptions or
// SchemaOptions, by its name in Go.
type Option string

// The options that hints and notes name.
const (
	OptionFormat      Option = "ReadOptions.Format"
	OptionDelimiter          = Option(ground.OptionDelimiter)
	OptionNA          Option = "ReadOptions.NA"
	OptionDecimal     Option = "ReadOptions.Decimal"
	OptionEncoding           = Option(ground.OptionEncoding)
	OptionSheet              = Option(ground.OptionSheet)
	OptionHeaderRow          = Option(ground.OptionHeaderRow)
	OptionRequireEOS         = Option(ground.OptionRequireEOS)
	OptionIgnore             = Option(ground.OptionIgnore)
	OptionCategorical Option = "SchemaOptions.Categorical"
	OptionNumeric     Option = "SchemaOptions.Numeric"
	OptionDates       Option = "SchemaOptions.Dates"
)

// Words are the names by which a program speaks of options and columns in hints and notes.
type Words struct {
	Option func(Option) string // such as a flag
	Column func(string) string // a column as a value of an option, such as quoted for a shell
	Word   func(string) string // an argument of a command, such as quoted for a shell
}

// goWords are those of this package.
var goWords = Words{
	Option: func(o Option) string { return string(o) },
	Column: func(name string) string { return name },
	Word:   func(text string) string { return text },
}

// columnValue is a column as the value of an option, in an advice.
type columnValue = ground.ColumnValue

// columnValues are columns as the value of an option that takes a list, in an advice.
type columnValues []string

// shellWord is an argument of a command, in an advice.
type shellWord = ground.ShellWord

// An advice is a sentence that may name options: a format and its arguments, some of which are of
// type Option, columnValue, columnValues or shellWord.
type advice struct {
	format string
	args   []any
}

// words is the sentence in a program's words.
func (a advice) words(w Words) string {
	args := make([]any, len(a.args))
	for i, arg := range a.args {
		switch v := arg.(type) {
		case Option:
			arg = w.Option(v)
		case columnValue:
			arg = w.Column(string(v))
		case columnValues:
			columns := make([]string, len(v))
			for i, name := range v {
				columns[i] = w.Column(name)
			}
			arg = strings.Join(columns, ",")
		case shellWord:
			arg = w.Word(string(v))
		}
		args[i] = arg
	}
	return fmt.Sprintf(a.format, args...)
}

// advise sets the hint of an error.
func (e *Error) advise(format string, args ...any) *Error {
	e.advice = advice{format, args}
	e.Hint = e.advice.words(goWords)
	return e
}

// HintWith is Hint in a program's words.
func (e *Error) HintWith(w Words) string {
	if e.advice.format == "" {
		return e.Hint
	}
	return e.advice.words(w)
}

// NotesWith is Notes in a program's words. A schema that was read with UnmarshalJSON has no notes.
func (s *Schema) NotesWith(w Words) []string {
	notes := make([]string, len(s.advice))
	for i, note := range s.advice {
		notes[i] = note.words(w)
	}
	return notes
}
