package tabular

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// The reasons why a text is not a number.
var (
	errNotNumber = errors.New("not a number")
	errTooLarge  = errors.New("too large for a number (the limit is 1.8e308)")
)

// DefaultNA lists the texts that mean a missing value in text files if ReadOptions.NA is nil: the
// empty cell, NA, N/A, NaN, nan, null, NULL, None and \N.
func DefaultNA() []string {
	return []string{"", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", `\N`}
}

// ParseNumber returns the number in a cell. The grammar is, with any spaces around it:
//
//	[+-]? ( digits [ "." [digits] ] | "." digits ) ( [eE] [+-]? digits )?
//
// Nothing else is a number: not inf, nan, 0x1p3, 1_000 or 1,5. A number above the largest float64
// in magnitude is an error. A number below the smallest is 0.
func ParseNumber(text string) (float64, error) {
	text = trim(text)
	if x, ok := shortNumber(text); ok {
		return x, nil
	}
	if text == "" || text[0] > '9' || strings.Trim(text, "0123456789+-.eE") != "" {
		return 0, errNotNumber
	}
	x, err := strconv.ParseFloat(text, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, errTooLarge
	case err != nil:
		return 0, errNotNumber
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

// isInfinite reports whether a text is an infinite number, such as inf and -Infinity, or too large
// for one.
func isInfinite(text string) bool {
	if _, err := ParseNumber(text); err == errTooLarge {
		return true
	}
	name := strings.ToLower(trim(text))
	if name != "" && (name[0] == '+' || name[0] == '-') {
		name = name[1:]
	}
	return name == "inf" || name == "infinity"
}

// naSet is the set of texts that mean a missing value.
type naSet struct {
	texts   map[string]struct{}
	longest int
	// own: the texts differ from DefaultNA, and also apply to typed columns.
	own     bool
	codes   bool                 // whether a text in the set may be a number or a date, such as -999
	numbers map[float64]struct{} // the texts that are numbers, for columns of numbers
}

// newNA returns the set of these texts, or of DefaultNA if tokens is nil.
func newNA(tokens []string) *naSet {
	if tokens == nil {
		tokens = DefaultNA()
	}
	set := &naSet{texts: make(map[string]struct{}, len(tokens)), numbers: map[float64]struct{}{}}
	rest := map[string]struct{}{}
	for _, t := range tokens {
		rest[t] = struct{}{}
		set.texts[t] = struct{}{}
		set.longest = max(set.longest, len(t))
		if strings.ContainsAny(t, "0123456789") {
			set.codes = true
		}
		if x, err := strconv.ParseFloat(t, 64); err == nil && !math.IsNaN(x) && !math.IsInf(x, 0) {
			set.numbers[x] = struct{}{}
		}
	}
	for _, t := range DefaultNA() {
		delete(rest, t)
	}
	set.own = len(rest) > 0
	return set
}

// hasNumber reports whether a number means a missing value.
func (s *naSet) hasNumber(x float64) bool {
	if len(s.numbers) == 0 {
		return false
	}
	_, missing := s.numbers[x]
	return missing
}

// has reports whether a cell is missing; spaces around it do not count.
func (s *naSet) has(text string) bool {
	text = trim(text)
	if len(text) > s.longest {
		return false
	}
	_, missing := s.texts[text]
	return missing
}

// trim removes the spaces and tabs around a text.
func trim(text string) string {
	for text != "" && (text[0] == ' ' || text[0] == '\t') {
		text = text[1:]
	}
	for text != "" && (text[len(text)-1] == ' ' || text[len(text)-1] == '\t') {
		text = text[:len(text)-1]
	}
	return text
}

// isNumber reports whether s is a number in the grammar of ParseNumber, without spaces.
func isNumber(s string) bool {
	_, err := ParseNumber(s)
	return err != errNotNumber && s == trim(s)
}

// digits counts the decimal digits at the start of s.
func digits(s string) int {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}
