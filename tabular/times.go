package tabular

import (
	"errors"
	"math"
)

// Times reads a column of dates, times or numbers that orders the rows: days or seconds since 1970,
// or the numbers. It fails with an *Error if the column does not exist, holds other values, or has
// a missing cell.
func (t *Table) Times(column string) ([]float64, error) {
	names, opt := t.Names(), SchemaOptions{Dates: NumberDates}
	found := false
	for _, name := range names {
		if name == column {
			found = true
		} else {
			opt.Ignore = append(opt.Ignore, name)
		}
	}
	if !found {
		return nil, NoColumn(t.File, column, names)
	}
	s, err := Learn(t, opt)
	if noFeatures, ok := errors.AsType[*Error](err); ok && noFeatures.Column == column {
		return nil, err
	} else if ok && noFeatures.Line == 0 { // its texts differ in every row
		opt.Categorical = []string{column}
		s, err = Learn(t, opt)
	}
	if err != nil {
		return nil, err
	}
	if kind := s.Columns[0].Kind; kind != Numeric && kind != Date && kind != Timestamp {
		return nil, &Error{File: t.File, Column: column,
			Msg:  "the column is " + kind.String() + ", so it does not order the rows in time",
			Hint: "name a column of dates, times or numbers; write dates as 2024-01-31"}
	}
	var times []float64
	for _, b := range t.Batches {
		f, err := s.Features(b)
		if err != nil {
			return nil, err
		}
		times = append(times, f.Data...)
	}
	for i, v := range times {
		if math.IsNaN(v) {
			return nil, &Error{File: t.File, Row: int64(i + 1), Column: column,
				Msg:  "the cell is empty, so the time of the row is unknown",
				Hint: "fill in the cell or remove the row"}
		}
	}
	return times, nil
}
