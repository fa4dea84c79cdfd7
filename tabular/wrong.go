package tabular

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
	"github.com/pfnamp/pfnamp/tabular/internal/spelling"
)

// wrongCells collects invalid cells of a column.
type wrongCells struct {
	kind  Kind
	n     int
	first *Error   // points at the first one
	texts []string // the first few different ones
	full  bool     // there are more
}

func (w *wrongCells) add(b *Batch, row int, text string) {
	if w.n++; w.n == 1 {
		w.first = b.ErrorAt(row, "", "%s is not a %s", quote(text), w.what(text))
		if remark.MatchString(text) && alone(b, row) {
			w.first.Msg += "; its row has no other cell: if it is a remark, remove it"
		}
	}
	if w.full || slices.Contains(w.texts, text) {
		return
	}
	if w.full = len(w.texts) == ground.MaxListed; !w.full {
		w.texts = append(w.texts, text)
	}
}

// remark matches several words, or a comment.
var remark = regexp.MustCompile(`^\s*(#|\pL\S* )`)

// alone reports whether a row of several columns has one cell only.
func alone(b *Batch, row int) bool {
	filled := 0
	for _, column := range b.Record.Columns() {
		if !column.IsNull(row) && column.ValueStr(row) != "" {
			filled++
		}
	}
	return filled == 1 && b.Record.NumCols() > 1
}

// merge adds other cells of the same column.
func (w *wrongCells) merge(other *wrongCells) {
	if w.n == 0 || other.n > 0 && other.first.Row < w.first.Row {
		w.first = other.first
		w.texts = slices.Concat(other.texts, w.texts)
	} else {
		w.texts = slices.Concat(w.texts, other.texts)
	}
	w.n += other.n
	if w.full = w.full || other.full || len(w.texts) > ground.MaxListed; w.full {
		w.texts = w.texts[:min(len(w.texts), ground.MaxListed)]
	}
}

// what says what the text should be.
func (w *wrongCells) what(text string) string {
	switch w.kind {
	case Date:
		return "date (2006-01-02)"
	case Timestamp:
		return "time (2006-01-02T15:04:05)"
	}
	if _, err := spelling.ParseNumber(text); err == spelling.ErrTooLarge {
		return "number: it is " + spelling.ErrTooLarge.Error()
	}
	if spelling.IsInfinite(text) {
		return "finite number"
	}
	return "number"
}

// truths reports whether the cells should be numbers and all listed ones are true or false.
func (w *wrongCells) truths() bool {
	return w.kind == Numeric && !slices.ContainsFunc(w.texts, func(text string) bool {
		_, ok := spelling.ParseTruth(text)
		return !ok
	})
}

// adviseForm adds the decimal signs that read all listed texts as numbers, or the orders that read
// them as dates, if a form does not.
func (w *wrongCells) adviseForm(e *Error, form spelling.Form) {
	for _, sign := range []string{".", ","} {
		form.Decimal = sign[0]
		unread := func(text string) bool { _, err := form.Number(text); return err != nil }
		if w.kind == Numeric && !slices.ContainsFunc(w.texts, unread) {
			x, _ := form.Number(w.texts[0])
			e.Also("if %s is %s here, add %s %s", quote(w.texts[0]), spelling.FormatNumber(x, 64),
				OptionDecimal, sign)
		}
	}
	for _, order := range spelling.Orders {
		unread := func(text string) bool { _, _, ok := order.Parse(text); return !ok }
		if w.kind != Numeric && form.Days == "" && !slices.ContainsFunc(w.texts, unread) {
			e.Also("if dates have the %s here, add %s %s", order.Words(), OptionDates, order)
		}
	}
}

// error returns the error about the cells of a column, nil if none is wrong.
func (w *wrongCells) error(column string) *Error {
	if w.n == 0 {
		return nil
	}
	w.first.Column = column
	if w.n > 1 {
		w.first.Msg += fmt.Sprintf("; %d cells like this: %s", w.n, listed(w.texts))
	}
	if slices.ContainsFunc(w.texts, func(text string) bool { return spelling.Trim(text) == column }) {
		w.first.Msg += "; a line repeats the names of the columns"
		w.first.Hint = "remove lines that repeat the names of the columns"
	}
	return w.first
}

