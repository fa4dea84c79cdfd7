package tabular

import "math"

// Observed returns the targets that a query table itself has, by row, for comparison: the numbers,
// or the classes if the schema has labels, with [Unseen] for a label that is not in the training
// table. It returns NaN for a cell that is missing or not a number. If the table has no such
// column, or one whose type holds no targets, it returns NaN for every row.
func (s *Schema) Observed(b *Batch) []float64 {
	values := make([]float64, b.Rows())
	for i := range values {
		values[i] = math.NaN()
	}
	at := fieldIndex(b.Record.Schema(), s.TargetName)
	if s.TargetName == "" || at < 0 {
		return values
	}
	view, err := s.target(b, at)
	if err != nil {
		return values
	}
	read, ok := view.numbers(Numeric)
	switch {
	case s.Labels != nil:
		for i := range values {
			values[i] = s.observedClass(view, i)
		}
	case ok && view.class != classBool:
		for i := range values {
			if v, state := read(i); state == hasValue {
				values[i] = v
			}
		}
	}
	return values
}

// UnseenLabel returns the first label of a batch that is not in the training table, "" if there is
// none. near is a label of the training table that differs only by case or spaces, "" if there is
// none.
func (s *Schema) UnseenLabel(b *Batch) (label, near string) {
	for i, class := range s.Observed(b) {
		if class != Unseen || s.Labels == nil {
			continue
		}
		view, _ := s.target(b, fieldIndex(b.Record.Schema(), s.TargetName)) // Observed has read it
		label = view.text(i)
		for _, text := range s.Labels.Texts {
			if fold(text) == fold(label) {
				near = text
			}
		}
		return label, near
	}
	return "", ""
}

// observedClass returns the class of a cell, NaN if it holds no label.
func (s *Schema) observedClass(v tableView, i int) float64 {
	if v.missing(i) {
		return math.NaN()
	}
	if s.Labels.Kind == Numeric {
		if _, err := ParseNumber(v.text(i)); err != nil {
			return Unseen
		}
	}
	if code, ok := s.Labels.codes[s.Labels.text(v, i)]; ok {
		return float64(code)
	}
	return Unseen
}
