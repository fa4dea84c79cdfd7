package spelling

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// The reasons why a text is not a number.
var (
	ErrNotNumber = errors.New("not a number")
	ErrTooLarge  = errors.New("too large for a number (the limit is 1.8e308)")
)

// ParseNumber returns the number in a cell, in the grammar of tabular.ParseNumber.
func ParseNumber(text string) (float64, error) {
	text = Trim(text)
	if x, ok := shortNumber(text); ok {
		return x, nil
	}
	if text == "" || text[0] > '9' || strings.Trim(text, "0123456789+-.eE") != "" {
		return 0, ErrNotNumber
	}
	x, err := strconv.ParseFloat(text, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, ErrTooLarge
	case err != nil:
		return 0, ErrNotNumber
	}
	return x, nil
}

// shortNumber reads up to 15 digits with or without a point, like strconv.ParseFloat: the digits
// and the power of ten are exact in float64, so that their quotient is rounded once.
func shortNumber(text string) (x float64, ok bool) {
	digits, power, point := 0, 1.0, false
	for i := range len(text) {
		switch c := text[i]; {
		case '0' <= c && c <= '9' && digits < 15:
			x, digits = 10*x+float64(c-'0'), digits+1
			if point {
				power *= 10
			}
		case c == '.' && !point:
			point = true
		case i > 0 || c != '-' && c != '+':
			return 0, false
		}
	}
	if digits > 0 && text[0] == '-' {
		power = -power
	}
	return x / power, digits > 0
}

// IsInfinite reports whether a text is an infinite number, such as inf and -Infinity, or too large
// for one.
func IsInfinite(text string) bool {
	_, err := ParseNumber(text)
	_, name := CutSign(strings.ToLower(Trim(text)))
	return err == ErrTooLarge || name == "inf" || name == "infinity"
}

// Trim removes the spaces and tabs around a text.
func Trim(text string) string {
	if text == "" || text[0] > ' ' && text[len(text)-1] > ' ' { // most cells
		return text
	}
	return strings.Trim(text, " \t")
}

// IsNumber reports whether s is a number in the grammar of ParseNumber, without spaces.
func IsNumber(s string) bool {
	_, err := ParseNumber(s)
	return err != ErrNotNumber && s == Trim(s)
}

// Digits counts the decimal digits at the start of s.
func Digits(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }

// FormatNumber returns the shortest decimal text that reads back as v, with an exponent only for
// very large and very small numbers.
func FormatNumber(v float64, bits int) string {
	if size := math.Abs(v); size != 0 && (size < 1e-6 || size >= 1e21) {
		return strconv.FormatFloat(v, 'e', -1, bits)
	}
	return strconv.FormatFloat(v, 'f', -1, bits)
}

// Canonical returns the canonical form of a number, and any other text unchanged.
func Canonical(text string) string {
	v, err := ParseNumber(text)
	if err != nil {
		return text
	}
	return FormatNumber(v, 64)
}
