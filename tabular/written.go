package tabular

import (
	"errors"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// written is the form of the numbers or dates of a text column. The zero value is the grammar of
// ParseNumber and ISO 8601.
type written struct {
	decimal byte   // '.' or ',': digits may be grouped and numbers have units; 0 for ParseNumber
	unit    string // percent: after every number; a currency: with any number
	days    DayOrder
}

// number reads a cell as a number.
func (w written) number(text string) (float64, error) {
	x, _, err := w.respelled(text)
	return x, err
}

// respelled reads a cell as a number, and returns the spellings that it has. In a column of the
// zero value, a number in one of spellings is read only if nothing else about it is unusual.
func (w written) respelled(text string) (float64, spelled, error) {
	if w.decimal == 0 {
		x, err := ParseNumber(text)
		if err != errNotNumber || !mayBeNumber(text) {
			return x, 0, err
		}
		plain, how := respell(text)
		if how != 0 {
			x, err = ParseNumber(plain)
		}
		return x, how, err
	}
	how := spelled(0)
	if !isNumber(text) && mayBeNumber(text) {
		text, how = respell(text)
	}
	digits, unit := cutUnit(text)
	if unit != w.unit && (unit != "" || w.unit == percent || isMeasure(w.unit)) {
		return 0, 0, errNotNumber
	}
	plain, ok := plainNumber(digits, w.decimal)
	if !ok {
		return 0, 0, errNotNumber
	}
	x, err := ParseNumber(plain)
	return x, how, err
}

// time reads a cell as a date or time, like parseTime.
func (w written) time(text string) (seconds float64, date, ok bool) { return w.days.time(text) }

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
	case slices.Contains(orders, DayOrder(text)):
		return written{days: DayOrder(text)}, nil
	case text[0] == '.' || text[0] == ',':
		unit := text[1:]
		_, again := cutUnit("1" + unit)
		if unit == "" || unit == again {
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
	case isMeasure(w.unit):
		return ", written in " + w.unit
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
	how          spelled
	point, comma bool
	differ       bool // both are numbers, and differ
}

// maxAmount is the maximal length of an amount.
const maxAmount = 64

// mayBeNumber reports whether a text has a digit and does not begin with a letter that begins no
// currency, so that a closer look is worth while.
func mayBeNumber(text string) bool {
	text = trim(text)
	if text == "" || len(text) > maxAmount {
		return false
	}
	if c := text[0] | 0x20; 'a' <= c && c <= 'z' && currency(text, true) == "" {
		return false
	}
	return strings.ContainsFunc(text, func(r rune) bool {
		return '0' <= r && r <= '9' || r >= utf8.RuneSelf && unicode.Is(unicode.Nd, r)
	})
}

// readAmount reads a cell that ParseNumber may refuse.
func readAmount(text string) numberCell {
	if !mayBeNumber(text) {
		return numberCell{}
	}
	text, how := respell(text)
	digits, unit := cutUnit(text)
	a, point := plainNumber(digits, '.')
	b, comma := plainNumber(digits, ',')
	c := numberCell{unit: unit, how: how, point: point && finite(a), comma: comma && finite(b)}
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
