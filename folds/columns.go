package folds

// Columns are the groups or times of the rows of a table, by which cross-validation divides them.
type Columns struct {
	Groups []int     // 0, 1, ..., by row; nil without groups
	Names  []string  // of the groups
	Times  []float64 // by row; nil without times
}

// Take keeps the listed rows.
func (s Columns) Take(rows []int) Columns {
	s.Groups, s.Times = Pick(s.Groups, rows), Pick(s.Times, rows)
	return s
}

// Pick lists values of some rows; nil of none.
func Pick[V any](values []V, rows []int) (some []V) {
	if values == nil {
		return nil
	}
	for _, row := range rows {
		some = append(some, values[row])
	}
	return some
}

// Plan completes a plan of folds by the columns.
func (s Columns) Plan(p Plan) Plan {
	p.Groups, p.Times = s.Groups, s.Times
	return p
}
