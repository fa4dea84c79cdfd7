package tabular

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
	"github.com/pfnamp/pfnamp/tabular/internal/spelling"
)

// Thresholds of notes.
const (
	manyCategories = 40    // categories of a column with mostly different values
	fewNumbers     = 12    // different numbers of a column in which other texts are no faults
	levelCells     = 3     // cells per different value of such a column, and per other text
	tooMany        = 1000  // categories of any column
	largeNumber    = 1e300 // magnitude of a number
)

// Learn infers the columns' kinds from a training table. A column of a text file is
//
//   - empty if every cell is missing,
//   - numeric if every other cell is a number for ParseNumber, or a number with a decimal comma,
//     with grouped digits (1 200, 1,200, 12,34,567), a percentage, an amount in one currency, with
//     a unit that all cells have (5 kg), or in a spelling that means one thing only (−5, 5-, (5)),
//   - boolean if every other cell is true or false in any case,
//   - a date if every other cell is an ISO 8601 date, a date with the name of a month, or one like
//     31.12.2019 or 12/31/19, all with the day or all with the month first; a timestamp if one has
//     a time of day,
//   - categorical otherwise. But if at least half of its different values are numbers, or dates,
//     the others are an *Error, unless SchemaOptions.Categorical names it, or they are words, or
//     limits such as 5+, that come again beside at most 12 numbers, or are most cells.
//
// Beside numbers, dates and truth values, usual signs of missing values, such as ?, - and #DIV/0!,
// are missing cells.
//
// Schema.Notes report how unusual columns were read. If a cell can be read in two ways, such as
// 1,234 or 01/02/2019, other cells of the column decide, then other columns if they agree. If
// nothing decides, the column is an *Error, unless SchemaOptions.Categorical names it.
//
// Identifiers are not features unless SchemaOptions.KeepFeatures, Numeric or Categorical names
// them: texts that differ in every row, whole numbers that differ in every row although chance
// would repeat some, and the index that pandas saves ("Unnamed: 0" or "__index_level_0__").
//
// In a columnar file, the type decides: integers, floats, decimals, and times of day and durations
// in seconds are numeric, text and dictionaries categorical. Nested and binary types are an *Error
// unless the column is ignored. The whole column decides, not a sample.
//
// Learn fails with an *Error if the options name a column that does not exist; the error lists the
// nearest names. It also fails if the table has no rows or no features, or if the target is not a
// finite number in every row (with SchemaOptions.Labels: a label).
func Learn(train *Table, opt SchemaOptions) (*Schema, error) {
	l := learner{train: train, opt: opt}
	l.s = &Schema{
		File:       train.File,
		Rows:       train.Rows,
		TargetName: opt.Target,
		Kept:       slices.Clone(opt.Keep),
		strict:     opt.Strict,
		na:         cmp.Or(train.na, newNA(nil)),
	}
	if err := l.check(); err != nil {
		return nil, err
	}
	for at, name := range train.Names() {
		switch {
		case name == opt.Target:
		case slices.Contains(opt.Ignore, name):
			l.s.Ignored = append(l.s.Ignored, name)
		case slices.Contains(rowNames, name) && !opt.keeps(name):
			l.leaveOut(name, "it looks like row names")
		default:
			f := &found{Column: Column{Name: name, Type: train.Schema.Field(at).Type,
				clock: new(arrow.TimestampType)}}
			if e, unread := errors.AsType[*Error](l.look(f, at)); unread {
				l.unread = append(l.unread, e)
			} else {
				l.found = append(l.found, f)
			}
		}
	}
	if len(l.unread) > 0 {
		return nil, unsupportedColumns(l.unread)
	}
	if err := l.learnAll(); err != nil {
		return nil, err
	}
	if len(l.s.Columns) == 0 {
		return nil, l.noFeatures()
	}
	if err := l.target(); err != nil {
		return nil, err
	}
	return l.s, l.refuseNoted()
}

type learner struct {
	train  *Table
	opt    SchemaOptions
	s      *Schema
	found  []*found      // features
	unread []*Error      // columns with unsupported types
	left   []left        // columns that look like identifiers
	told   spelling.Form // the form that unambiguous columns share
	forms  []formNote
}

// check refuses options that do not fit the table, and a table without rows.
func (l *learner) check() error {
	names := l.train.Names()
	opt := l.opt
	if opt.RequireTarget && opt.Target == "" {
		return &Error{
			File: l.train.File,
			Msg:  "the target column is not set",
			Hint: "the columns are " + listed(names),
		}
	}
	asked := slices.Concat(opt.Ignore, opt.Categorical, opt.Numeric, opt.KeepFeatures)
	if opt.Target != "" {
		asked = slices.Insert(asked, 0, opt.Target)
	}
	for _, name := range asked {
		if !slices.Contains(names, name) {
			return NoColumn(l.train.File, name, names)
		}
	}
	clash := func(name, a, b string) error {
		msg := fmt.Sprintf("the column cannot be both %s and %s", a, b)
		return &Error{File: l.train.File, Column: name, Msg: msg, Hint: "drop one of the two"}
	}
	for _, name := range opt.Categorical {
		if slices.Contains(opt.Numeric, name) {
			return clash(name, "categorical", "numeric")
		}
	}
	if opt.Target != "" && slices.Contains(opt.Ignore, opt.Target) {
		return clash(opt.Target, "the target", "ignored")
	}
	if opt.Target != "" && slices.Contains(opt.Categorical, opt.Target) && !opt.Labels {
		return clash(opt.Target, "the target of a regression", "categorical")
	}
	if l.train.Rows == 0 {
		return &Error{File: l.train.File, Msg: "the table has no data rows",
			Hint: "add rows below the names of the columns"}
	}
	return nil
}

