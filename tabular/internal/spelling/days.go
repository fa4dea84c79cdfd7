package spelling

import (
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// DayOrder is tabular.DayOrder.
type DayOrder string

// The Orders.
const (
	DayFirst   DayOrder = "dmy"
	MonthFirst DayOrder = "mdy"
	YearFirst  DayOrder = "ymd"
)

// Orders lists the Orders.
var Orders = []DayOrder{DayFirst, MonthFirst, YearFirst}

// Words describes the order.
func (o DayOrder) Words() string {
	return map[DayOrder]string{DayFirst: "day first", MonthFirst: "month first",
		YearFirst: "year first"}[o]
}

// Parse reads a date, a space, comma or T, and a time of day, which may be absent. The date is
// three numbers with points, slashes, hyphens or spaces between them, as in 31.12.2019 and
// 12/31/19, or has the name of a month, as in 10-Feb-2021, 10FEB2021 and Wed, February 10th, 2021.
// Years of two digits are 1969 to 2068, as in POSIX. With points the month does not come first, so
// these are read without an order too. It returns the results of ParseTime.
func (o DayOrder) Parse(text string) (seconds float64, date, ok bool) {
	f, rest := cutDate(Trim(text))
	if f == nil {
		return 0, false, false
	}
	day, month, year := f[0], f[2], f[4]
	between := f[1] // numbers
	switch {
	case Digits(f[0]) == 0:
		day, month = f[2], f[0]
	case len(f[0]) == 4:
		day, year = f[4], f[0]
	case Digits(f[2]) == 0:
	case between != f[3] || !strings.Contains(".-/ ", between) || len(year) < 4 && between == " ":
		return 0, false, false
	case o == MonthFirst && between != ".":
		day, month = f[2], f[0]
	case o == YearFirst && len(f[0]) == 2:
		day, year = f[4], f[0]
	case o != DayFirst && (o != "" || between != "."):
		return 0, false, false
	}
	d, err := strconv.Atoi(day)
	y, wrong := strconv.Atoi(year)
	if err != nil || wrong != nil || len(day) > 2 || len(year) != 2 && len(year) != 4 {
		return 0, false, false
	}
	if len(year) == 2 {
		if y += 1900; y < 1969 {
			y += 100
		}
	}
	m := Months()[month]
	if len(month) <= 2 {
		m, _ = strconv.Atoi(month)
	}
	at := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	if m == 0 || at.Day() != d || at.Month() != time.Month(m) {
		return 0, false, false
	}
	clock, ok := readClock(rest)
	return float64(at.Unix()) + clock, rest == "", ok
}

// Time reads a cell as a date or time, in ISO 8601 or with this order.
func (o DayOrder) Time(text string) (seconds float64, date, ok bool) {
	if seconds, date, ok = ParseTime(text); ok {
		return seconds, date, ok
	}
	return o.Parse(text)
}

// cutDate splits a text into the three fields of a date in lower case, with the separators after
// the first two, and the rest. It returns no fields if the text does not begin with a date. At most
// one field, not the last, is a word: the name of a month.
func cutDate(text string) (fields []string, rest string) {
	const separators = " .,/-年月日"
	if len(text) < 6 || len(text) > maxAmount || !strings.ContainsAny(text, "0123456789") {
		return nil, ""
	}
	words := 0
	for len(fields) < 5 {
		n, word := Digits(text), false
		if n == 0 {
			word = true
			n = strings.IndexFunc(text, func(r rune) bool {
				return !unicode.IsLetter(r) || strings.ContainsRune(separators, r)
			})
		}
		if n < 1 || n > 12 {
			return nil, ""
		}
		field := strings.ToLower(text[:n])
		after := strings.TrimLeft(text[n:], separators)
		between := strings.TrimSpace(text[n : len(text)-len(after)])
		switch _, month := Months()[field]; {
		case word && len(fields) == 0 && !month && len(field) >= 3 && weekdays[field[:3]]:
			text = after
			continue
		case word && (!month || words == 1):
			return nil, ""
		case word:
			words++
		case n > 4 || len(fields) > 0 && n > 2 && len(fields) < 4:
			return nil, ""
		default:
			for _, suffix := range []string{"st ", "nd ", "rd ", "th ", "st,", "nd,", "rd,", "th,"} {
				if rest, ok := strings.CutPrefix(after, suffix); ok && between == "" && n <= 2 {
					after = strings.TrimLeft(rest, separators)
				}
			}
			after = strings.TrimPrefix(strings.TrimPrefix(after, "of "), "de ")
		}
		if len(fields) == 4 {
			return append(fields, field), strings.TrimPrefix(text[n:], "日")
		}
		if between == "" && len(after) < len(text)-n {
			between = " "
		}
		fields, text = append(fields, field, between), after
	}
	return nil, ""
}

// weekdays are the beginnings of the names of days, which may come before a date.
var weekdays = map[string]bool{"mon": true, "tue": true, "wed": true, "thu": true, "fri": true,
	"sat": true, "sun": true}

// zones are the names of time zones, with hours from UTC. RFC 2822 defines those of America.
var zones = map[string]float64{"Z": 0, "UTC": 0, "GMT": 0, "UT": 0, "WET": 0, "WEST": 1, "BST": 1,
	"CET": 1, "MEZ": 1, "CEST": 2, "MESZ": 2, "EET": 2, "EEST": 3, "MSK": 3, "EST": -5, "EDT": -4,
	"CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7, "JST": 9, "KST": 9, "AEST": 10,
	"AEDT": 11, "NZST": 12, "NZDT": 13}

// cutZone splits a time of day from its time zone: its offset from UTC, such as +02:00, UTC for one
// of zones, "" for none. It returns the time in upper case and the hours of the zone east of UTC.
func cutZone(text string) (clock, zone string, east float64) {
	text = strings.ToUpper(text)
	if at := strings.LastIndex(text, " ("); at > 0 && strings.HasSuffix(text, ")") {
		text = text[:at] // a zone's name after its offset
	}
	name := text[strings.LastIndexAny(text, " 0123456789")+1:]
	if hours, known := zones[name]; known {
		return strings.TrimRight(strings.TrimSuffix(text, name), " "), "UTC", hours
	}
	if at := strings.LastIndexAny(text, "+-"); at > 0 {
		offset := strings.Replace(text[at:], ":", "", 1)
		if len(offset) == 3 {
			offset += "00"
		}
		if zone, err := time.Parse("-0700", offset); err == nil {
			_, east := zone.Zone()
			return strings.TrimRight(text[:at], " "), zone.Format("-07:00"), float64(east) / 3600
		}
	}
	return text, "", 0
}

// Zone returns the time zone of a date or time as cutZone does, and whether it has a time of day.
func Zone(text string) (zone string, timed bool) {
	at := strings.IndexByte(text, ':')
	if at >= 0 {
		_, zone, _ = cutZone(Trim(text[at:]))
	}
	return zone, at >= 0
}

var halves = strings.NewReplacer("A.M.", "AM", "P.M.", "PM", " ", "") // of the day

// readClock reads what follows a date, "" or a time of day, as seconds from midnight UTC: hours and
// minutes, seconds, AM or PM, and an offset or one of zones may follow.
func readClock(text string) (seconds float64, ok bool) {
	if text == "" {
		return 0, true
	}
	if !strings.ContainsRune(" ,Tt", rune(text[0])) {
		return 0, false
	}
	text, _, east := cutZone(strings.TrimLeft(text, " ,Tt"))
	text, layout := halves.Replace(text), "15:04"
	if strings.Count(text, ":") == 2 {
		layout = "15:04:05"
	}
	if strings.HasSuffix(text, "M") {
		layout = strings.Replace(layout, "15", "3", 1) + "PM"
	}
	clock, err := time.Parse(layout, text)
	midnight := time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)
	return clock.Sub(midnight).Seconds() - east*3600, err == nil
}

