package spelling

import (
	"errors"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Form is the form of the numbers or dates of a text column. The zero value is the grammar of
// ParseNumber and ISO 8601.
type Form struct {
	Decimal byte   // '.' or ',': digits may be grouped and numbers have units; 0 for ParseNumber
	Unit    string // Percent: after every number; a currency: with any number
	Days    DayOrder
}

// Number reads a cell as a number.
func (w Form) Number(text string) (float64, error) {
	x, _, err := w.Respelled(text)
	return x, err
}

// Respelled reads a cell as a number, and returns the Spellings that it has. In a column of the
// zero value, a number in one of Spellings is read only if nothing else about it is unusual.
func (w Form) Respelled(text string) (float64, Spelled, error) {
	if w.Decimal == 0 {
		x, err := ParseNumber(text)
		if err != ErrNotNumber || !mayBeNumber(text) {
			return x, 0, err
		}
		plain, how := respell(text)
		if how != 0 {
			x, err = ParseNumber(plain)
		}
		return x, how, err
	}
	how := Spelled(0)
	if !IsNumber(text) && mayBeNumber(text) {
		text, how = respell(text)
	}
	digits, unit := CutUnit(text)
	if unit != w.Unit && (unit != "" || w.Unit == Percent || IsMeasure(w.Unit)) {
		return 0, 0, ErrNotNumber
	}
	plain, ok := PlainNumber(digits, w.Decimal)
	if !ok {
		return 0, 0, ErrNotNumber
	}
	x, err := ParseNumber(plain)
	return x, how, err
}

// Time reads a cell as a date or time, like ParseTime.
func (w Form) Time(text string) (seconds float64, date, ok bool) { return w.Days.Time(text) }

// String returns the stored form that ReadForm reads: the decimal sign and the unit, or the
// order of days; "" for the zero value.
func (w Form) String() string {
	if w.Decimal == 0 {
		return string(w.Days)
	}
	return string(w.Decimal) + w.Unit
}

// ReadForm reads the output of String.
func ReadForm(text string) (Form, error) {
	switch {
	case text == "":
		return Form{}, nil
	case slices.Contains(Orders, DayOrder(text)):
		return Form{Days: DayOrder(text)}, nil
	case text[0] == '.' || text[0] == ',':
		unit := text[1:]
		_, again := CutUnit("1" + unit)
		if unit == "" || unit == again {
			return Form{Decimal: text[0], Unit: unit}, nil
		}
	}
	return Form{}, errors.New("the form of numbers or dates is unknown")
}

// Words describes the form, as an addition to the kind of the column; "" for the usual form.
func (w Form) Words() string {
	switch {
	case w.Days != "":
		return ", written " + w.Days.Words()
	case w.Unit == Percent:
		return ", written as percentages"
	case IsMeasure(w.Unit):
		return ", written in " + w.Unit
	case w.Unit != "":
		return ", written as amounts in " + w.Unit
	case w.Decimal == ',':
		return ", written with decimal commas"
	}
	return ""
}

// Amount is the value of a cell with a decimal point and with a decimal comma.
type Amount struct {
	Unit         string
	How          Spelled
	Point, Comma bool
	Differ       bool // both are numbers, and differ
}

// maxAmount is the maximal length of an amount.
const maxAmount = 64

// mayBeNumber reports whether a text has a digit and does not begin with a letter that begins no
// currency, so that a closer look is worth while.
func mayBeNumber(text string) bool {
	text = Trim(text)
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

// ReadAmount reads a cell that ParseNumber may refuse.
func ReadAmount(text string) Amount {
	if !mayBeNumber(text) {
		return Amount{}
	}
	text, how := respell(text)
	digits, unit := CutUnit(text)
	a, point := PlainNumber(digits, '.')
	b, comma := PlainNumber(digits, ',')
	c := Amount{Unit: unit, How: how, Point: point && finite(a), Comma: comma && finite(b)}
	if c.Point && c.Comma && a != b {
		x, _ := ParseNumber(a)
		y, _ := ParseNumber(b)
		c.Differ = x != y
	}
	return c
}

// finite reports whether a plain number is not too large.
func finite(plain string) bool {
	x, err := ParseNumber(plain)
	return err == nil && !math.IsInf(x, 0)
}
