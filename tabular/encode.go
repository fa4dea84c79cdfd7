package tabular

import (
	"fmt"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// Unseen is the code of a category that is missing or not in the training table.
const Unseen = -1

// Features holds the encoded features of consecutive rows.
type Features struct {
	// Matrix has a row per row and a column per feature, see Schema.Encoded. A missing number is
	// NaN. A category is its position in Column.Categories, or -1 if it is missing or not in the
	// training table.
	matrix.Matrix
	// Unseen counts, by feature name, the cells with a category that is not in the training table.
	// Features without such cells are not in the map.
	Unseen map[string]int
	// Outside counts likewise the cells with a number, date or time outside the range of the
	// training table, Column.Lo to Column.Hi.
	Outside map[string]int
	// Notes are notes about these rows, a sentence each. Batches with the same finding have the
	// same sentence.
	Notes []string
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
		Outside: make(map[string]int)}
	index := make(map[string]int)
	for i, field := range b.Record.Schema().Fields() {
		index[field.Name] = i
	}
	for j := range s.Columns {
		at, ok := index[s.Columns[j].Name]
		if !ok {
			_, err := s.Match(b.File, fieldNames(b.Record.Schema()))
			return Features{}, err
		}
		if err := s.encode(&f, b, j, at); err != nil {
			return Features{}, err
		}
	}
	s.encodeCalendars(&f)
	return f, nil
}

// encode writes feature j of a batch into f; at is its column in the batch.
func (s *Schema) encode(f *Features, b *Batch, j, at int) error {
	column := &s.Columns[j]
	view, err := s.view(b, at)
	if err != nil {
		return err
	}
	view.written = column.written
	switch {
	case column.Kind == Empty:
		f.encodeEmpty(column, view, j)
		return nil
	case column.Kind.categorical():
		f.encodeCategories(column, view, j)
		return nil
	}
	read, ok := view.numbers(column.Kind)
	if !ok {
		e := &Error{
			File:   b.File,
			Column: column.Name,
			Msg: fmt.Sprintf("the type is %s (%s), but in %s it is %s", view.class,
				b.Record.Column(at).DataType(), s.File, column.Kind),
		}
		return e.advise("store the column as in the training table, or leave it out with %s",
			OptionIgnore)
	}
	if column.Kind == Numeric && view.class == classBool {
		f.Notes = append(f.Notes, fmt.Sprintf("column %q holds true and false, but numbers in %s: true "+
			"is read as 1, false as 0", column.Name, s.File))
	}
	wrong := wrongCells{kind: column.Kind}
	for i := range f.Rows {
		v, state := read(i)
		switch {
		case state == wrongCell:
			wrong.add(b, i, view.text(i))
		case state == hasValue && column.outside(v):
			f.Outside[column.Name]++
		}
		f.Data[i*f.Cols+j] = v
	}
	if e := wrong.error(column.Name); e != nil && wrong.truths() {
		return e.advise("the column is %s in %s: write true as 1 and false as 0; or list missing "+
			"values with %s", column.Kind, s.File, OptionNA)
	} else if e != nil {
		return e.advise("the column is %s in %s%s: correct the cells; or list missing values with %s",
			column.Kind, s.File, column.written.words(), OptionNA)
	}
	return nil
}

// encodeEmpty writes feature j, which has no value in the training table.
func (f *Features) encodeEmpty(column *Column, view tableView, j int) {
	present := false
	for i := range f.Rows {
		f.Data[i*f.Cols+j] = math.NaN()
		present = present || !view.missing(i)
	}
	if present {
		f.Notes = append(f.Notes, fmt.Sprintf(
			"column %q has no value in the training table: it is ignored", column.Name))
	}
}

// digitTruths maps the numbers in a column of truth values to truth values.
var digitTruths = map[string]string{"1": "true", "0": "false"}

// encodeCategories writes the codes of feature j. It reads 1 and 0 as true and false.
func (f *Features) encodeCategories(column *Column, view tableView, j int) {
	unseen, digits := 0, false
	for i := range f.Rows {
		code := float64(Unseen)
		if !view.missing(i) {
			category := view.category(column.Kind, i)
			at, ok := column.code(category)
			if truth, other := digitTruths[canonical(category)]; !ok && other && column.Kind == Boolean {
				at, ok = column.code(truth)
				digits = digits || ok
			}
			if ok {
				code = float64(at)
			} else {
				unseen++
			}
		}
		f.Data[i*f.Cols+j] = code
	}
	if digits {
		f.Notes = append(f.Notes, fmt.Sprintf("column %q holds 1 and 0, but true and false in the "+
			"training table: 1 is read as true, 0 as false", column.Name))
	}
	if unseen > 0 {
		f.Unseen[column.Name] += unseen
	}
}

// Target returns the target of every row of a batch: the number, or the class of the label. It
// fails with an *Error that lists up to five rows if a cell is missing, not finite or not a number,
// or if a label is not in the training table.
func (s *Schema) Target(b *Batch) ([]float64, error) {
	at := fieldIndex(b.Record.Schema(), s.TargetName)
	if at < 0 {
		return nil, NoColumn(b.File, s.TargetName, fieldNames(b.Record.Schema()))
	}
	if s.Labels != nil {
		return s.classes(b, at)
	}
	t := targetScan{name: s.TargetName}
	if err := t.scan(s, b, at); err != nil {
		return nil, err
	}
	if err := t.error(int64(b.Rows())); err != nil {
		return nil, err
	}
	return t.values, nil
}

// Training encodes a whole table: its features, and its target if the schema has one.
func (s *Schema) Training(t *Table) (Features, []float64, error) {
	all := Features{Matrix: matrix.New(0, s.Width()), Unseen: make(map[string]int)}
	var target []float64
	for _, b := range t.Batches {
		f, err := s.Features(b)
		if err != nil {
			return Features{}, nil, err
		}
		all.Rows += f.Rows
		all.Data = append(all.Data, f.Data...)
		for name, n := range f.Unseen {
			all.Unseen[name] += n
		}
		for _, note := range f.Notes {
			if !slices.Contains(all.Notes, note) {
				all.Notes = append(all.Notes, note)
			}
		}
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