// target checks the target of the whole table.
func (l *learner) target() error {
	if l.opt.Target == "" {
		return nil
	}
	if l.opt.Labels {
		return l.labels()
	}
	_, err := l.s.targets(l.train.Batches...)
	return err
}

// note adds a note on a column that may not be what it seems, which SchemaOptions.Strict refuses.
func (l *learner) note(column, format string, args ...any) {
	l.add(ground.Advice{Format: "column %q " + format, Args: slices.Insert(args, 0, any(column))})
}

// describe adds a note on how a column is read that can mean one thing only.
func (l *learner) describe(column, format string, args ...any) {
	l.add(ground.Advice{Format: "column %q " + format, Args: slices.Insert(args, 0, any(column)),
		Accepted: true})
}

func (l *learner) add(note ground.Advice) {
	l.s.Notes = append(l.s.Notes, note.String())
	l.s.advice = append(l.s.advice, note)
}

// look scans the column at a position.
func (l *learner) look(f *found, at int) error {
	f.views = make([]tableView, len(l.train.Batches))
	for i, b := range l.train.Batches {
		view, err := l.s.view(b, at)
		if err != nil {
			return err
		}
		view.raw = view.raw || slices.Contains(l.opt.Numeric, f.Name)
		view.feature = f.Name != l.opt.Target
		f.views[i] = view
		f.scan.add(b, view)
	}
	f.scan.evidence.settle()
	if f.Name != l.opt.Target {
		f.scan.settle(slices.Contains(l.opt.Numeric, f.Name))
	}
	return nil
}

// learnAll learns the features that were found, and the form of the target.
func (l *learner) learnAll() error {
	target, err := l.tell()
	if err != nil {
		return err
	}
	for _, f := range l.found {
		if err := l.learn(f); err != nil {
			return err
		}
	}
	l.identified()
	if target != nil {
		form, err := l.form(target)
		if err != nil {
			return err
		}
		l.s.written = spelling.Form{Decimal: form.Decimal, Unit: form.Unit}
		c, values := Column{Name: target.Name, written: form}, []float64(nil)
		for _, x := range target.values(&c) {
			values = append(values, x)
		}
		l.noteFar(&c, target, values)
	}
	l.noteForms()
	return nil
}

func (l *learner) learn(f *found) error {
	c, scan := f.Column, &f.scan
	c.Missing = scan.missing
	c.Kind = scan.kind()
	var err error
	if c.written, err = l.form(f); err != nil {
		return err
	}
	switch {
	case c.written.Decimal != 0:
		c.Kind, scan.wrong = Numeric, wrongCells{}
	case c.written.Days != "" && (scan.evidence.clock || scan.times > 0):
		c.Kind = Timestamp
	case c.written.Days != "":
		c.Kind = Date
	case c.Kind == Empty:
		l.note(c.Name, "has no value in any row: it carries no information")
	case slices.Contains(l.opt.Categorical, c.Name):
		c.Kind = Categorical
	case slices.Contains(l.opt.Numeric, c.Name) && c.Kind.categorical():
		c.Kind = Numeric
	}
	if err := l.refuse(&c, scan); err != nil {
		return err
	}
	if c.Kind.categorical() {
		c.Categories = labelTexts(Categorical, f.views)
		if c.Kind == Boolean && strings.ToLower(strings.Join(c.Categories, " ")) != "false true" {
			c.Categories = []string{"false", "true"}
		}
		c.number = c.Kind == Categorical && scan.class == Categorical && scan.wrong.n == 0 &&
			scan.evidence.signs.n == 0
		if err := l.mixed(&c, scan); err != nil {
			return err
		}
	}
	if why := l.identifies(&c, f); why != "" {
		l.left = append(l.left, left{&c, f, why})
		return nil
	}
	l.accept(&c, f)
	return nil
}

// accept makes a column a feature.
func (l *learner) accept(c *Column, f *found) {
	l.notes(c, &f.scan)
	if c.Kind == Date || c.Kind == Timestamp { // query tables may not write them in ISO 8601
		c.written.Days = cmp.Or(c.written.Days, l.opt.Dates.order())
		l.clockOf(c, f)
		l.calendarOf(c, f)
	}
	if c.Kind.categorical() {
		c.index()
	} else {
		l.measure(c, f)
	}
	l.s.Columns = append(l.s.Columns, *c)
}

// refuse returns an error if the cells of a column do not fit its kind.
func (l *learner) refuse(c *Column, scan *columnScan) error {
	switch {
	case scan.finiteButFor() && !slices.Contains(l.opt.Categorical, c.Name):
		e := scan.infinite.error(c.Name)
		e.Hint = "write finite numbers, and null for a missing value"
		if scan.class == Categorical {
			asText(e, c.Name, "the other cells are numbers: write a finite number or an empty cell, or "+
				"list missing values with %s", OptionNA)
		}
		return e
	case c.Kind == Numeric && scan.wrong.n > 0:
		e := scan.notNumbers().error(c.Name)
		return e.Advise("drop %s for this column, or list missing values with %s", OptionNumeric,
			OptionNA)
	}
	return nil
}
