package tabular

import (
	"fmt"
	"slices"
	"strings"
)

// formNote is a note on columns whose numbers are written in the same way.
type formNote struct {
	form    written
	settled bool // other columns settled it
	columns []string
	example string // a cell of the first column, its value and its place
}

// noteForm remembers a column with an unusual form, unless an option asked for this form.
func (l *learner) noteForm(f *found, form written) {
	cells := &f.scan.evidence.doubtful
	if cells.n == 0 {
		cells = &f.scan.evidence.odd
	}
	if cells.n == 0 || l.train.decimal != 0 && form.unit == "" {
		return
	}
	x, err := form.number(cells.texts[0])
	if err != nil {
		return
	}
	settled := f.scan.evidence.doubtful.n > 0 && l.train.decimal == 0 &&
		f.scan.evidence.decimal(f.scan.present) == 0
	i := slices.IndexFunc(l.forms, func(n formNote) bool {
		return n.form == form && n.settled == settled
	})
	if i < 0 {
		i = len(l.forms)
		l.forms = append(l.forms, formNote{form: form, settled: settled,
			example: fmt.Sprintf("%s is read as %s", cells.place(), formatNumber(x, 64))})
	}
	l.forms[i].columns = append(l.forms[i].columns, f.Name)
}

// noteForms adds the notes on columns with unusual forms.
func (l *learner) noteForms() {
	for _, n := range l.forms {
		columns := "column " + listed(n.columns)
		if len(n.columns) > 1 {
			columns = "columns " + listed(n.columns)
		}
		what := "with grouped digits"
		switch {
		case n.form.unit == percent:
			what = "as percentages"
		case n.form.unit != "":
			what = "as amounts in " + n.form.unit
		case n.form.decimal == ',':
			what = "with decimal commas"
		}
		text := strings.ReplaceAll(fmt.Sprintf("%s: numbers are written %s: %s", columns, what,
			n.example), "%", "%%")
		if n.settled {
			text += ", as in other columns"
		}
		if n.form.unit != "" {
			l.add(advice{format: text})
			continue
		}
		l.add(advice{text + " (%s changes the decimal sign)", []any{OptionDecimal}})
	}
}

// noteDays notes how dates are read that are not ISO 8601.
func (l *learner) noteDays(c *Column, scan *columnScan) {
	cells := &scan.evidence.doubtful
	if cells.n == 0 {
		cells = &scan.evidence.odd
	}
	days, _, _ := c.written.days.parse(cells.texts[0])
	units := map[Kind]string{Date: "days since 1970-01-01", Timestamp: "seconds since 1970-01-01 UTC"}
	l.note(c.Name, "holds dates with the %s: %s is %s; they become %s", c.written.days.words(),
		cells.place(), formatDayOf(days), units[c.Kind])
}
