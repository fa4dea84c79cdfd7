package main

import (
	"strconv"
	"strings"
)

// contrast is a difference of two averages.
type contrast struct {
	text        string
	plus, minus rowSet
}

// rowSet is a set of rows: one row, a group, or all of them.
type rowSet struct {
	row   int64  // number of a row from 1, or 0
	group string // value of the group column
	all   bool
}

// parseContrast reads "TERM - TERM". A term is `all`, `row N` or a group's value, which may be put
// in double quotes.
func parseContrast(text string, grouped bool) (contrast, error) {
	made := contrast{text: text}
	wrong := &usageError{msg: "--contrast " + quote(text) + " is not a difference",
		hint: "write it as 'row 3 - row 7', 'row 3 - all', or with --group-by 'north - south'"}
	left, rest, ok := cutTerm(text)
	right, _, again := cutTerm(rest)
	if !ok || again {
		return made, wrong
	}
	var err error
	if made.plus, err = parseTerm(left, text, grouped); err != nil {
		return made, err
	}
	made.minus, err = parseTerm(right, text, grouped)
	return made, err
}

// cutTerm splits a text at the first " - " outside double quotes and tells whether there is one.
func cutTerm(text string) (term, rest string, found bool) {
	quoted := false
	for i := range len(text) {
		switch {
		case text[i] == '"':
			quoted = !quoted
		case !quoted && strings.HasPrefix(text[i:], " - "):
			return strings.TrimSpace(text[:i]), text[i+3:], true
		}
	}
	return strings.TrimSpace(text), "", false
}

func parseTerm(part, text string, grouped bool) (rowSet, error) {
	number, isRow := strings.CutPrefix(part, "row ")
	row, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
	unquoted := len(part) >= 2 && part[0] == '"' && part[len(part)-1] == '"'
	switch {
	case unquoted && grouped:
		return rowSet{group: strings.ReplaceAll(part[1:len(part)-1], `""`, `"`)}, nil
	case part == "all":
		return rowSet{all: true}, nil
	case isRow && err == nil && row >= 1:
		return rowSet{row: row}, nil
	case grouped && part != "":
		return rowSet{group: part}, nil
	}
	return rowSet{}, &usageError{
		msg:  "--contrast " + quote(text) + ": " + quote(part) + " is no row",
		hint: "rows of TEST are 'row 1', 'row 2', ...; groups need --group-by COLUMN",
	}
}
