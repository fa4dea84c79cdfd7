package tabular

import (
	"iter"
	"math"
	"strings"

	"github.com/pfnamp/pfnamp/tabular/internal/spelling"
)

// columnScan summarises the cells of a whole column.
type columnScan struct {
	class            Kind // see cells
	raw              bool // of a text file, or read as numbers on request
	present, missing int
	// Present cells of a text column by sort.
	numbers, bools, dates, times int
	evidence                     evidence // of a text file
	// wrong are the cells that are not numbers, infinite those that are not finite; of a text column
	// these are wrong too.
	wrong, infinite wrongCells
	zeros           wrongCells // numbers that look like codes, of a text file
	largest         float64    // magnitude of the largest number
	signed          bool       // cells with a sign of missing values are missing
}

func (c *columnScan) add(b *Batch, v tableView) {
	c.class, c.raw = v.class, v.raw
	for i := range v.n {
		if v.missing(i) {
			c.missing++
			continue
		}
		c.present++
		switch v.class {
		case Categorical:
			c.addText(b, i, v.text(i), v.isNumber(i))
		case Numeric:
			x := v.num(i)
			if math.IsInf(x, 0) {
				c.infinite.add(b, i, v.text(i))
			}
			c.largest = max(c.largest, math.Abs(x))
		}
	}
}

// addText adds a text cell. number reports that the file holds it as a number.
func (c *columnScan) addText(b *Batch, row int, text string, number bool) {
	if x, err := spelling.ParseNumber(text); err == nil {
		c.numbers++
		c.evidence.addNumber(b, row, text, number)
		if !number && zeroLed(text) {
			c.zeros.add(b, row, text)
		}
		c.largest = max(c.largest, math.Abs(x))
		return
	}
	if spelling.IsMissingSign(text) {
		c.evidence.signs.add(b, row, text)
		return
	}
	c.wrong.add(b, row, text)
	if spelling.IsInfinite(text) {
		c.infinite.add(b, row, text)
	}
	if _, ok := spelling.ParseTruth(text); ok {
		c.bools++
	} else if _, date, ok := spelling.ParseTime(text); ok && date {
		c.dates++
	} else if ok {
		c.times++
	} else {
		c.evidence.addText(b, row, text)
	}
}

// zeroLed reports whether a whole number has leading zeros and is probably a code, such as 007; 07
// may be an hour.
func zeroLed(number string) bool {
	return len(number) > 2 && number[0] == '0' && number[1] != '.' &&
		strings.Trim(number, "0123456789") == ""
}

// readable reports whether the column is text from a text file and has cells.
func (c *columnScan) readable() bool { return c.raw && c.class == Categorical && c.present > 0 }

// numeric counts the cells that are numbers, in the form with the most numbers.
func (c *columnScan) numeric() int {
	return max(c.numbers, c.evidence.point, c.evidence.comma)
}

// allNumbers reports whether all cells are numbers or signs of missing values.
func (c *columnScan) allNumbers() bool {
	return c.numeric() > 0 && c.numeric()+c.evidence.signs.n == c.present
}

// dated counts the cells that are dates or times, likewise.
func (c *columnScan) dated() int {
	return c.dates + c.times + max(c.evidence.ordered[0], c.evidence.ordered[1],
		c.evidence.ordered[2])
}

// settle decides on signs of missing values: they count if at least half of the other cells are
// numbers, dates or truth values, or if numbers are asked for.
func (c *columnScan) settle(numeric bool) {
	n := c.evidence.signs.n
	if rest := c.present - n; n > 0 && c.raw &&
		(numeric || 2*max(c.numeric(), c.dated(), c.bools) >= rest) {
		c.present, c.missing, c.signed = rest, c.missing+n, true
	}
}

// notNumbers returns the cells that are not numbers in any form; if there are none, the cells that
// ParseNumber refuses.
func (c *columnScan) notNumbers() *wrongCells {
	if c.numeric() > c.numbers && c.evidence.unread.n > 0 {
		return &c.evidence.unread
	}
	return &c.wrong
}

// finiteButFor reports whether all cells are numbers, but for those that are infinite.
func (c *columnScan) finiteButFor() bool {
	n := c.numeric()
	return c.infinite.n > 0 && (c.class == Numeric || c.raw && n > 0 && n+c.infinite.n == c.present)
}

// kind returns the kind of the column, without the options that override it.
func (c *columnScan) kind() Kind {
	switch {
	case c.present == 0:
		return Empty
	case c.class != Categorical || !c.raw:
		return c.class
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

type found struct {
	Column
	views []tableView
	scan  columnScan
}

// values lists the values of a column that is not categorical, by batch and row.
func (f *found) values(c *Column) iter.Seq2[[2]int, float64] {
	return func(yield func([2]int, float64) bool) {
		for k, view := range f.views {
			view.written = c.written
			read, ok := view.numbers(c.Kind)
			for i := 0; ok && i < view.n; i++ {
				if x, state := read(i); state == hasValue && !yield([2]int{k, i}, x) {
					return
				}
			}
		}
	}
}
