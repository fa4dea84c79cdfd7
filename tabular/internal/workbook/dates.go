package workbook

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// readStyles finds the styles of cells that show a date.
func (b *Book) readStyles(name string) error {
	p, err := b.open(name)
	if err != nil {
		return err
	}
	defer p.Close()
	formats, inside := map[string]bool{}, false
	for {
		token, err := p.token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		switch v := token.(type) {
		case xml.StartElement:
			switch id := attribute(v, "numFmtId"); {
			case v.Name.Local == "numFmt":
				formats[id] = dateFormat(attribute(v, "formatCode"))
			case v.Name.Local == "cellXfs":
				inside = true
			case inside && v.Name.Local == "xf":
				own, known := formats[id]
				b.dates = append(b.dates, known && own || !known && builtinDate(id))
			}
			if len(formats)+len(b.dates) > maxStyles {
				return fmt.Errorf("there are more than %d styles", maxStyles)
			}
		case xml.EndElement:
			inside = inside && v.Name.Local != "cellXfs"
		}
	}
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
