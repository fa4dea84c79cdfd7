package tabular

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
	"github.com/pfnamp/pfnamp/tabular/internal/spelling"
)

func (l *learner) notes(c *Column, scan *columnScan) {
	levels := len(c.Categories)
	asked := slices.Contains(l.opt.Categorical, c.Name)
	wrong := scan.notNumbers()
	_, timed := c.Type.(arrow.TemporalWithUnit)
	switch {
	case c.written.Days != "":
		l.noteDays(c, scan)
	case c.Kind == Date:
		l.describe(c.Name, "holds dates: they become days since 1970-01-01")
	case c.Kind == Timestamp:
		l.describe(c.Name, "holds times: they become seconds since 1970-01-01 UTC")
	case c.Kind == Numeric && timed:
		l.describe(c.Name, "holds times of day or durations: they become seconds")
	case c.Kind == Numeric && slices.Contains(l.opt.Numeric, c.Name):
	case c.Kind == Numeric && scan.zeros.n > 0:
		l.note(c.Name, zeroLedNote, scan.zeros.place(), OptionCategorical, columnValue(c.Name))
	case c.Kind == Numeric && scan.largest > largeNumber:
		l.note(c.Name, "holds numbers up to %.3g in magnitude", scan.largest)
	case c.Kind == Categorical && !asked && scan.allNumbers():
		l.note(c.Name, "is text and therefore categorical, though every value is a number: "+
			"read it as numbers with %s %s", OptionNumeric, columnValue(c.Name))
	case c.Kind == Categorical && !asked && 2*scan.numeric() >= scan.present && wrong.n > 0:
		l.note(c.Name, notNumbersNote, wrong.n, scan.present, wrong.place(), OptionNumeric,
			columnValue(c.Name), OptionNA)
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
	others := slices.DeleteFunc(slices.Clone(c.Categories), func(text string) bool {
		_, truth := spelling.ParseTruth(text)
		return truth
	})
	if n := len(others); c.Kind == Categorical && !asked && 0 < n && n < levels {
		l.note(c.Name, "is categorical: beside true and false it has %s: write them alike, or keep the "+
			"texts with %s %s", listed(others), OptionCategorical, columnValue(c.Name))
	}
	if signs := &scan.evidence.signs; scan.signed {
		l.note(c.Name, "has %s without a value: %s; %s %s keeps the texts",
			ground.Count(signs.n, "cell"), listed(signs.texts), OptionCategorical,
			columnValue(c.Name))
	}
	switch {
	case c.Kind != Categorical || asked:
	case levels == scan.present && 2*c.Missing > int(l.train.Rows):
		l.note(c.Name, "has %d texts in one row each, and no value in the other rows: if an empty cell "+
			"means the text above, fill it in; otherwise keep it with %s %s", levels, OptionCategorical,
			columnValue(c.Name))
	case levels > manyCategories && 2*levels > int(l.train.Rows):
		l.note(c.Name, "has %d different texts in %d rows: if they are names or identifiers, "+
			"leave the column out with %s %s", levels, l.train.Rows, OptionIgnore, columnValue(c.Name))
	case levels > tooMany:
		l.note(c.Name, "has %d categories", levels)
	}
	if twins := labelTwins(c.Categories); twins != "" && c.Kind == Categorical && !asked {
		l.note(c.Name, "has categories that differ only by case or spaces: %s; write them alike, or "+
			"keep them apart with %s %s", twins, OptionCategorical, columnValue(c.Name))
	}
}

// zeroLedNote is the note on numbers that look like codes.
const zeroLedNote = "holds numbers with leading zeros, the first is %s: if they are codes, %s " +
	"%s keeps them as text"

// formNote is a note on columns whose numbers are written in the same way.
type formNote struct {
	what    string // how they are written
	settled bool   // other columns settled it
	option  Option // changes it
	columns []string
	example string // a cell of the first column, its value and its place
}

// noteForm remembers the unusual forms of a column, unless an option asked for them.
func (l *learner) noteForm(f *found, form spelling.Form) {
	e := &f.scan.evidence
	settled := e.doubtful.n > 0 && l.train.decimal == 0 && e.decimal(f.scan.present) == 0
	cells := &e.doubtful
	if cells.n == 0 {
		cells = &e.odd
	}
	note := formNote{settled: settled}
	switch {
	case form.Unit == spelling.Percent:
		note.what = "as percentages"
	case spelling.IsMeasure(form.Unit):
		note.what, note.option = "with the unit "+form.Unit, OptionCategorical
	case form.Unit != "":
		note.what = "as amounts in " + form.Unit
	case l.train.decimal != 0:
	case form.Decimal == ',':
		note.what, note.option = "with decimal commas", OptionDecimal
	case e.doubtful.n > 0 || e.grouped.n > 0:
		note.what, note.option = "with grouped digits", OptionDecimal
		if e.doubtful.n == 0 {
			cells = &e.grouped
		}
	}
	if note.what != "" {
		l.addForm(f, form, cells, note)
	}
	for i, s := range spelling.Spellings {
		l.addForm(f, form, &e.spelled[i], formNote{what: s.Name, option: OptionCategorical})
	}
}

// addForm adds the note, if there are such cells, or the column to a note that says the same.
func (l *learner) addForm(f *found, form spelling.Form, cells *wrongCells, note formNote) {
	if cells.n == 0 {
		return
	}
	x, err := form.Number(cells.texts[0])
	if err != nil {
		return
	}
	i := slices.IndexFunc(l.forms, func(n formNote) bool {
		return n.what == note.what && n.settled == note.settled
	})
	if i < 0 {
		i = len(l.forms)
		note.example = fmt.Sprintf("%s is read as %s", cells.place(), spelling.FormatNumber(x, 64))
		l.forms = append(l.forms, note)
	}
	l.forms[i].columns = append(l.forms[i].columns, f.Name)
}

// noteForms adds the notes on columns with unusual forms.
func (l *learner) noteForms() {
	for _, n := range l.forms {
		columns := []string{"column ", "columns "}[min(len(n.columns)-1, 1)] + listed(n.columns)
		format, args := "%s: numbers are written %s: %s", []any{columns, n.what, n.example}
		if n.settled {
			format += ", as in other columns"
		}
		switch n.option {
		case OptionDecimal:
			format, args = format+" (%s changes the decimal sign)", append(args, n.option)
		case OptionCategorical:
			format += " (%s %s keeps the texts)"
			args = append(args, n.option, columnValues(n.columns))
		}
		l.add(ground.Advice{Format: format, Args: args})
	}
}

// noteDays notes how dates are read that are not ISO 8601.
func (l *learner) noteDays(c *Column, scan *columnScan) {
	cells := &scan.evidence.doubtful
	if cells.n == 0 {
		cells = &scan.evidence.odd
	}
	days, _, _ := c.written.Days.Parse(cells.texts[0])
	units := map[Kind]string{Date: "days since 1970-01-01", Timestamp: "seconds since 1970-01-01 UTC"}
	order := ""
	if scan.evidence.days() != "" || scan.evidence.doubtful.n > 0 {
		order = " with the " + c.written.Days.Words()
	}
	l.note(c.Name, "holds dates%s: %s is %s; they become %s", order, cells.place(),
		spelling.FormatDayOf(days), units[c.Kind])
}

const notNumbersNote = "is categorical: %d of %d values are not numbers, the first is %s; " +
	"require numbers with %s %s, list missing values with %s"

// mixed returns an error for a text column if at least half of its different values are numbers, or
// dates, and the others are not. It notes a column of few numbers beside words, or limits such as
// 5+, that come again or are most cells.
func (l *learner) mixed(c *Column, scan *columnScan) error {
	if c.Kind != Categorical || !scan.readable() || slices.Contains(l.opt.Categorical, c.Name) ||
		scan.numeric() == 0 && scan.dated() == 0 || scan.notNumbers().n == 0 {
		return nil
	}
	numbers, dates, words, values := 0, 0, 0, len(c.Categories)
	for _, text := range c.Categories {
		_, _, date := DayFirst.Time(text)
		amount := spelling.ReadAmount(text)
		switch {
		case scan.signed && spelling.IsMissingSign(text):
			values--
		case spelling.IsNumber(spelling.Trim(text)),
			(amount.Point || amount.Comma) && !spelling.IsMeasure(amount.Unit):
			numbers++
		case date:
			dates++
		case !strings.ContainsFunc(text, unicode.IsDigit), strings.ContainsAny(text, "<>≤≥+"):
			words++
		}
	}
	cells, what := scan.notNumbers(), "numbers"
	most := 2*cells.n > scan.present
	again := !cells.full && cells.n >= levelCells*len(cells.texts) && scan.present >= levelCells*values
	switch {
	case 2*numbers >= values && numbers <= fewNumbers && numbers+words == values && (again || most):
		if most && 2*scan.evidence.resembling.n < scan.present { // notes says the rest
			l.note(c.Name, notNumbersNote, cells.n, scan.present, cells.place(), OptionNumeric,
				columnValue(c.Name), OptionNA)
		}
		return nil
	case 2*numbers >= values:
	case 2*dates >= values && scan.evidence.unread.n > 0:
		cells, what = &scan.evidence.unread, "dates"
		cells.first.Msg = quote(cells.texts[0]) + " is not a date, such as 2006-01-02"
	default:
		return nil
	}
	e := cells.error(c.Name)
	advice := "the other cells are " + what + ": correct these"
	switch {
	case e.Hint != "":
		return e
	case cells.full:
		return asText(e, c.Name, advice)
	}
	return asText(e, c.Name, advice+", or list them as missing values with %s %s", OptionNA,
		columnValues(cells.texts))
}

// refuseNoted returns the first note on the file, or on a column that may not be what it seems, as
// an error if the options are strict.
func (l *learner) refuseNoted() error {
	if !l.opt.Strict {
		return nil
	}
	for _, note := range l.train.Notes {
		return Noted(l.train.File, note, "")
	}
	for _, note := range l.s.advice {
		if !note.Accepted {
			e := &Error{File: l.train.File, Msg: "some cells are not what they seem"}
			return e.Advise(note.Format+"; without %s this is a note", append(note.Args, OptionStrict)...)
		}
	}
	return nil
}

// Noted returns a note on a training table as an error, for options that refuse what is noted. One
// of the options to accept ends the note, with the column as its value unless that is "".
func Noted(file, note, column string, accept ...Option) *Error {
	e := &Error{File: file, Msg: note}
	format, args := "", []any{}
	for i, option := range accept {
		format += []string{"add ", " or "}[min(i, 1)] + "%s"
		if args = append(args, option); column != "" {
			format, args = format+" %s", append(args, columnValue(column))
		}
	}
	return e.Advise(format+"; without %s this is a note", append(args, OptionStrict)...)
}
