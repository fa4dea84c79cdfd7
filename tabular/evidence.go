package tabular

import (
	"strings"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// evidence is what the cells of a text column tell about how its numbers and dates are written.
type evidence struct {
	// How many cells are numbers if the decimal sign is a point, or a comma; how many of them have
	// no unit; and the different units, the first few.
	point, comma, bare int
	units              []string
	// How many cells are dates day first, month first, either.
	dayFirst, monthFirst, dated int
	clock                       bool // a date has a time of day

	// cells that ParseNumber and parseTime do not read; read in two ways
	odd, doubtful        wrongCells
	onlyPoint, onlyComma wrongCells // that are numbers by one decimal sign only
	unread               wrongCells // that are neither numbers nor dates
}

// addNumber takes in a cell that ParseNumber reads.
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

// addPlain takes in a number that is not written in any way, as those of JSON and of workbooks.
func (e *evidence) addPlain() {
	e.point++
	e.comma++
	e.bare++
}

// oneGroup tells whether the point of a number by ParseNumber could be one between thousands.
func oneGroup(text string) bool {
	_, text = cutSign(trim(text))
	n := digits(text)
	return 1 <= n && n <= 3 && text[0] != '0' && len(text) == n+4 && text[n] == '.' &&
		digits(text[n+1:]) == 3
}

// addText takes in another cell.
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

// count takes in a number.
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

// decimal is the decimal sign that the numbers of a column of so many cells leave no doubt about, 0
// where they do, or are no numbers.
func (e *evidence) decimal(present int) byte {
	switch point, comma := e.point == present, e.comma == present; {
	case point && !comma:
		return '.'
	case comma && !point:
		return ','
	}
	return 0
}

// days is the order of dates likewise.
func (e *evidence) days(present int) dayOrder {
	switch first, second := e.dayFirst == present, e.monthFirst == present; {
	case first && !second:
		return dayFirst
	case second && !first:
		return monthFirst
	}
	return ""
}

// told is what columns without a doubt tell about the others: their value if all have the same one,
// else the zero value.
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
