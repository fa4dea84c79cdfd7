package report

import (
	"slices"
	"time"
)

// dateLayouts are the forms in which a cell is a date.
var dateLayouts = []string{time.DateOnly, time.DateTime, time.RFC3339, "2006-01-02T15:04:05",
	"2006-01-02 15:04", "2006-01-02 15:04:05Z", "2006-01", "2006/01/02", "02.01.2006", "01/02/2006",
	"02/01/2006"}

// dated tells whether the first kept cell of every row is a date, all in one form. Such rows keep
// their order, as people read a course in time.
func dated(rows []Row) bool {
	if len(rows) < 2 || len(rows[0].Kept) == 0 {
		return false
	}
	return slices.ContainsFunc(dateLayouts, func(layout string) bool {
		return !slices.ContainsFunc(rows, func(r Row) bool {
			_, err := time.Parse(layout, r.Kept[0])
			return err != nil
		})
	})
}
