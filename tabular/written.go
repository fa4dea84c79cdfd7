package tabular

import (
	"errors"
	"math"
	"strings"
)

// written is the form of the numbers or dates of a text column. The zero value is the grammar of
// ParseNumber and ISO 8601.
type written struct {
	decimal byte   // '.' or ',': digits may be grouped and numbers have units; 0 for ParseNumber
	unit    string // percent: after every number; a currency: with any number
	days    dayOrder
}

// number reads a cell as a number.
func (w written) number(text string) (float64, error) {
	if w.decimal == 0 {
		return ParseNumber(text)
	}
	digits, unit := cutUnit(text)
	if unit != w.unit && (unit != "" || w.unit == percent) {
		return 0, errNotNumber
	}
	plain, ok := plainNumber(digits, w.decimal)
	if !ok {
		return 0, errNotNumber
	}
	return ParseNumber(plain)
}

// time reads a cell as a date or time, like parseTime.
func (w written) time(text string) (seconds float64, date, ok bool) {
	if seconds, date, ok = parseTime(text); ok || w.days == "" {
		return seconds, date, ok
	}
	return w.days.parse(text)
}

// String returns the stored form that readWritten reads: the decimal sign and the unit, or the
// order of days; "" for the zero value.
func (w written) String() string {
	if w.decimal == 0 {
		return string(w.days)
	}
	return string(w.decimal) + w.unit
}

// readWritten reads the output of String.
func readWritten(text string) (written, error) {
	switch {
	case text == "":
		return written{}, nil
	case text == string(dayFirst) || text == string(monthFirst):
		return written{days: dayOrder(text)}, nil
	case text[0] == '.' || text[0] == ',':
		unit := text[1:]
		if unit == "" || unit == percent || currency(unit, true) == unit {
			return written{decimal: text[0], unit: unit}, nil
		}
	}
	return written{}, errors.New("the form of numbers or dates is unknown")
}

// words describes the form, as an addition to the kind of the column; "" for the usual form.
func (w written) words() string {
	switch {
	case w.days != "":
		return ", written " + w.days.words()
	case w.unit == percent:
		return ", written as percentages"
	case w.unit != "":
		return ", written as amounts in " + w.unit
	case w.decimal == ',':
		return ", written with decimal commas"
	}
	return ""
}

// A numberCell is the value of a cell with a decimal point and with a decimal comma.
type numberCell struct {
	unit         string
	point, comma bool
	differ       bool // both are numbers, and differ
}

// maxAmount is the maximal length of an amount.
const maxAmount = 64

// readAmount reads a cell that ParseNumber may refuse.
func readAmount(text string) numberCell {
	if len(text) > maxAmount || !strings.ContainsAny(text, "0123456789") {
		return numberCell{}
	}
	digits, unit := cutUnit(text)
	a, point := plainNumber(digits, '.')
	b, comma := plainNumber(digits, ',')
	c := numberCell{unit: unit, point: point && finite(a), comma: comma && finite(b)}
	if c.point && c.comma && a != b {
		x, _ := ParseNumber(a)
		y, _ := ParseNumber(b)
		c.differ = x != y
	}
	return c
}

// finite reports whether a plain number is not too large.
func finite(plain string) bool {
	x, err := ParseNumber(plain)
	return err == nil && !math.IsInf(x, 0)
}
