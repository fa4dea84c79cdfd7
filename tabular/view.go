package tabular

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
	"github.com/pfnamp/pfnamp/tabular/internal/spelling"
)

// tableView is a column of a batch with the texts that mean a missing value.
type tableView struct {
	cells
	na *naSet
	// raw reports a text file, where the texts of na are missing in every kind of column. In other
	// files only requested texts are missing.
	raw     bool
	typed   []bool        // by row: texts that the file holds as numbers; nil for none
	written spelling.Form // numbers and dates
	feature bool          // missingSigns are missing among numbers
	truths  bool          // of a column of 0 and 1: truth values are numbers
	about   string        // names the column in what is told
	told    *[]string     // collects what is odd about cells, nil for nothing
}

func (s *Schema) view(b *Batch, at int) (tableView, error) {
	column := b.Record.Column(at)
	c, ok := cellsOf(column)
	if !ok {
		e := &Error{File: b.File, Column: b.Record.ColumnName(at),
			Msg: fmt.Sprintf("columns of type %s are not supported", column.DataType())}
		return tableView{}, e.Advise("leave it out with %s %s", OptionIgnore, columnValue(e.Column))
	}
	view := tableView{cells: c, na: s.na, raw: b.Lines != nil}
	if b.Numbers != nil {
		view.typed = b.Numbers[at]
	}
	return view, nil
}

// column finds a column of a batch by its name.
func (s *Schema) column(b *Batch, name string) (tableView, error) {
	at := ground.FieldIndex(b.Record.Schema(), name)
	if at < 0 {
		return tableView{}, NoColumn(b.File, name, ground.FieldNames(b.Record.Schema()))
	}
	return s.view(b, at)
}

// Missing returns a function that reports whether the cell of a row has no value in a column of a
// batch. In columns of unsupported types only null means no value.
func (s *Schema) Missing(b *Batch, name string) func(row int) bool {
	view, err := s.column(b, name)
	if err == nil {
		return view.missing
	}
	at := ground.FieldIndex(b.Record.Schema(), name)
	return func(row int) bool { return at < 0 || b.Record.Column(at).IsNull(row) }
}

// Texts returns a function that reads the cells of a column of a batch as texts; it returns false
// for a missing cell. Texts fails with an *Error if the column does not exist or its type holds no
// plain values.
func (s *Schema) Texts(b *Batch, name string) (func(row int) (string, bool), error) {
	view, err := s.column(b, name)
	if err != nil {
		return nil, err
	}
	return func(row int) (string, bool) {
		if view.missing(row) {
			return "", false
		}
		return view.text(row), true
	}, nil
}

func (s *Schema) target(b *Batch) (tableView, error) {
	view, err := s.column(b, s.TargetName)
	view.written = signed(b, s.written)
	return view, err
}

// signed returns the form of numbers of the training table, with the decimal sign of the batch.
func signed(b *Batch, form spelling.Form) spelling.Form {
	form.Decimal = cmp.Or(b.Decimal, form.Decimal)
	return form
}

// unsupportedColumns returns the error for several features: one option leaves all of them out.
func unsupportedColumns(found []*Error) *Error {
	if len(found) == 1 {
		return found[0]
	}
	var list columnValues
	for _, e := range found {
		list = append(list, e.Column)
	}
	e := &Error{File: found[0].File,
		Msg: fmt.Sprintf("%d columns are of types that are not supported: %s",
			len(found), listed(list))}
	return e.Advise("leave them out with %s %s", OptionIgnore, list)
}

// missing reports whether a cell has no value: it is null, NaN, or one of the texts or numbers that
// mean a missing value.
func (v *tableView) missing(i int) bool {
	switch {
	case v.null(i):
		return true
	case v.class == Categorical:
		return (v.raw || v.na.own) && v.na.has(v.text(i))
	case v.class == Numeric:
		return math.IsNaN(v.num(i)) || v.na.numbers[v.num(i)]
	}
	return false
}

// clock returns the time zone of a cell, "" for none, and whether the cell has a time of day.
func (v *tableView) clock(i int) (zone string, timed bool) {
	if v.class == Timestamp {
		return v.zone, true
	}
	return spelling.Zone(v.text(i))
}

