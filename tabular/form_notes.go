package tabular

import (
	"fmt"
	"slices"
)

// formNote is a note on columns whose numbers are written in the same way.
type formNote struct {
	what    string // how they are written
	settled bool   // other columns settled it
	option  Option // changes it
	columns []string
	example string // a cell of the first column, its value and its place
}

// noteForm remembers the unusual forms of a column, unless an option asked for them.
func (l *learner) noteForm(f *found, form written) {
	e := &f.scan.evidence
	settled := e.doubtful.n > 0 && l.train.decimal == 0 && e.decimal(f.scan.present) == 0
	cells := &e.doubtful
	if cells.n == 0 {
		cells = &e.odd
	}
	switch {
	case form.unit == percent:
		l.addForm(f, form, cells, formNote{what: "as percentages", settled: settled})
	case isMeasure(form.unit):
		l.addForm(f, form, cells, formNote{what: "with the unit " + form.unit, settled: settled,
			option: OptionCategorical})
	case form.unit != "":
		l.addForm(f, form, cells, formNote{what: "as amounts in " + form.unit, settled: settled})
	case l.train.decimal != 0:
	case form.decimal == ',':
		l.addForm(f, form, cells, formNote{what: "with decimal commas", settled: settled,
			option: OptionDecimal})
	case e.doubtful.n > 0 || e.grouped.n > 0:
		if e.doubtful.n == 0 {
			cells = &e.grouped
		}
		l.addForm(f, form, cells, formNote{what: "with grouped digits", settled: settled,
			option: OptionDecimal})
	}
	for i, s := range spellings {
		l.addForm(f, form, &e.spelled[i], formNote{what: s.name, option: OptionCategorical})
	}
}

// addForm adds the note, if there are such cells, or the column to a note that says the same.
func (l *learner) addForm(f *found, form written, cells *wrongCells, note formNote) {
	if cells.n == 0 {
		return
	}
	x, err := form.number(cells.texts[0])
	if err != nil {
		return
	}
	i := slices.IndexFunc(l.forms, func(n formNote) bool {
		return n.what == note.what && n.settled == note.settled
	})
	if i < 0 {
		i = len(l.forms)
		note.example = fmt.Sprintf("%s is read as %s", cells.place(), formatNumber(x, 64))
		l.forms = append(l.forms, note)
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
		l.add(advice{format: format, args: args})
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
	order := ""
	if scan.evidence.days() != "" || scan.evidence.doubtful.n > 0 {
		order = " with the " + c.written.days.words()
	}
	l.note(c.Name, "holds dates%s: %s is %s; they become %s", order, cells.place(),
		formatDayOf(days), units[c.Kind])
}
