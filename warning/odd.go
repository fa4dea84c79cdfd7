package warning

import "github.com/pfnamp/pfnamp/tabular"

// Odd tells what is odd about query rows. It counts cells outside the range of the training table,
// by feature, and rows that are rows of the context.
//
// Of n training rows and one more from the same distribution, the new one is the smallest or
// largest with probability at most 2/(n+1). An OutsideRange tells of more than twice as many rows,
// and more than a twentieth. KnownRows tells of at least half of the rows.
func Odd(s *tabular.Schema, outside map[string]int, known, rows int) []Warning {
	if rows == 0 {
		return nil
	}
	var warnings []Warning
	usual := max(0.05, 4/float64(s.Rows+1))
	for i := range s.Columns {
		c := &s.Columns[i]
		if n := outside[c.Name]; float64(n) > usual*float64(rows) {
			warnings = append(warnings, OutsideRange{Column: c.Name, Cells: n, Rows: rows,
				Lo: c.Text(c.Lo), Hi: c.Text(c.Hi), File: s.File})
		}
	}
	if known > 0 && 2*known >= rows {
		warnings = append(warnings, KnownRows{Known: known, Rows: rows, File: s.File})
	}
	return warnings
}
