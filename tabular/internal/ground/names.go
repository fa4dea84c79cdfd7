package ground

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
)

// MaxListed is how many names, cells or rows an error lists.
const MaxListed = 5

// MaxColumns is how many columns a table may have.
const MaxColumns = 100_000

// Unnamed is the name of a first column without one, as in pandas: programs save row names there.
const Unnamed = "Unnamed: 0"

// CheckNames refuses a table without columns and one with unnamed or repeated columns.
func CheckNames(schema *arrow.Schema) *Error {
	n := schema.NumFields()
	if n == 0 {
		return &Error{Msg: "the table has no columns"}
	}
	if n > MaxColumns {
		return &Error{Msg: fmt.Sprintf("the table has %d columns, at most %d are possible",
			n, MaxColumns)}
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
		return &Error{Msg: "the first line sets Excel's delimiter and has no column names",
			Hint: "delete this line"}
	case len(twice) > 0:
		return &Error{
			Msg:  "some column names occur more than once: " + Listed(twice),
			Hint: "give every column a different name",
		}
	case len(empty) > 0:
		return &Error{
			Msg:  "some column names are empty, at position " + strings.Join(FirstOf(empty), ", "),
			Hint: "name every column; only the first one, with row names, may have no name",
		}
	}
	return nil
}

// CheckHeader is CheckNames for names that a row of text or of a sheet holds.
func CheckHeader(schema *arrow.Schema, line int64) *Error {
	err := CheckNames(schema)
	if err != nil {
		err.Line = line
		err.Also("if another row has the names, say which: %s %d", OptionHeaderRow, line+1)
	}
	return err
}

// Listed quotes and joins the first few names.
func Listed(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = Quote(name)
	}
	return strings.Join(FirstOf(quoted), ", ")
}

// FirstOf returns the first few items of a list, and a remark on how many more there are.
func FirstOf(list []string) []string {
	if len(list) <= MaxListed {
		return list
	}
	rest := fmt.Sprintf("and %d more", len(list)-MaxListed)
	return append(slices.Clone(list[:MaxListed]), rest)
}

// Quote quotes a text and shortens a long one.
func Quote(text string) string {
	runes := []rune(text)
	if len(runes) > MaxQuoted {
		return strconv.Quote(string(runes[:MaxQuoted])) + "..."
	}
	return strconv.Quote(text)
}

// NameFirst names the first of several columns if it alone has no name.
func NameFirst(fields []arrow.Field) {
	if len(fields) < 2 || strings.TrimSpace(fields[0].Name) != "" {
		return
	}
	for _, f := range fields[1:] {
		if strings.TrimSpace(f.Name) == "" || f.Name == Unnamed {
			return
		}
	}
	fields[0].Name = Unnamed
}

// Limits of a text file. A larger file is refused rather than held in memory.
const (
	MaxCell   = 1 << 20  // bytes in one cell
	MaxRecord = 64 << 20 // bytes in one row
)

// ReadSize is the number of bytes in one read of the input.
const ReadSize = 128 << 10

// MaxBatchBytes ends a batch of a text file early, so that long rows do not add up.
const MaxBatchBytes = 32 << 20

// HeadBytes is the number of first bytes of a file that are inspected.
const HeadBytes = 64
