package tabular

import (
	"strings"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// evidence counts how the numbers and dates of a text column are written.
type evidence struct {
	// Numbers with a decimal point, numbers with a decimal comma, and those of them without a unit.
	// Below: the first few different units.
	point, comma, bare int
	units              []string
	// Dates with the day first, with the month first, and with either.
	dayFirst, monthFirst, dated int
	clock                       bool // a date has a time of day

	// odd: cells that ParseNumber and parseTime do not read. doubtful: cells that can be read in
	// two ways.
	odd, doubtful        wrongCells
	onlyPoint, onlyComma wrongCells // numbers with only one of the decimal signs
	unread               wrongCells // neither numbers nor dates
}

// addNumber adds a cell that ParseNumber reads.
func (e *evidence) addNumber(b *Batch, row int, text string) {
	e.point++
	e.bare++
	switch {
	case strings.IndexByte(text, '.') < 0:
		e.comma++
	case oneGroup(text):
		e.comma++
		e.doubtful.add(b, row, text)
	default:
		e.onlyPoint.add(b, row, text)
	}
}

// addPlain adds a number that is not text, as in JSON and workbooks.
func (e *evidence) addPlain() {
	e.point++
	e.comma++
	e.bare++
}

// oneGroup reports whether the point of a number that ParseNumber reads could separate thousands.
func oneGroup(text string) bool {
	_, text = cutSign(trim(text))
	n := digits(text)
	return 1 <= n && n <= 3 && text[0] != '0' && len(text) == n+4 && text[n] == '.' &&
		digits(text[n+1:]) == 3
}

// addText adds any other cell.
func (e *evidence) addText(b *Batch, row int, text string) {
	if c := readAmount(text); c.point || c.comma {
		e.odd.add(b, row, text)
		e.count(c)
		switch {
		case !c.comma:
			e.onlyPoint.add(b, row, text)
		case !c.point:
			e.onlyComma.add(b, row, text)
		}
		if c.differ {
			e.doubtful.add(b, row, text)
		}
		return
	}
	x, day, first := dayFirst.parse(text)
	y, date, second := monthFirst.parse(text)
	if !first && !second {
		e.unread.add(b, row, text)
		return
	}
	e.odd.add(b, row, text)
	e.dated++
	e.clock = e.clock || !day && !date
	if first {
		e.dayFirst++
	}
	if second {
		e.monthFirst++
	}
	if first && second && x != y {
		e.doubtful.add(b, row, text)
	}
}

// count adds a number.
func (e *evidence) count(c numberCell) {
	if c.point {
		e.point++
	}
	if c.comma {
		e.comma++
	}
	if c.unit == "" {
		e.bare++
		return
	}
	for _, unit := range e.units {
		if unit == c.unit {
			return
		}
	}
	if len(e.units) < ground.MaxListed {
		e.units = append(e.units, c.unit)
	}
}

// decimal returns the decimal sign of a column with this many cells, or 0 if the sign is in doubt
// or the cells are not numbers.
func (e *evidence) decimal(present int) byte {
	switch point, comma := e.point == present, e.comma == present; {
	case point && !comma:
		return '.'
	case comma && !point:
		return ','
	}
	return 0
}

// days returns the order of dates likewise.
func (e *evidence) days(present int) dayOrder {
	switch first, second := e.dayFirst == present, e.monthFirst == present; {
	case first && !second:
		return dayFirst
	case second && !first:
		return monthFirst
	}
	return ""
}

// told returns the value that all columns without doubt share, or the zero value if they differ.
func told[T comparable](values []T) T {
	var none, first T
	for _, v := range values {
		switch {
		case v == none:
		case first == none:
			first = v
		case v != first:
			return none
		}
	}
	return first
}