// SecondsPerDay is the length of a day without leap seconds.
const SecondsPerDay = 24 * 60 * 60

// ParseTime reads an ISO 8601 date (2006-01-02), or a date and a time of day after a T or a space
// (15:04, 15:04:05, 15:04:05.999, 3:04 PM, followed by Z, +hh:mm, +hhmm, +hh, one of zones or
// nothing, which means UTC). It returns seconds since 1970 UTC, and whether the text is a date
// without a time.
func ParseTime(text string) (seconds float64, date, ok bool) {
	text = Trim(text)
	if len(text) < len(time.DateOnly) || text[4] != '-' || text[7] != '-' {
		return 0, false, false
	}
	day, err := time.Parse(time.DateOnly, text[:len(time.DateOnly)])
	if err != nil {
		return 0, false, false
	}
	rest := text[len(time.DateOnly):]
	clock, ok := readClock(rest)
	return float64(day.Unix()) + clock, rest == "", ok && !strings.HasPrefix(rest, ",")
}

// FormatDay writes a day since 1970-01-01 as an ISO 8601 date.
func FormatDay(day int64) string {
	return time.Unix(day*SecondsPerDay, 0).UTC().Format(time.DateOnly)
}

// FormatDayOf writes a time in seconds since 1970-01-01 UTC as an ISO 8601 date.
func FormatDayOf(seconds float64) string {
	return FormatDay(int64(math.Floor(seconds / SecondsPerDay)))
}
