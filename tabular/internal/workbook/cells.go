package workbook

import (
	"encoding/xml"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

type content struct {
	value           string
	formula, valued bool // the element is present
}

func (p *part) content() (c content, err error) {
	text := textReader{spelled: "t"} // of an inline string
	number := textReader{spelled: "v"}
	for number.Len()+text.Len() <= 2*ground.MaxCell {
		token, err := p.RawToken()
		if err != nil {
			return c, err
		}
		text.take(token)
		number.take(token)
		switch v := token.(type) {
		case xml.StartElement:
			c.valued = c.valued || v.Name.Local == "v"
			c.formula = c.formula || v.Name.Local == "f"
		case xml.EndElement:
			if v.Name.Local == "c" {
				c.value = number.String() + text.String()
				return c, nil
			}
		}
	}
	return c, fmt.Errorf("a cell is longer than %d bytes", ground.MaxCell)
}

func (b *Book) text(kind, style, value string) (string, error) {
	switch kind {
	case "s":
		i, err := strconv.Atoi(value)
		if err != nil || i < 0 || i >= len(b.strings) {
			return "", fmt.Errorf("refers to the text %q, which the workbook does not have", value)
		}
		return b.strings[i], nil
	case "str", "inlineStr":
		return unescape(value), nil
	case "b":
		switch value {
		case "1", "true":
			return "true", nil
		case "0", "false", "":
			return map[bool]string{true: "", false: "false"}[value == ""], nil
		}
		return "", fmt.Errorf("is %q, neither true nor false", value)
	case "d", "e":
		return value, nil
	case "", "n":
		return b.number(style, strings.TrimSpace(value))
	}
	return "", fmt.Errorf("has the unknown type %q", kind)
}

// number returns the value of a cell that holds a number, or a date if its style shows one.
func (b *Book) number(style, value string) (string, error) {
	if value == "" {
		return "", nil
	}
	x, err := strconv.ParseFloat(value, 64)
	if err != nil || strings.Trim(value, "0123456789+-.eE") != "" {
		return "", fmt.Errorf("holds %q, which is not a number", value)
	}
	if i, err := strconv.Atoi(style); err == nil && i >= 0 && i < len(b.dates) && b.dates[i] {
		date, err := b.isoDate(x)
		if err != nil {
			return "", fmt.Errorf("%s %w", value, err)
		}
		return date, nil
	}
	return value, nil
}

// builtinDate reports whether a built-in format shows a date (ECMA-376 part 1, 18.8.30, with those
// of East Asian languages).
func builtinDate(id string) bool {
	n, err := strconv.Atoi(id)
	return err == nil && (14 <= n && n <= 17 || n == 22 || 27 <= n && n <= 31 || n == 36 ||
		50 <= n && n <= 54 || n == 57 || n == 58)
}

// literal matches a part of a format that is shown as it is, or is a condition or a colour.
var literal = regexp.MustCompile(`"[^"]*"|\\.|_.|\*.|\[[^\]]*\]`)

// elapsed matches a part of a format for hours, minutes or seconds that may exceed a day.
var elapsed = regexp.MustCompile(`(?i)\[(h+|m+|s+)\]`)

// dateFormat reports whether a format shows a day, a month or a year; a time of day does not count.
func dateFormat(code string) bool {
	code = elapsed.ReplaceAllString(code, "h")
	code = strings.ToLower(literal.ReplaceAllString(code, ""))
	code = strings.ReplaceAll(code, "general", "")
	if strings.ContainsAny(code, "yd") {
		return true
	}
	return strings.Contains(code, "m") && !strings.ContainsAny(code, "hs0#?")
}

// errNoDate reports a number that is not a date of a workbook.
var errNoDate = errors.New("is formatted as a date, but is not one")

// isoDate converts a serial number of a workbook to a date, with the time if it is not midnight.
// Serial numbers are days since the end of 1899, with a 29 February 1900 that did not exist, or
// since 1 January 1904.
func (b *Book) isoDate(serial float64) (string, error) {
	const day = 24 * 60 * 60 * 1000 // milliseconds
	whole := math.Floor(serial)
	part := int64(math.Round((serial - whole) * day))
	first := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case !(serial >= 0 && serial < 2958466): // before the year 10000
		return "", errNoDate
	case b.from1904:
		first = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case whole == 60:
		return "", errNoDate
	case whole < 60:
		first = first.AddDate(0, 0, 1)
	}
	at := first.AddDate(0, 0, int(whole)).Add(time.Duration(part) * time.Millisecond)
	if at.Hour() == 0 && at.Minute() == 0 && at.Second() == 0 && at.Nanosecond() == 0 {
		return at.Format(time.DateOnly), nil
	}
	return at.Format("2006-01-02T15:04:05.999"), nil
}

// textReader joins what elements of a name hold. It skips the pronunciation above a text.
type textReader struct {
	strings.Builder
	spelled        string
	inside, spoken bool
}

func (t *textReader) take(token xml.Token) {
	switch v := token.(type) {
	case xml.StartElement:
		t.inside = t.inside || v.Name.Local == t.spelled
		t.spoken = t.spoken || v.Name.Local == "rPh"
	case xml.EndElement:
		t.inside = t.inside && v.Name.Local != t.spelled
		t.spoken = t.spoken && v.Name.Local != "rPh"
	case xml.CharData:
		if t.inside && !t.spoken {
			t.Write(v)
		}
	}
}

// escaped matches a character that XML cannot hold, in the form of ECMA-376 (ST_Xstring).
var escaped = regexp.MustCompile(`_x[0-9A-Fa-f]{4}_`)

// unescape restores such characters.
func unescape(text string) string {
	if !strings.Contains(text, "_x") {
		return text
	}
	return escaped.ReplaceAllStringFunc(text, func(code string) string {
		n, err := strconv.ParseUint(code[2:6], 16, 16)
		if err != nil || 0xd800 <= n && n < 0xe000 {
			return code
		}
		return string(rune(n))
	})
}
