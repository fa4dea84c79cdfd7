package joint

import (
	"fmt"
	"strconv"
	"strings"
)

// Contrast is a difference of two averages.
type Contrast struct {
	Text        string // its name in answers
	Plus, Minus RowSet
}

// RowSet is a set of query rows: one row, a group, or all of them.
type RowSet struct {
	Row   int64  // number of a row from 1, or 0
	Group string // value of the group column
	All   bool
}

// ContrastError reports a contrast that cannot be read, or that names rows which are not there.
type ContrastError struct {
	Text  string
	Fault ContrastFault
	Msg   string // what is wrong with it, after its text
	Hint  string // what to do about it, or empty
}

// ContrastFault says what is wrong with a contrast.
type ContrastFault int

// The faults.
const (
	NoDifference ContrastFault = iota // it is not "TERM - TERM"
	NoSpaces                          // it has one minus, without spaces around it
	NoTerm                            // a side names neither a row nor a group
	NoSuchRow
	NoSuchGroup
)

// Error returns the contrast, what is wrong and what to do about it.
func (e *ContrastError) Error() string {
	msg := fmt.Sprintf("contrast %q%s", e.Text, e.Msg)
	if e.Hint != "" {
		msg += "; " + e.Hint
	}
	return msg
}

// ParseContrast reads "TERM - TERM". A term is `all`, `row N`, N from 1, or, if rows are grouped, a
// group's value, which may be put in double quotes. The error is a *ContrastError.
func ParseContrast(text string, grouped bool) (Contrast, error) {
	made := Contrast{Text: text}
	wrong := &ContrastError{Text: text, Fault: NoDifference, Msg: " is not a difference",
		Hint: "write it as 'row 3 - row 7', 'row 3 - all', or of groups 'north - south'; " +
			"a group's name with \" - \", or that is also another term's, " +
			"stands in quotes: '\"18 - 25\" - north'"}
	left, rest, ok := cutTerm(text)
	right, _, again := cutTerm(rest)
	if !ok || again {
		sides := strings.Split(text, "-")
		plus, minus := strings.TrimSpace(sides[0]), strings.TrimSpace(sides[len(sides)-1])
		if len(sides) == 2 && plus != "" && minus != "" {
			wrong.Fault = NoSpaces
			wrong.Hint = fmt.Sprintf("put spaces around the minus: '%s - %s'", plus, minus)
		}
		return made, wrong
	}
	var err error
	if made.Plus, err = parseTerm(left, text, grouped); err != nil {
		return made, err
	}
	made.Minus, err = parseTerm(right, text, grouped)
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

// parseTerm reads one side of a contrast.
func parseTerm(part, text string, grouped bool) (RowSet, error) {
	number, isRow := strings.CutPrefix(part, "row ")
	row, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
	unquoted := len(part) >= 2 && part[0] == '"' && part[len(part)-1] == '"'
	switch {
	case unquoted && grouped:
		return RowSet{Group: strings.ReplaceAll(part[1:len(part)-1], `""`, `"`)}, nil
	case part == "all":
		return RowSet{All: true}, nil
	case isRow && err == nil && row >= 1:
		return RowSet{Row: row}, nil
	case grouped && part != "":
		return RowSet{Group: part}, nil
	}
	return RowSet{}, &ContrastError{Text: text, Fault: NoTerm,
		Msg:  fmt.Sprintf(": %q is not a row", part),
		Hint: "rows are 'row 1', 'row 2', ...; groups need a column to group by"}
}
