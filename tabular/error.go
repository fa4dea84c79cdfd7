package tabular

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/pfnamp/pfnamp/internal/nearest"
	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// Error reports what is wrong with a table, where, and what to do: File, Line, Row, Column, Msg and
// Hint, with Fault for errors in targets. Every error of this package about the content of a file
// is, or wraps, an *Error.
type Error = ground.Error

// Fault is the kind of error in a target; 0 for every other error.
type Fault = ground.Fault

// The kinds of errors in targets.
const (
	TargetType   = ground.TargetType   // a type without numbers, in a numeric target
	TargetCells  = ground.TargetCells  // cells that are not finite numbers, in a numeric target
	TargetLabels = ground.TargetLabels // numbers that are not whole, in a target of labels
)

// UnsupportedType is the type of a column that this package cannot represent.
type UnsupportedType = ground.UnsupportedType

// Option is a setting that a hint or a note recommends: a field of ReadOptions, SchemaOptions,
// FitOptions or Question, by its name in Go.
type Option = ground.Option

// Words translates options and columns in hints and notes into the terms of a program.
type Words = ground.Words

// The options that hints and notes mention.
const (
	OptionFormat      Option = "ReadOptions.Format"
	OptionDelimiter          = ground.OptionDelimiter
	OptionNA          Option = "ReadOptions.NA"
	OptionDecimal     Option = "ReadOptions.Decimal"
	OptionEncoding           = ground.OptionEncoding
	OptionMaxBytes    Option = "ReadOptions.MaxBytes"
	OptionSheet              = ground.OptionSheet
	OptionHeaderRow          = ground.OptionHeaderRow
	OptionRequireEOS         = ground.OptionRequireEOS
	OptionIgnore             = ground.OptionIgnore
	OptionCategorical Option = "SchemaOptions.Categorical"
	OptionNumeric     Option = "SchemaOptions.Numeric"
	OptionDates       Option = "SchemaOptions.Dates"
	OptionKeepFeature Option = "SchemaOptions.KeepFeatures"
	OptionGroup       Option = "FitOptions.Group"
	OptionRepeated    Option = "FitOptions.KeepRepeated"
	OptionAllowNew    Option = "Question.AllowNew"
	OptionStrict      Option = "SchemaOptions.Strict"
)

// The arguments of hints and notes, and quotes and lists of texts in messages.
type (
	columnValue  = ground.ColumnValue
	columnValues = ground.ColumnValues
	shellWord    = ground.ShellWord
)

// quote and listed format texts for messages.
func quote(text string) string     { return ground.Quote(text) }
func listed(names []string) string { return ground.Listed(names) }

// twins returns, for texts that have the same form as an earlier one, a sentence about the two.
func twins(texts []string, form func(string) string, sentence string) (found []string) {
	seen := make(map[string]string, len(texts))
	for _, text := range texts {
		folded := form(text)
		if first, ok := seen[folded]; ok {
			found = append(found, fmt.Sprintf(sentence, quote(first), quote(text)))
			continue
		}
		seen[folded] = text
	}
	return found
}

// NoFeature returns the error for a name that is no feature. If the schema leaves the column out,
// the error says how to keep it; otherwise it is like that of NoColumn.
func (s *Schema) NoFeature(name string) *Error {
	e := NoColumn(s.File, name, s.FeatureNames())
	switch {
	case name == s.TargetName:
		e.Msg, e.Hint = "the column is the target, so it cannot be its own driver", "name a feature"
	case slices.Contains(s.Ignored, name):
		e.Msg = "the column is left out: it is ignored, or looks like an identifier"
		e.Advise("keep it with %s %s, and without %s", OptionKeepFeature, columnValue(name), OptionIgnore)
	}
	return e
}

// NoColumn returns the error for a name that no column of a table has. It lists the nearest names
// and the columns.
func NoColumn(file, name string, names []string) *Error {
	e := &Error{File: file, Column: name, Msg: "the table has no such column"}
	if len(names) == 1 && strings.ContainsAny(names[0], ",;\t|") {
		return e.Advise("the only column is %s: if the cells have another delimiter, set %s",
			quote(names[0]), OptionDelimiter)
	}
	for _, column := range names {
		if norm.NFC.String(column) == norm.NFC.String(name) {
			e.Msg += fmt.Sprintf(": it has %+q, but you asked for %+q", column, name)
			e.Hint = "the names look alike, but their accents are encoded differently (Unicode NFC and " +
				"NFD): copy the name from the file, or rename the column"
			return e
		}
	}
	if near := nearest.Names(name, names); len(near) > 0 {
		e.Msg += "; nearest: " + listed(near)
	}
	for _, column := range names {
		parts := strings.Split(column, ",")
		if len(parts) > 1 && slices.ContainsFunc(parts, func(part string) bool {
			return strings.TrimSpace(part) == name
		}) {
			return e.Advise("in a list, quote a name that contains a comma: %s", columnValue(column))
		}
	}
	e.Hint = "the columns are " + listed(names)
	if slices.ContainsFunc(names, func(name string) bool {
		_, err := strconv.ParseFloat(name, 64)
		return err == nil && strings.Contains(name, ".")
	}) {
		e.Hint += "\nthis looks like a data row: the first line must have the names of the columns"
	}
	return e
}
