package tabular

import "fmt"

// Option is a setting that a hint or a note advises to use: a field of ReadOptions or
// SchemaOptions, by its name in Go.
type Option string

// The options that hints and notes name.
const (
	OptionFormat      Option = "ReadOptions.Format"
	OptionDelimiter   Option = "ReadOptions.Delimiter"
	OptionNA          Option = "ReadOptions.NA"
	OptionIgnore      Option = "SchemaOptions.Ignore"
	OptionCategorical Option = "SchemaOptions.Categorical"
	OptionNumeric     Option = "SchemaOptions.Numeric"
)

// An advice is a sentence that may name options: a format and its arguments, some of which are of
// type Option.
type advice struct {
	format string
	args   []any
}

// words is the sentence with the names that a program has for the options.
func (a advice) words(name func(Option) string) string {
	args := make([]any, len(a.args))
	for i, arg := range a.args {
		if option, ok := arg.(Option); ok {
			arg = name(option)
		}
		args[i] = arg
	}
	return fmt.Sprintf(a.format, args...)
}

// goName is the name of an option in Go.
func goName(o Option) string { return string(o) }

// advise sets the hint of an error.
func (e *Error) advise(format string, args ...any) *Error {
	e.advice = advice{format, args}
	e.Hint = e.advice.words(goName)
	return e
}

// HintWith is Hint with the names that a program has for the options that it speaks of, such as
// its flags.
func (e *Error) HintWith(name func(Option) string) string {
	if e.advice.format == "" {
		return e.Hint
	}
	return e.advice.words(name)
}

// NotesWith is Notes with the names that a program has for the options that they speak of, such
// as its flags. A schema that was read with UnmarshalJSON has no notes.
func (s *Schema) NotesWith(name func(Option) string) []string {
	notes := make([]string, len(s.advice))
	for i, note := range s.advice {
		notes[i] = note.words(name)
	}
	return notes
}
