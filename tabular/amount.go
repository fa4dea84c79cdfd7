package tabular

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// percent is the unit of percentages.
const percent = "%"

// currencies are the codes of ISO 4217 that are recognised beside an amount, besides the symbols of
// Unicode's category Sc.
var currencies = []string{"EUR", "USD", "GBP", "CHF", "JPY", "CNY", "INR", "AUD", "CAD",
	"SEK", "NOK",
	"DKK", "PLN", "CZK", "HUF", "BRL", "MXN", "ZAR", "TRY", "KRW"}

// spaces are what stands around numbers and between their digits.
const spaces = " \t\u00a0\u2009\u202f"

// cutUnit cuts an amount as it is written into its number, with a sign in front, and its unit: a
// currency before or behind it, a percent sign behind it, or "". In parentheses it is negative, as
// accountants write it, if it has a currency, a fraction or groups: (1) may as well be a label.
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

// cutSign cuts off the sign that a text begins with.
func cutSign(text string) (sign, rest string) {
	if text != "" && (text[0] == '-' || text[0] == '+') {
		return text[:1], text[1:]
	}
	return "", text
}

// currency is the currency that a text begins or ends with, "" without one.
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

// plainNumber writes a number with separators by the grammar of ParseNumber. decimal, a point or a
// comma, stands before its fraction. Before that digits may come in groups of three, the first one
// of one to three and without a leading zero, with one kind of separator between them: the other
// one of point and comma, an apostrophe or a space. It returns false for anything else.
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

// joinGroups takes the separators out of a whole number.
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