// targets reads the numeric targets of batches of a file. It fails with an *Error about the whole.
func (s *Schema) targets(batches ...*Batch) ([]float64, error) {
	var values []float64
	missing, wrong, file := missingCells{}, wrongCells{}, ""
	for _, b := range batches {
		file = b.File
		view, err := s.target(b)
		if err != nil {
			return nil, err
		}
		read, ok := view.numbers(Numeric)
		if !ok || view.class == Boolean {
			return nil, &Error{
				File:   b.File,
				Column: s.TargetName,
				Msg:    fmt.Sprintf("the target is a %s, but it must be a number", view.holds()),
				Hint:   "store the target as numbers such as 0 and 1, or learn it as labels",
				Fault:  TargetType,
			}
		}
		for i := range b.Rows() {
			v, state := read(i)
			switch state {
			case noValue:
				missing.add(b, view, i)
			case wrongCell:
				wrong.add(b, i, view.text(i))
			}
			values = append(values, v)
		}
	}
	if e := wrong.error(s.TargetName); e != nil {
		e.Hint = "write a finite number in every row, or learn the target as labels"
		e.Fault = TargetCells
		return nil, e
	}
	if e := missing.error(file, s.TargetName, int64(len(values))); e != nil {
		return nil, e
	}
	return values, nil
}

// missingCells are the rows without a target.
type missingCells struct {
	n     int
	lines bool    // places are lines rather than rows
	at    []int64 // the first places
	text  string  // the first text that means a missing value
}

func (m *missingCells) add(b *Batch, v tableView, row int) {
	if m.text == "" && !v.null(row) && v.class == Categorical {
		m.text = spelling.Trim(v.text(row))
	}
	if m.n++; len(m.at) == ground.MaxListed {
		return
	}
	place := b.ErrorAt(row, "", "")
	m.lines = place.Line > 0
	m.at = append(m.at, cmp.Or(place.Line, place.Row))
}

// addAll adds the rows of a batch without a value.
func (m *missingCells) addAll(b *Batch, v tableView) {
	for row := range b.Rows() {
		if v.missing(row) {
			m.add(b, v, row)
		}
	}
}

// String lists the rows, for example "lines 3, 8 and 2 more".
func (m *missingCells) String() string {
	thing := "row"
	if m.lines {
		thing = "line"
	}
	if m.n > 1 {
		thing += "s"
	}
	text := thing + " " + strings.Trim(strings.ReplaceAll(fmt.Sprint(m.at), " ", ", "), "[]")
	if more := m.n - len(m.at); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// error returns the error for a target of this many rows, nil if none is missing.
func (m *missingCells) error(file, name string, rows int64) *Error {
	if m.n == 0 {
		return nil
	}
	const remove = "remove these rows: a row without a target teaches nothing"
	e := &Error{File: file, Column: name, Hint: remove,
		Msg: fmt.Sprintf("the target is missing in %d of %d rows: %s", m.n, rows, m)}
	if m.text == "" {
		return e
	}
	return e.Advise(remove+"\n%s is read as missing; if it is a value, list the texts for missing "+
		"values with %s", quote(m.text), OptionNA)
}

// place quotes the first cell and gives its position.
func (w *wrongCells) place() string {
	where := fmt.Sprintf("row %d", w.first.Row)
	if w.first.Line > 0 {
		where = fmt.Sprintf("line %d", w.first.Line)
	}
	return fmt.Sprintf("%s (%s)", quote(w.texts[0]), where)
}

// DefaultNA lists the texts that mean a missing value in text files if ReadOptions.NA is nil: the
// empty cell, NA, N/A, NaN, nan, null, NULL, None and \N.
func DefaultNA() []string {
	return []string{"", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", `\N`}
}

// naSet is the set of texts that mean a missing value.
type naSet struct {
	texts map[string]bool
	// own: the texts differ from DefaultNA, and also apply to typed columns.
	own     bool
	codes   bool             // whether a text in the set may be a number or a date, such as -999
	numbers map[float64]bool // the texts that are numbers, for columns of numbers
}

// newNA returns the set of these texts, or of DefaultNA if tokens is nil.
func newNA(tokens []string) *naSet {
	if tokens == nil {
		tokens = DefaultNA()
	}
	set := &naSet{texts: make(map[string]bool, len(tokens)), numbers: map[float64]bool{}}
	for _, t := range tokens {
		set.own = set.own || !slices.Contains(DefaultNA(), t)
		set.texts[t] = true
		set.codes = set.codes || strings.ContainsAny(t, "0123456789")
		if x, err := strconv.ParseFloat(t, 64); err == nil && !math.IsNaN(x) && !math.IsInf(x, 0) {
			set.numbers[x] = true
		}
	}
	return set
}

// has reports whether a cell is missing; spaces around it do not count.
func (s *naSet) has(text string) bool { return s.texts[spelling.Trim(text)] }
