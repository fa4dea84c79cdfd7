package warning

import (
	"slices"
	"strings"
)

// Add adds the warnings of an answer to those of others about the same table: cells of a column
// are counted together.
func Add(sum, more []Warning) []Warning {
	for _, w := range more {
		at := slices.IndexFunc(sum, func(s Warning) bool { return sameCells(s, w) })
		switch w := w.(type) {
		case UnseenCategories:
			if at >= 0 {
				sum[at] = sum[at].(UnseenCategories).add(w)
				continue
			}
		case MissingCells:
			if at >= 0 {
				sum[at] = w.add(sum[at].(MissingCells))
				continue
			}
		}
		sum = append(sum, w)
	}
	slices.SortStableFunc(sum, func(a, b Warning) int {
		return strings.Compare(cellsOf(a), cellsOf(b))
	})
	return sum
}

// cellsOf is where a warning about cells stands among others: unseen categories come by column,
// then missing cells.
func cellsOf(w Warning) string {
	switch w := w.(type) {
	case UnseenCategories:
		return "1" + w.Column
	case MissingCells:
		return "2"
	}
	return ""
}

// sameCells tells whether two warnings are about the same cells.
func sameCells(a, b Warning) bool {
	switch a := a.(type) {
	case UnseenCategories:
		b, ok := b.(UnseenCategories)
		return ok && a.Column == b.Column
	case MissingCells:
		_, ok := b.(MissingCells)
		return ok
	}
	return false
}
