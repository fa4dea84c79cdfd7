package tabular

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"golang.org/x/text/unicode/norm"

	"github.com/pfnamp/pfnamp/internal/nearest"
	"github.com/pfnamp/pfnamp/tabular/internal/arrowguard"
	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// maxListed is how many names, cells or rows an error lists.
const maxListed = 5

// maxColumns is how many columns a table may have.
const maxColumns = arrowguard.MaxColumns

// checkNames refuses a table without columns and one with unnamed or repeated columns.
func checkNames(schema *arrow.Schema) *Error {
	n := schema.NumFields()
	if n == 0 {
		return &Error{Msg: "the table has no columns"}
	}
	if n > maxColumns {
		return &Error{Msg: fmt.Sprintf("the table has %d columns, the limit is %d", n, maxColumns)}
	}
	var empty, twice []string
	seen := make(map[string]int, n)
	for i, f := range schema.Fields() {
		if strings.TrimSpace(f.Name) == "" {
			empty = append(empty, strconv.Itoa(i+1))
			continue
		}
		if seen[f.Name]++; seen[f.Name] == 2 {
			twice = append(twice, f.Name)
		}
	}
	switch {
	case strings.HasPrefix(schema.Field(0).Name, "sep=") && len(schema.Field(0).Name) <= len("sep=;"):
		return &Error{Msg: "the first line tells Excel the delimiter, and has no names of columns",
			Hint: "delete this line"}
	case len(twice) > 0:
		return &Error{
			Msg:  "column names occur more than once: " + listed(twice),
			Hint: "give every column a name of its own",
		}
	case len(empty) > 0:
		return &Error{
			Msg:  "column names are empty, at position " + strings.Join(firstOf(empty), ", "),
			Hint: "name every column; only the first one may have no name, as that of names of rows",
		}
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

// listed quotes names and joins them, the first few of them.
func listed(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = quote(name)
	}
	return strings.Join(firstOf(quoted), ", ")
}

// firstOf returns the first few of a list, and a remark on how many more there are.
func firstOf(list []string) []string {
	if len(list) <= maxListed {
		return list
	}
	rest := fmt.Sprintf("and %d more", len(list)-maxListed)
	return append(slices.Clone(list[:maxListed]), rest)
}

// maxQuoted is how many characters of a cell an error quotes.
const maxQuoted = ground.MaxQuoted

// quote quotes a text, a long one shortened.
func quote(text string) string {
	runes := []rune(text)
	if len(runes) > maxQuoted {
		return strconv.Quote(string(runes[:maxQuoted])) + "..."
	}
	return strconv.Quote(text)
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
