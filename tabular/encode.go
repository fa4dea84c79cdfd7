package tabular

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/internal/nearest"
	"github.com/pfnamp/pfnamp/internal/rows"
	"github.com/pfnamp/pfnamp/tabular/internal/ground"
	"github.com/pfnamp/pfnamp/tabular/internal/spelling"
)

// Unseen is the code of a missing category, and of a label that is not in the training table.
const Unseen = -1

// Features holds the encoded features of consecutive rows.
type Features struct {
	// Matrix has a row per row and a column per feature, see Schema.Encoded. A missing number is
	// NaN. A category is its position in Column.Categories, -1 if it is missing, or NaN if it is not
	// in the training table. In a column that a batch may lack, each cell is rows.Unknown, a NaN too.
	matrix.Matrix
	// Unseen counts, by feature name, the cells with a category that is not in the training table.
	// Features without such cells are not in the map.
	Unseen map[string]int
	// UnseenValues lists the first different texts of these cells, by feature name.
	UnseenValues map[string][]UnseenValue
	// Outside counts likewise the cells with a number, date or time outside the range of the
	// training table, Column.Lo to Column.Hi.
	Outside map[string]int
	// Notes are notes about these rows, a sentence each. Batches with the same finding have the
	// same sentence.
	Notes []string
}

// Append adds rows that the same schema has encoded, with what is counted and noted about them.
func (f *Features) Append(rows Features) {
	if f.Unseen == nil {
		f.Unseen, f.Outside = make(map[string]int), make(map[string]int)
	}
	f.Rows, f.Cols, f.Data = f.Rows+rows.Rows, rows.Cols, append(f.Data, rows.Data...)
	for column, n := range rows.Unseen {
		f.Unseen[column] += n
	}
	for column, n := range rows.Outside {
		f.Outside[column] += n
	}
	for _, note := range rows.Notes {
		if !slices.Contains(f.Notes, note) {
			f.Notes = append(f.Notes, note)
		}
	}
}

// Features encodes the features of a batch of the training table or a query table. It matches
// columns by name and ignores other columns. It fails with an *Error if a column is missing, if its
// type does not fit, or if a cell of a numeric column is not a number. The error names the first
// bad cell and lists up to five.
//
// The type of a column may differ from the training file. If the training table has numbers or
// dates, text is read as such. If it has categories, numbers, dates and booleans become text in
// canonical form (3, 0.5, true, 2006-01-02). If all categories are numbers written as text, 3 and
// 3.0 match each other unless both are categories.
func (s *Schema) Features(b *Batch) (Features, error) {
	f := Features{Matrix: matrix.New(b.Rows(), s.Width()), Unseen: make(map[string]int),
		UnseenValues: make(map[string][]UnseenValue), Outside: make(map[string]int)}
	for j, c := range s.inOrder() {
		at := b.Record.Schema().FieldIndices(c.Name)
		if at == nil && b.Lacking {
			for i := range f.Rows {
				f.Data[i*f.Cols+j] = rows.Unknown
			}
			continue
		}
		if at == nil {
			_, err := s.Match(b.File, ground.FieldNames(b.Record.Schema()))
			return Features{}, err
		}
		if err := s.encode(&f, b, c, j, at[0]); err != nil {
			return Features{}, err
		}
	}
	s.SetCalendars(f.Matrix)
	return f, s.refuseOdd(b, &f)
}

// encode writes a feature of a batch into column j of f; at is its column in the batch.
func (s *Schema) encode(f *Features, b *Batch, column *Column, j, at int) error {
	view, err := s.view(b, at)
	if err != nil {
		return err
	}
	view.written, view.feature = signed(b, column.written), true
	view.truths = column.Lo == 0 && column.Hi == 1
	view.about, view.told = fmt.Sprintf("column %q ", column.Name), &f.Notes
	switch {
	case column.Kind == Empty:
		for i := range f.Rows {
			if f.Data[i*f.Cols+j] = math.NaN(); !view.missing(i) {
				view.tell("has no value in the training table: it is ignored")
			}
		}
		return nil
	case column.Kind.categorical():
		f.encodeCategories(b, column, view, j)
		return s.refuseUnseen(f, b, column)
	}
	read, ok := view.numbers(column.Kind)
	if !ok {
		e := &Error{
			File:   b.File,
			Column: column.Name,
			Msg: fmt.Sprintf("the type is %s (%s), but in %s it is %s", view.holds(),
				b.Record.Column(at).DataType(), s.File, column.Kind),
		}
		return e.Advise("store the column as in the training table, or leave it out with %s %s",
			OptionIgnore, columnValue(column.Name))
	}
	if column.Kind == Numeric && view.class == Boolean {
		view.tell("holds true and false, but numbers in " + s.File + ": true is read as 1, false as 0")
	}
	wrong := wrongCells{kind: column.Kind}
	for i := range f.Rows {
		v, state := read(i)
		if column.Kind == Timestamp && state == hasValue {
			view.compareZone(i, column.clock.TimeZone, s.File)
		}
		switch {
		case state == wrongCell:
			wrong.add(b, i, view.text(i))
		case state == hasValue && (v < column.Lo || v > column.Hi):
			f.Outside[column.Name]++
			if column.Lo >= 0 && slices.Contains([]float64{-1, -9, -99, -999, -9999, 999, 9999}, v) {
				view.tell("has " + column.Text(v) + ", which often means missing: then leave the cell empty")
			}
		}
		f.Data[i*f.Cols+j] = v
	}
	e := wrong.error(column.Name)
	switch {
	case e == nil:
		return nil
	case e.Hint != "":
	case wrong.truths():
		e.Advise("the column is %s in %s: write true as 1 and false as 0; or list missing "+
			"values with %s", column.Kind, s.File, OptionNA)
	default:
		e.Advise("the column is %s in %s%s: correct the cells; or list missing values with %s",
			column.Kind, s.File, column.written.Words(), OptionNA)
		wrong.adviseForm(e, view.written)
	}
	return e
}

