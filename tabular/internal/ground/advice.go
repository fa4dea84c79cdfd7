package ground

import (
	"fmt"
	"strings"
)

// Option is a setting that a hint or a note recommends: a field of ReadOptions, SchemaOptions,
// FitOptions or Question, by its name in Go.
type Option string

// The options that hints and notes mention.
const (
	OptionFormat      Option = "ReadOptions.Format"
	OptionDelimiter   Option = "ReadOptions.Delimiter"
	OptionNA          Option = "ReadOptions.NA"
	OptionDecimal     Option = "ReadOptions.Decimal"
	OptionEncoding    Option = "ReadOptions.Encoding"
	OptionSheet       Option = "ReadOptions.Sheet"
	OptionHeaderRow   Option = "ReadOptions.HeaderRow"
	OptionRequireEOS  Option = "ReadOptions.RequireEOS"
	OptionIgnore      Option = "SchemaOptions.Ignore"
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

// An Advice is a sentence that may mention options: a format and its arguments. Words translates
// an Option, ColumnValue, ColumnValues and ShellWord among them.
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
			arg = w.Option(v)
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
	return fmt.Sprintf(a.Format, args...)
}
