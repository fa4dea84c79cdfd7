package tabular

import (
	"slices"
	"strings"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// notes adds notes about a column.
func (l *learner) notes(c *Column, scan *columnScan) {
	levels := len(c.Categories)
	asked := slices.Contains(l.opt.Categorical, c.Name)
	wrong := scan.notNumbers()
	switch {
	case c.written.days != "":
		l.noteDays(c, scan)
	case c.Kind == Date:
		l.describe(c.Name, "holds dates: they become days since 1970-01-01")
	case c.Kind == Timestamp:
		l.describe(c.Name, "holds times: they become seconds since 1970-01-01 UTC")
	case c.Kind == Numeric && slices.Contains(l.opt.Numeric, c.Name):
	case c.Kind == Numeric && scan.zeros.n > 0:
		l.note(c.Name, zeroLedNote, scan.zeros.place(), OptionCategorical, columnValue(c.Name))
	case c.Kind == Numeric && scan.largest > largeNumber:
		l.note(c.Name, "holds numbers up to %.3g in magnitude", scan.largest)
	case c.Kind == Categorical && !asked && scan.allNumbers():
		l.note(c.Name, "is text and therefore categorical, though every value is a number: "+
			"read it as numbers with %s", OptionNumeric)
	case c.Kind == Categorical && !asked && 2*scan.numeric() >= scan.present && wrong.n > 0:
		l.note(c.Name, "is categorical: %d of %d values are not numbers, the first is %s; "+
			"require numbers with %s, list missing values with %s",
			wrong.n, scan.present, wrong.place(), OptionNumeric, OptionNA)
	case c.Kind == Categorical && !asked && scan.dated() == scan.present:
		l.note(c.Name, "is text and therefore categorical, though every value is a date or time")
	case c.Kind == Categorical && !asked && 2*scan.dated() >= scan.present:
		l.note(c.Name, "is categorical: %d of %d values are not dates or times",
			scan.present-scan.dated(), scan.present)
	case c.Kind == Categorical && !asked && 2*scan.evidence.resembling.n >= scan.present:
		l.note(c.Name, "is categorical, though its values look like numbers or dates, the first is %s: "+
			"write numbers as 1234.5 and dates as 2006-01-02, or settle it with %s %s",
			scan.evidence.resembling.place(), OptionCategorical, columnValue(c.Name))
	}
	others := slices.DeleteFunc(slices.Clone(c.Categories), isTruth)
	if n := len(others); c.Kind == Categorical && !asked && 0 < n && n < levels {
		l.note(c.Name, "is categorical: beside true and false it has %s: write them alike, or keep the "+
			"texts with %s %s", listed(firstOf(others)), OptionCategorical, columnValue(c.Name))
	}
	if signs := &scan.evidence.signs; scan.signed {
		l.note(c.Name, "has %s without a value: %s; %s %s keeps the texts",
			ground.Count(signs.n, "cell"), listed(signs.texts), OptionCategorical,
			columnValue(c.Name))
	}
	switch {
	case c.Kind != Categorical || asked:
	case levels > manyCategories && 2*levels > int(l.train.Rows):
		l.note(c.Name, "has %d different texts in %d rows: if they are names or identifiers, "+
			"leave the column out with %s", levels, l.train.Rows, OptionIgnore)
	case levels > tooMany:
		l.note(c.Name, "has %d categories", levels)
	}
	if twins := labelTwins(c.Categories); twins != nil && c.Kind == Categorical && !asked {
		l.note(c.Name, "has categories that differ only by case or spaces: %s; write them alike, or "+
			"keep them apart with %s %s", strings.Join(firstOf(twins), ", "), OptionCategorical,
			columnValue(c.Name))
	}
}

// isTruth reports whether a text is true or false, in any case.
func isTruth(text string) bool {
	return strings.EqualFold(text, "true") || strings.EqualFold(text, "false")
}

// zeroLedNote is the note on numbers that look like codes.
const zeroLedNote = "holds numbers with leading zeros, the first is %s: if they are codes, %s " +
	"%s keeps them as text"
