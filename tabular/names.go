package tabular

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"golang.org/x/text/unicode/norm"

	"github.com/pfnamp/pfnamp/internal/nearest"
	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// quote, listed and firstOf format texts for messages.
func quote(text string) string       { return ground.Quote(text) }
func listed(names []string) string   { return ground.Listed(names) }
func firstOf(list []string) []string { return ground.FirstOf(list) }

// checkNames refuses columns with the same name.
func checkNames(schema *arrow.Schema) *Error {
	if found := ground.CheckNames(schema); found != nil {
		return own(found)
	}
	return nil
}

// caseNotes lists names that differ only by case.
func caseNotes(names []string) []string {
	var notes []string
	seen := make(map[string]string, len(names))
	for _, name := range names {
		folded := strings.ToLower(name)
		if first, ok := seen[folded]; ok {
			notes = append(notes,
				fmt.Sprintf("columns %q and %q differ only by case", first, name))
			continue
		}
		seen[folded] = name
	}
	return notes
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
		e.advise("keep it with %s %s, and without %s", OptionKeepFeature, columnValue(name), OptionIgnore)
	}
	return e
}

// NoColumn returns the error for a name that no column of a table has. It lists the nearest names
// and the columns.
func NoColumn(file, name string, names []string) *Error {
	e := &Error{File: file, Column: name, Msg: "the table has no such column"}
	if len(names) == 1 && strings.ContainsAny(names[0], ",;\t|") {
		return e.advise("the only column is %s: if the cells have another delimiter, set %s",
			quote(names[0]), OptionDelimiter)
	}
	for _, column := range names {
		if norm.NFC.String(column) == norm.NFC.String(name) {
			e.Msg += fmt.Sprintf(": it has %+q, but you asked for %+q", column, name)
			e.Hint = "the names look alike, but their accents are encoded differently (Unicode " +
				"NFC and NFD):" +
				" copy the name from the file, or rename the column"
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
			return e.advise("in a list, quote a name that contains a comma: %s", columnValue(column))
		}
	}
	e.Hint = "the columns are " + listed(names)
	if slices.ContainsFunc(names, isFraction) {
		e.Hint += "\nthis looks like a data row: the first line must have the names of the columns"
	}
	return e
}

// isFraction reports whether the name of a column is a number with a fraction, as cells are.
func isFraction(name string) bool {
	_, err := strconv.ParseFloat(name, 64)
	return err == nil && strings.Contains(name, ".")
}
