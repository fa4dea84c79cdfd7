package tabular

import (
	"fmt"
	"math"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
)

// Unseen is the code of a category that is missing or did not occur in the training table.
const Unseen = -1

// Features is the encoded features of a run of rows.
type Features struct {
	// Rows and Cols are the shape of X.
	Rows, Cols int
	// X holds the values row by row: that of row i and feature j is X[i*Cols+j]. A missing
	// number is NaN, a category is its position among Column.Categories, -1 when it is missing
	// or was not in the training table.
	X []float64
	// Unseen counts, by feature name, the cells with a category that was not in the training
	// table; features without any are not in it.
	Unseen map[string]int
	// Notes says what is worth knowing about these rows, a sentence each; the same sentence
	// for every batch that it is true of.
	Notes []string
}

// Features encodes the features of a batch of the training or of a query table. Columns are
// matched by name; others are not looked at. A missing column, a type that does not fit and a
// cell that is not a number in a numeric column are an *Error; it names the first such cell and
// lists up to five.
//
// A column may be stored by another type than in the training file: text is read as numbers or
// dates where the training table has these, and numbers, dates and booleans become text by their
// canonical form (3, 0.5, true, 2006-01-02) where it has categories. Where all categories are
// numbers written as text, 3 and 3.0 match each other unless both are categories.
func (s *Schema) Features(b *Batch) (Features, error) {
	f := Features{
		Rows:   b.Rows(),
		Cols:   len(s.Columns),
		X:      make([]float64, b.Rows()*len(s.Columns)),
		Unseen: make(map[string]int),
	}
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
	return f, nil
}

// encode writes feature j of a batch, which is its column at, into f.
func (s *Schema) encode(f *Features, b *Batch, j, at int) error {
	column := &s.Columns[j]
	view, err := s.view(b, at)
	if err != nil {
		return err
	}
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
		return &Error{
			File:   b.File,
			Column: column.Name,
			Msg: fmt.Sprintf("the type is %s (%s), in %s it is %s", view.class,
				b.Record.Column(at).DataType(), s.File, column.Kind),
			Hint: "store the column as it is in the training table, or leave it out with --ignore",
		}
	}
	wrong := wrongCells{kind: column.Kind}
	for i := range f.Rows {
		v, state := read(i)
		if state == wrongCell {
			wrong.add(b, i, view.text(i))
		}
		f.X[i*f.Cols+j] = v
	}
	if e := wrong.error(column.Name); e != nil {
		e.Hint = fmt.Sprintf("the column is %s in %s; --na names texts that stand for missing",
			column.Kind, s.File)
		return e
	}
	return nil
}

// encodeEmpty writes feature j, which had no value in the training table.
func (f *Features) encodeEmpty(column *Column, view tableView, j int) {
	present := false
	for i := range f.Rows {
		f.X[i*f.Cols+j] = math.NaN()
		present = present || !view.missing(i)
	}
	if present {
		f.Notes = append(f.Notes, fmt.Sprintf(
			"column %q has no value in the training table: its values are not used", column.Name))
	}
}

// encodeCategories writes the codes of feature j.
func (f *Features) encodeCategories(column *Column, view tableView, j int) {
	unseen := 0
	for i := range f.Rows {
		code := float64(Unseen)
		if !view.missing(i) {
			at, ok := column.code(view.category(column.Kind, i))
			if ok {
				code = float64(at)
			} else {
				unseen++
			}
		}
		f.X[i*f.Cols+j] = code
	}
	if unseen > 0 {
		f.Unseen[column.Name] += unseen
	}
}

// Target returns the target of every row of a batch. A cell that is missing, not finite or not a
// number is an *Error that lists up to five rows.
func (s *Schema) Target(b *Batch) ([]float64, error) {
	at := fieldIndex(b.Record.Schema(), s.TargetName)
	if at < 0 {
		return nil, noColumn(b.File, s.TargetName, fieldNames(b.Record.Schema()))
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

// Training encodes a whole table: its features, and its target where the schema has one.
func (s *Schema) Training(t *Table) (Features, []float64, error) {
	all := Features{Cols: len(s.Columns), Unseen: make(map[string]int)}
	var target []float64
	for _, b := range t.Batches {
		f, err := s.Features(b)
		if err != nil {
			return Features{}, nil, err
		}
		all.Rows += f.Rows
		all.X = append(all.X, f.X...)
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

// tableView is a column of a batch with the texts that stand for a missing value.
type tableView struct {
	cells
	na naSet
	// raw tells a text file, where the texts of na are missing whatever the kind.
	raw bool
}

// view returns the view of a column of a batch.
func (s *Schema) view(b *Batch, at int) (tableView, error) {
	column := b.Record.Column(at)
	c, ok := cellsOf(column)
	if !ok {
		return tableView{}, unsupported(b.File, b.Record.ColumnName(at), column.DataType())
	}
	return tableView{cells: c, na: s.na, raw: b.Lines != nil}, nil
}

// unsupported is the error of a feature or target of a type that holds no plain values.
func unsupported(file, name string, typ arrow.DataType) *Error {
	return &Error{
		File:   file,
		Column: name,
		Msg:    fmt.Sprintf("columns of type %s are not supported", typ),
		Hint:   fmt.Sprintf("leave it out with --ignore %s", name),
	}
}

// missing reports whether a cell has no value: it is null, not a number (NaN), or in a text file
// one of the texts that stand for that.
func (v tableView) missing(i int) bool {
	switch {
	case v.null(i):
		return true
	case v.class == classText:
		return v.raw && v.na.has(v.text(i))
	case v.class == classNumber:
		return math.IsNaN(v.num(i))
	}
	return false
}

// category is the category of a cell that is not missing.
func (v tableView) category(kind Kind, i int) string {
	text := v.text(i)
	if kind == Boolean {
		if value, ok := parseBool(text); ok {
			return fmt.Sprint(value)
		}
	}
	return text
}

// cellState says what became of a cell that is read as a number.
type cellState int

const (
	hasValue  cellState = iota
	noValue             // missing
	wrongCell           // neither missing nor a finite number
)

// numbers returns how cells are read as numbers of a kind, and false where the type does not fit.
func (v tableView) numbers(kind Kind) (func(i int) (float64, cellState), bool) {
	scale := 1.0
	switch {
	case v.class == classText:
		return func(i int) (float64, cellState) { return v.parse(kind, i) }, true
	case v.class == classNull:
	case kind == Numeric && (v.class == classNumber || v.class == classBool):
	case kind == Date && v.class == classDate, kind == Timestamp && v.class == classTime:
	case kind == Date && v.class == classTime:
		scale = 1.0 / secondsPerDay
	case kind == Timestamp && v.class == classDate:
		scale = secondsPerDay
	default:
		return nil, false
	}
	return func(i int) (float64, cellState) {
		if v.null(i) {
			return math.NaN(), noValue
		}
		x := v.num(i) * scale
		switch {
		case math.IsNaN(x):
			return x, noValue
		case math.IsInf(x, 0):
			return x, wrongCell
		}
		return x, hasValue
	}, true
}

// parse reads a text cell as a number of a kind.
func (v tableView) parse(kind Kind, i int) (float64, cellState) {
	if v.null(i) {
		return math.NaN(), noValue
	}
	text := v.text(i)
	if kind == Numeric {
		if x, err := ParseNumber(text); err == nil {
			return x, hasValue
		}
	} else if x, _, ok := parseTime(text); ok {
		if kind == Date {
			x /= secondsPerDay
		}
		return x, hasValue
	}
	if v.na.has(text) {
		return math.NaN(), noValue
	}
	return math.NaN(), wrongCell
}
