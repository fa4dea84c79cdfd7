package tabular

import (
	"fmt"
	"strings"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// Option is a setting that a hint or a note recommends: a field of ReadOptions, SchemaOptions,
// FitOptions or Question, by its name in Go.
type Option string

// The options that hints and notes mention.
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
	OptionKeepFeature Option = "SchemaOptions.KeepFeatures"
	OptionRepeated    Option = "FitOptions.KeepRepeated"
	OptionAllowNew    Option = "Question.AllowNew"
	OptionStrict      Option = "SchemaOptions.Strict"
)

// Words translates options and columns in hints and notes into the terms of a program.
type Words struct {
	Option func(Option) string // for example a flag
	Column func(string) string // a column as the value of an option, for example quoted for a shell
	Word   func(string) string // an argument of a command, for example quoted for a shell
}

// goWords are the terms of this package.
var goWords = Words{
	Option: func(o Option) string { return string(o) },
	Column: func(name string) string { return name },
	Word:   func(text string) string { return text },
}

// columnValue is a column as the value of an option, inside an advice.
type columnValue = ground.ColumnValue

// columnValues are columns as the value of an option that takes a list, inside an advice.
type columnValues []string

// shellWord is an argument of a command, inside an advice.
type shellWord = ground.ShellWord

// An advice is a sentence that may mention options: a format and its arguments. Arguments of type
// Option, columnValue, columnValues and shellWord are translated by Words.
type advice struct {
	format string
	args   []any
	// accepted marks a note that SchemaOptions.Strict does not refuse.
	accepted bool
}

// words returns the sentence in the terms of a program.
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
	e.advice = advice{format: format, args: args}
	e.Hint = e.advice.words(goWords)
	return e
}

// WithHint returns the error with another hint, for a caller that knows what the column is for.
func (e *Error) WithHint(hint string) *Error {
	c := *e
	c.Hint, c.advice = hint, advice{}
	return &c
}

// HintWith returns Hint in the terms of a program.
func (e *Error) HintWith(w Words) string {
	if e.advice.format == "" {
		return e.Hint
	}
	return e.advice.words(w)
}

// NotesWith returns Notes in the terms of a program. A schema read with UnmarshalJSON has no notes.
func (s *Schema) NotesWith(w Words) []string {
	notes := make([]string, len(s.advice))
	for i, note := range s.advice {
		notes[i] = note.words(w)
	}
	return notes
}