// compareZone notes a time with a zone where the training table has none, and the reverse.
func (v *tableView) compareZone(i int, trained, file string) {
	zone, timed := v.clock(i)
	if timed && (zone == "") != (trained == "") {
		words := "has times with a time zone, but those of %s have none"
		if zone == "" {
			words = "has times without a time zone, but those of %s have one"
		}
		v.tell(fmt.Sprintf(words, file) + ": pfnamp reads times without one as UTC")
	}
}

func (v *tableView) isNumber(i int) bool { return v.typed != nil && v.typed[i] }

func (v *tableView) category(kind Kind, i int) string {
	text := v.text(i)
	if kind == Boolean {
		if value, ok := spelling.ParseTruth(text); ok {
			return fmt.Sprint(value)
		}
	}
	return text
}

// cellState is the result of reading a cell as a number.
type cellState int

const (
	hasValue  cellState = iota
	noValue             // missing
	wrongCell           // neither missing nor a finite number
)

// numbers returns a function that reads cells as numbers of a kind, and false if the type does not
// fit and there is a value.
func (v tableView) numbers(kind Kind) (func(i int) (float64, cellState), bool) {
	scale := 1.0
	switch {
	case v.class == Categorical:
		return func(i int) (float64, cellState) { return v.parse(kind, i) }, true
	case v.class == Empty, kind == v.class, kind == Numeric && v.class == Boolean:
	case kind == Date && v.class == Timestamp:
		scale = 1.0 / spelling.SecondsPerDay
	case kind == Timestamp && v.class == Date:
		scale = spelling.SecondsPerDay
	default:
		for i := range v.n {
			if !v.missing(i) {
				return nil, false
			}
		}
	}
	return func(i int) (float64, cellState) {
		if v.null(i) {
			return math.NaN(), noValue
		}
		x := v.num(i) * scale
		switch {
		case math.IsNaN(x), v.class == Numeric && v.na.numbers[x]:
			return math.NaN(), noValue
		case math.IsInf(x, 0):
			return x, wrongCell
		}
		return x, hasValue
	}, true
}

func (v *tableView) parse(kind Kind, i int) (float64, cellState) {
	if v.null(i) {
		return math.NaN(), noValue
	}
	text := v.text(i)
	if v.na.codes && v.na.has(text) { // -999 is missing, not a number
		return math.NaN(), noValue
	}
	if kind == Numeric && v.isNumber(i) {
		if x, err := spelling.ParseNumber(text); err == nil {
			return x, hasValue
		}
	}
	if kind == Numeric {
		if x, how, err := v.written.Respelled(text); err == nil {
			for i := 0; how>>i != 0 && v.written.Decimal == 0; i++ { // else the training table has them
				if how&(1<<i) != 0 {
					v.tell("holds numbers that are written " + spelling.Spellings[i].Name)
				}
			}
			return x, hasValue
		}
	} else {
		x, _, ok := spelling.ParseTime(text)
		if !ok && v.written.Days != "" {
			x, _, ok = v.written.Days.Parse(text)
		}
		if !ok {
			if x, _, ok = DayOrder("").Parse(text); ok {
				v.tell("holds dates that are not written as 2006-01-02")
			}
		}
		if kind == Date {
			x /= spelling.SecondsPerDay
		}
		if ok {
			return x, hasValue
		}
	}
	return v.parseOther(kind, text)
}

// parseOther reads a text that is neither a number nor a date.
func (v *tableView) parseOther(kind Kind, text string) (float64, cellState) {
	truth, ok := spelling.TruthOf(text)
	switch {
	case v.na.has(text):
	case v.feature && spelling.IsMissingSign(text):
		v.tell("has " + quote(spelling.Trim(text)) + " in cells without a value")
	case ok && v.truths && kind == Numeric:
		v.tell("holds truth values, but 0 and 1 in the training table: they are read as 1 and 0")
		return map[bool]float64{true: 1}[truth], hasValue
	default:
		return math.NaN(), wrongCell
	}
	return math.NaN(), noValue
}

// tell adds a note on the cells, once.
func (v *tableView) tell(note string) {
	if note = v.about + note; v.told != nil && !slices.Contains(*v.told, note) {
		*v.told = append(*v.told, note)
	}
}