// refuseOdd returns an error if the schema is strict and cells are not what they seem.
func (s *Schema) refuseOdd(b *Batch, f *Features) error {
	if !s.strict {
		return nil
	}
	notes := f.Notes
	for _, name := range slices.Sorted(maps.Keys(f.UnseenValues)) {
		notes = append(notes, fmt.Sprintf("column %q has %s, which %s lacks", name,
			quote(f.UnseenValues[name][0].Text), s.File))
	}
	if len(notes) == 0 {
		return nil
	}
	e := &Error{File: b.File, Msg: notes[0]}
	return e.Advise("without %s this is a note", OptionStrict)
}

// refuseUnseen returns an error about cells of truth values that are none.
func (s *Schema) refuseUnseen(f *Features, b *Batch, column *Column) error {
	values := f.UnseenValues[column.Name]
	if column.Kind != Boolean || len(values) == 0 {
		return nil
	}
	wrong := wrongCells{n: f.Unseen[column.Name], first: &Error{File: b.File, Line: values[0].Line,
		Row: values[0].Row, Msg: quote(values[0].Text) + " is not a truth value"}}
	for _, v := range values {
		wrong.texts = append(wrong.texts, v.Text)
	}
	return asText(wrong.error(column.Name), column.Name, "the column has true and false in %s: "+
		"correct the cells, or list them as missing values with %s %s", s.File, OptionNA,
		columnValues(wrong.texts))
}

// leastNew is the smallest number of cells with unknown categories that RefuseNew refuses.
const leastNew = 5

// RefuseNew returns an error if most rows of a query table have a category in a column that the
// training table lacks: so many cells, with values as the first texts. It returns nil if the
// training table has fewer than five rows for a category, as of names: there new ones are expected.
func (s *Schema) RefuseNew(file, column string, cells, rows int, values []UnseenValue) error {
	if cells < leastNew || 2*cells <= rows || slices.ContainsFunc(s.Columns, func(c Column) bool {
		return c.Name == column && 5*len(c.Categories) > int(s.Rows)
	}) {
		return nil
	}
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = quote(v.Text)
	}
	e := &Error{File: file, Line: values[0].Line, Row: values[0].Row, Column: column,
		Msg: fmt.Sprintf("%d of %s have a category that %s does not have: %s", cells,
			ground.Count(rows, "row"), s.File, strings.Join(texts, ", "))}
	return e.Advise("write the categories as in %s; or read them as unknown with %s", s.File,
		OptionAllowNew)
}

// encodeCategories writes the codes of feature j.
func (f *Features) encodeCategories(b *Batch, column *Column, view tableView, j int) {
	for i := range f.Rows {
		f.Data[i*f.Cols+j] = Unseen
		if view.missing(i) {
			continue
		}
		text := view.category(column.Kind, i)
		at, ok := column.code(text)
		if !ok {
			if at, ok = column.near(text); ok {
				view.tell("has " + quote(text) + " where the training table has " +
					quote(column.Categories[at]) + ": they are read as the same")
			}
		}
		switch {
		case ok:
			f.Data[i*f.Cols+j] = float64(at)
		case column.Kind == Boolean && spelling.IsMissingSign(text):
			view.tell("has " + quote(spelling.Trim(text)) + " in cells without a value")
		default:
			f.Data[i*f.Cols+j] = math.NaN()
			f.unseen(b, column, i, text)
		}
	}
}

// UnseenValue is a text that no row of the training table has, at its first row.
type UnseenValue struct {
	Text      string
	Row, Line int64  // 1-based; Line is 0 if the file has no lines
	Near      string // a similar category of the training table, "" if there is none
}

// MostUnseen is the number of different values in a list of unseen values.
const MostUnseen = 3

func (f *Features) unseen(b *Batch, column *Column, row int, text string) {
	f.Unseen[column.Name]++
	listed := f.UnseenValues[column.Name]
	if len(listed) == MostUnseen || slices.ContainsFunc(listed, func(v UnseenValue) bool {
		return v.Text == text
	}) {
		return
	}
	place := b.ErrorAt(row, "", "")
	value := UnseenValue{Text: strings.Clone(text), Row: place.Row, Line: place.Line}
	if near := nearest.Names(text, column.Categories); len(near) > 0 {
		value.Near = near[0]
	}
	f.UnseenValues[column.Name] = append(listed, value)
}

// Target returns the target of every row of a batch: the number, or the class of the label. It
// fails with an *Error that lists up to five rows if a cell is missing, not finite or not a number,
// or if a label is not in the training table.
func (s *Schema) Target(b *Batch) ([]float64, error) {
	if s.Labels != nil {
		return s.classes(b)
	}
	return s.targets(b)
}

// Training encodes a whole table: its features, and its target if the schema has one.
func (s *Schema) Training(t *Table) (Features, []float64, error) {
	all := Features{Matrix: matrix.New(0, s.Width())}
	all.Data = make([]float64, 0, int(t.Rows)*all.Cols)
	var target []float64
	for _, b := range t.Batches {
		f, err := s.Features(b)
		if err != nil {
			return Features{}, nil, err
		}
		all.Append(f)
		if s.TargetName == "" {
			continue
		}
		y, err := s.Target(b)
		if err != nil {
			return Features{}, nil, err
		}
		target = append(target, y...)
	}
	return all, target, nil
}
