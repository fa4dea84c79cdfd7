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
	// How many present cells of a text column are of each sort; commas are numbers but for a
	// comma in the place of the point.
	numbers, commas, bools, dates, times int
	// wrong are the cells that are not numbers, infinite those that are not finite.
	wrong, infinite wrongCells
	largest         float64 // magnitude of the largest number
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
			c.addText(b, i, v.text(i))
		case classNumber:
			x := v.num(i)
			if math.IsInf(x, 0) {
				c.infinite.add(b, i, v.text(i))
			}
			c.largest = max(c.largest, math.Abs(x))
		}
	}
}

// addText takes a text cell in.
func (c *columnScan) addText(b *Batch, row int, text string) {
	if x, err := ParseNumber(text); err == nil {
		c.numbers++
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
	} else if strings.Contains(text, ",") && isNumber(strings.Replace(text, ",", ".", 1)) {
		c.commas++
	}
}

// decimalCommas reports whether every cell of a text file's column is a number or would be one
// if a comma were a point.
func (c *columnScan) decimalCommas() bool {
	return c.raw && c.commas > 0 && c.numbers+c.commas == c.present
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
