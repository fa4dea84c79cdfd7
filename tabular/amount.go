package tabular

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// percent is the unit of percentages.
const percent = "%"

// currencies are the ISO 4217 codes that are recognised beside an amount. Symbols of Unicode's
// category Sc are recognised too.
var currencies = []string{"EUR", "USD", "GBP", "CHF", "JPY", "CNY", "INR", "AUD", "CAD",
	"SEK", "NOK",
	"DKK", "PLN", "CZK", "HUF", "BRL", "MXN", "ZAR", "TRY", "KRW"}

// spaces are the spaces that may stand around a number or between its digits.
const spaces = " \t\u00a0\u2009\u202f"

// cutUnit splits an amount into its number, with a sign in front, and its unit: a currency before
// or after the number, a percent sign after it, or "". An amount in parentheses is negative, as in
// accounts, if it has a currency, a fraction or groups; (1) may as well be a label.
func cutUnit(text string) (number, unit string) {
	text = strings.Trim(text, spaces)
	if len(text) > 2 && text[0] == '(' && text[len(text)-1] == ')' {
		number, unit = cutUnit(text[1 : len(text)-1])
		sign, _ := cutSign(number)
		if sign == "" && (unit != "" || strings.ContainsAny(number, ".,'’"+spaces)) {
			return "-" + number, unit
		}
		return text, ""
	}
	sign, rest := cutSign(text)
	if unit = currency(rest, true); unit != "" {
		number = strings.TrimLeft(rest[len(unit):], spaces)
		if sign == "" {
			sign, number = cutSign(number)
		}
		return sign + number, unit
	}
	if strings.HasSuffix(text, percent) {
		unit = percent
	} else {
		unit = currency(text, false)
	}
	return strings.TrimRight(strings.TrimSuffix(text, unit), spaces), unit
}

// cutSign splits off the sign at the start of a text.
func cutSign(text string) (sign, rest string) {
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

// plainNumber rewrites a number with separators for ParseNumber. decimal, a point or a comma,
// starts the fraction. Digits before it may come in groups of three, after a first group of one to
// three digits without a leading zero. One kind of separator stands between groups: the other one
// of point and comma, an apostrophe or a space. It returns false for any other text.
func plainNumber(text string, decimal byte) (string, bool) {
	sign, text := cutSign(text)
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
	return plain, isNumber(plain)
}

// joinGroups removes the separators from a whole number.
func joinGroups(text string, decimal byte) (string, bool) {
	first := digits(text)
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
	separator := text[first : first+size]
	joined := text[:first]
	for rest := text[first:]; rest != ""; {
		group, ok := strings.CutPrefix(rest, separator)
		if !ok || digits(group) < 3 {
			return "", false
		}
		joined, rest = joined+group[:3], group[3:]
	}
	return joined, true
}
