package tabular

import (
	"math"
	"strings"
)

// columnScan is what the cells of a whole column are.
type columnScan struct {
	class            class
	raw              bool // of a text file
	present, missing int
	// How many present cells of a text column are of each sort.
	numbers, bools, dates, times int
	evidence                     evidence // of a text file
	// wrong are the cells that are not numbers, infinite those that are not finite.
	wrong, infinite wrongCells
	zeros           wrongCells // numbers that look like codes, of a text file
	largest         float64    // magnitude of the largest number
}

// add takes the cells of a batch in.
func (c *columnScan) add(b *Batch, v tableView) {
	c.class, c.raw = v.class, v.raw
	for i := range v.n {
		if v.missing(i) {
			c.missing++
			continue
		}
		c.present++
		switch v.class {
		case classText:
			c.addText(b, i, v.text(i), v.isNumber(i))
		case classNumber:
			x := v.num(i)
			if math.IsInf(x, 0) {
				c.infinite.add(b, i, v.text(i))
			}
			c.largest = max(c.largest, math.Abs(x))
		}
	}
}

// addText takes a text cell in; number tells one that the file holds as a number.
func (c *columnScan) addText(b *Batch, row int, text string, number bool) {
	if x, err := ParseNumber(text); err == nil {
		c.numbers++
		if number {
			c.evidence.addPlain()
		} else {
			c.evidence.addNumber(b, row, text)
			if zeroLed(text) {
				c.zeros.add(b, row, text)
			}
		}
		c.largest = max(c.largest, math.Abs(x))
		return
	}
	c.wrong.add(b, row, text)
	if _, ok := parseBool(text); ok {
		c.bools++
	} else if _, date, ok := parseTime(text); ok && date {
		c.dates++
	} else if ok {
		c.times++
	} else if c.raw {
		c.evidence.addText(b, row, text)
	}
}

// zeroLed tells a whole number that is written with zeros in front, such as 007: most are codes,
// while 07 may be an hour.
func zeroLed(number string) bool {
	return len(number) > 2 && number[0] == '0' && strings.Trim(number, "0123456789") == ""
}

// readable tells a column of a text file that has cells.
func (c *columnScan) readable() bool { return c.raw && c.class == classText && c.present > 0 }

// numeric is how many cells are numbers, in the form that makes the most of them numbers.
func (c *columnScan) numeric() int {
	return max(c.numbers, c.evidence.point, c.evidence.comma)
}

// dated is how many cells are dates or times, likewise.
func (c *columnScan) dated() int {
	return max(c.dates+c.times, c.evidence.dayFirst, c.evidence.monthFirst)
}

// notNumbers are the cells that are no numbers in any form, or if there are none, by ParseNumber.
func (c *columnScan) notNumbers() *wrongCells {
	if c.numeric() > c.numbers && c.evidence.unread.n > 0 {
		return &c.evidence.unread
	}
	return &c.wrong
}

// kind is the kind of the column, overrides not considered.
func (c *columnScan) kind() Kind {
	if c.present == 0 {
		return Empty
	}
	switch c.class {
	case classNumber:
		return Numeric
	case classBool:
		return Boolean
	case classDate:
		return Date
	case classTime:
		return Timestamp
	}
	switch {
	case !c.raw:
		return Categorical
	case c.numbers == c.present:
		return Numeric
	case c.bools == c.present:
		return Boolean
	case c.dates == c.present:
		return Date
	case c.dates+c.times == c.present:
		return Timestamp
	}
	return Categorical
}
