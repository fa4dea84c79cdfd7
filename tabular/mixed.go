package tabular

import (
	"slices"
	"strings"
)

// mixed returns an error for a text column if at least half of its different values are numbers, or
// dates, and the others are not.
func (l *learner) mixed(c *Column, scan *columnScan) error {
	if c.Kind != Categorical || !scan.readable() || slices.Contains(l.opt.Categorical, c.Name) ||
		scan.numeric() == 0 && scan.dated() == 0 || scan.notNumbers().n == 0 {
		return nil
	}
	numbers, dates, values := 0, 0, len(c.Categories)
	for _, text := range c.Categories {
		_, _, date := DayFirst.time(text)
		amount := readAmount(text)
		switch {
		case scan.signed && isMissingSign(text):
			values--
		case isNumber(trim(text)) || (amount.point || amount.comma) && !isMeasure(amount.unit):
			numbers++
		case date:
			dates++
		}
	}
	cells, what := scan.notNumbers(), "numbers"
	switch {
	case 2*numbers >= values:
	case 2*dates >= values && scan.evidence.unread.n > 0:
		cells, what = &scan.evidence.unread, "dates"
		cells.first.Msg = quote(cells.texts[0]) + " is not a date, such as 2006-01-02"
	default:
		return nil
	}
	e := cells.error(c.Name)
	advice := "the other cells are " + what + ": correct these"
	if cells.full {
		return e.asText(c.Name, advice)
	}
	return e.asText(c.Name, advice+", list them as missing values with %s %s", OptionNA,
		columnValues(cells.texts))
}

// refuseNoted returns the first note on the file, or on a column that may not be what it seems, as
// an error if the options are strict.
func (l *learner) refuseNoted() error {
	if !l.opt.Strict {
		return nil
	}
	for _, note := range l.train.Notes {
		return Noted(l.train.File, note, "")
	}
	for _, note := range l.s.advice {
		if !note.accepted {
			e := &Error{File: l.train.File, Msg: "some cells are not what they seem"}
			return e.advise(note.format+"; without %s this is a note", append(note.args, OptionStrict)...)
		}
	}
	return nil
}

// Noted returns a note on a training table as an error, for options that refuse what is noted. One
// of the options to accept ends the note, with the column as its value unless that is "".
func Noted(file, note, column string, accept ...Option) *Error {
	e := &Error{File: file, Msg: note}
	format, args := "", []any{}
	for i, option := range accept {
		format += []string{"add ", " or "}[min(i, 1)] + "%s"
		if args = append(args, option); column != "" {
			format, args = format+" %s", append(args, columnValue(column))
		}
	}
	return e.advise(strings.TrimPrefix(format+"; without %s this is a note", "; "),
		append(args, OptionStrict)...)
}
