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

// quote, listed and firstOf name texts in messages.
func quote(text string) string       { return ground.Quote(text) }
func listed(names []string) string   { return ground.Listed(names) }
func firstOf(list []string) []string { return ground.FirstOf(list) }

// checkNames refuses names of columns that cannot be told apart.
func checkNames(schema *arrow.Schema) *Error {
	if found := ground.CheckNames(schema); found != nil {
		return own(found)
	}
	return nil
}

// caseNotes tells which names differ by case only.
func caseNotes(names []string) []string {
	var notes []string
	seen := make(map[string]string, len(names))
	for _, name := range names {
		folded := strings.ToLower(name)
		if first, ok := seen[folded]; ok {
			notes = append(notes,
				fmt.Sprintf("columns %q and %q differ by case only", first, name))
			continue
		}
		seen[folded] = name
	}
	return notes
}

// NoColumn is the error of a name that none of the columns of a table has, with the nearest names
// and the columns.
func NoColumn(file, name string, names []string) *Error {
	e := &Error{File: file, Column: name, Msg: "there is no such column"}
	if len(names) == 1 && strings.ContainsAny(names[0], ",;\t|") {
		return e.advise("the only column is %s: %s says what stands between the cells",
			quote(names[0]), OptionDelimiter)
	}
	for _, column := range names {
		if norm.NFC.String(column) == norm.NFC.String(name) {
			e.Msg += fmt.Sprintf(": %+q is there, %+q is asked for", column, name)
			e.Hint = "they look alike, and their accents are written in two ways (Unicode NFC and NFD):" +
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
			return e.advise("a list holds a name with a comma in quotes: %s", columnValue(column))
		}
	}
	e.Hint = "the columns are " + listed(names)
	if slices.ContainsFunc(names, isFraction) {
		e.Hint += "\nthis looks like a row: the first line must have the names of the columns"
	}
	return e
}

// isFraction tells whether the name of a column is a number with a fraction, as cells are.
func isFraction(name string) bool {
	_, err := strconv.ParseFloat(name, 64)
	return err == nil && strings.Contains(name, ".")
}
