package tabular

import (
	"strconv"
	"time"
)

// dayOrder is the order of day and month in dates that end in their year, such as 31.12.2019 and
// 12/31/2019; "" if no such dates are read.
type dayOrder string

// The orders.
const (
	dayFirst   dayOrder = "dmy"
	monthFirst dayOrder = "mdy"
)

// words describes the order.
func (o dayOrder) words() string {
	if o == monthFirst {
		return "month first"
	}
	return "day first"
}

// parse reads a date of one or two digits, one or two digits, and four digits, with points, slashes
// or hyphens between them. A space and a time of day as in parseTime may follow. With points the
// day comes first. It returns the results of parseTime.
func (o dayOrder) parse(text string) (seconds float64, date, ok bool) {
	a, b, year, separator, rest := cutDate(trim(text))
	if separator == 0 || o == monthFirst && separator == '.' {
		return 0, false, false
	}
	if o == monthFirst {
		a, b = b, a
	}
	day := time.Date(year, time.Month(b), a, 0, 0, 0, 0, time.UTC)
	if day.Day() != a || day.Month() != time.Month(b) {
		return 0, false, false
	}
	return parseTime(day.Format(time.DateOnly) + rest)
}

// cutDate splits a text into the three numbers of a date and the rest. separator is 0 if the text
// does not begin with a date.
func cutDate(text string) (first, second, year int, separator byte, rest string) {
	n := digits(text)
	if n < 1 || n > 2 || len(text) < n+7 {
		return 0, 0, 0, 0, ""
	}
	separator = text[n]
	if separator != '.' && separator != '/' && separator != '-' {
		return 0, 0, 0, 0, ""
	}
	tail := text[n+1:]
	m := digits(tail)
	if m < 1 || m > 2 || len(tail) < m+5 || tail[m] != separator || digits(tail[m+1:]) != 4 {
		return 0, 0, 0, 0, ""
	}
	first, _ = strconv.Atoi(text[:n])
	second, _ = strconv.Atoi(tail[:m])
	year, _ = strconv.Atoi(tail[m+1 : m+5])
	return first, second, year, separator, tail[m+5:]
}
