package spelling

import (
	"errors"
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
	x, large := ParseNumber(a)
	y, larger := ParseNumber(b)
	c := Amount{Unit: unit, How: how, Point: point && large == nil, Comma: comma && larger == nil}
	c.Differ = c.Point && c.Comma && x != y
	return c
}

// Percent is the unit of percentages.
const Percent = "%"

// currencies are the ISO 4217 codes that are recognised beside an amount. Symbols of Unicode's
// category Sc are recognised too.
var currencies = []string{"EUR", "USD", "GBP", "CHF", "JPY", "CNY", "INR", "AUD", "CAD",
	"SEK", "NOK",
	"DKK", "PLN", "CZK", "HUF", "BRL", "MXN", "ZAR", "TRY", "KRW"}

// spaces are the spaces that may stand around a number or between its digits.
const spaces = " \t\u00a0\u2009\u202f"

// CutUnit splits an amount into its number, with a sign in front, and its unit: a currency before
// or after the number, a Percent sign or another unit after it, or "".
func CutUnit(text string) (number, unit string) {
	text = strings.Trim(text, spaces)
	sign, rest := CutSign(text)
	if unit = currency(rest, true); unit != "" {
		number = strings.TrimLeft(rest[len(unit):], spaces)
		if sign == "" {
			sign, number = CutSign(number)
		}
		return sign + number, unit
	}
	if strings.HasSuffix(text, Percent) {
		unit = Percent
	} else if unit = currency(text, false); unit == "" {
		return cutMeasure(text)
	}
	return strings.TrimRight(strings.TrimSuffix(text, unit), spaces), unit
}

// maxUnit is the maximal length of a unit that is neither a currency nor Percent.
const maxUnit = 16

// cutMeasure splits off a unit such as kg, °C or m2: it begins with a letter or a degree sign, and
// a digit in it is the last character, 2 or 3.
func cutMeasure(text string) (number, unit string) {
	at := strings.IndexFunc(text, func(r rune) bool {
		return unicode.IsLetter(r) || strings.ContainsRune("°′″\"", r)
	})
	if at < 1 || len(text)-at > maxUnit {
		return text, ""
	}
	unit = text[at:]
	inner := unit
	if len(unit) > 1 {
		inner = strings.TrimRight(unit, "23")
	}
	if inner == "" || inner != strings.TrimRight(inner, " ") || len(unit)-len(inner) > 1 ||
		strings.ContainsAny(inner, "0123456789") ||
		strings.EqualFold(inner, "e") {
		return text, ""
	}
	return strings.TrimRight(text[:at], spaces), unit
}

// IsMeasure reports whether a unit is neither Percent nor a currency, so that it must be in all
// cells.
func IsMeasure(unit string) bool {
	return unit != "" && unit != Percent && currency(unit, true) != unit
}

// CutSign splits off the sign at the start of a text.
func CutSign(text string) (sign, rest string) {
	if text != "" && (text[0] == '-' || text[0] == '+') {
		return text[:1], text[1:]
	}
	return "", text
}

// currency returns the currency at the start or the end of a text, "" if there is none.
func currency(text string, begins bool) string {
	has, decode := strings.HasSuffix, utf8.DecodeLastRuneInString
	if begins {
		has, decode = strings.HasPrefix, utf8.DecodeRuneInString
	}
	if r, _ := decode(text); unicode.Is(unicode.Sc, r) {
		return string(r)
	}
	i := slices.IndexFunc(currencies, func(code string) bool { return has(text, code) })
	if i < 0 {
		return ""
	}
	return currencies[i]
}

// PlainNumber rewrites a number with separators for ParseNumber. decimal, a point or a comma,
// starts the fraction. Digits before it may come in groups of three, after a first group of one to
// three digits without a leading zero. One kind of separator stands between groups: the other one
// of point and comma, an apostrophe or a space. It returns false for any other text.
func PlainNumber(text string, decimal byte) (string, bool) {
	sign, text := CutSign(text)
	end := strings.IndexAny(text, string(decimal)+"eE")
	if end < 0 {
		end = len(text)
	}
	whole, ok := joinGroups(text[:end], decimal)
	if !ok {
		return "", false
	}
	plain := sign + whole
	if rest := text[end:]; rest != "" && rest[0] == decimal {
		plain += "." + rest[1:]
	} else {
		plain += rest
	}
	return plain, IsNumber(plain)
}

// joinGroups removes the separators from a whole number. Groups have three digits; in India those
// before the last one have two.
func joinGroups(text string, decimal byte) (string, bool) {
	first := Digits(text)
	if first == len(text) {
		return text, true
	}
	if first < 1 || first > 3 || text[0] == '0' {
		return "", false
	}
	r, size := utf8.DecodeRuneInString(text[first:])
	if !strings.ContainsRune("'’"+spaces, r) && (r != ',' && r != '.' || byte(r) == decimal) {
		return "", false
	}
	groups := strings.Split(text[first+size:], text[first:first+size])
	last := len(groups) - 1
	width := 3
	if last > 0 && r == ',' && first < 3 && len(groups[0]) == 2 {
		width = 2
	}
	for i, group := range groups {
		if i == last {
			width = 3
		}
		if len(group) != width || Digits(group) != width {
			return "", false
		}
	}
	return text[:first] + strings.Join(groups, ""), true
}
