package tabular

import (
	"math"
	"regexp"
	"slices"
	"strings"
)

// identifiers looks for a column that names the rows by whole numbers, all different. Counts,
// prices and years may all be different too, so that there must be more evidence: a name that says
// so, numbers that count the rows from 0 or 1, or numbers of 16 digits and more, which nothing
// measures and float64 does not tell apart.
type identifiers struct {
	name string
	seen map[float64]struct{}
	over bool // it is none
}

// Bounds of the evidence.
const (
	leastIDs = 20   // rows: fewer whole numbers are often all different
	longID   = 1e15 // a number of 16 digits
)

// idWords are the words that the name of an identifier has.
var idWords = []string{"id", "ids", "key", "uuid", "guid", "index", "idx", "nr", "rowid", "rownum"}

// nameWords cuts a name into words: order_id, orderID and OrderId have two.
var nameWords = regexp.MustCompile(`\p{Lu}?\p{Ll}+|\p{Lu}+`)

// add takes a value in.
func (d *identifiers) add(x float64) {
	if d.over {
		return
	}
	n := len(d.seen)
	d.seen[x] = struct{}{}
	// Numbers too long to be told apart need not differ.
	d.over = x != math.Trunc(x) || len(d.seen) == n && math.Abs(x) < maxLabel
	if d.over {
		d.seen = nil
	}
}

// why says by what the column looks like an identifier, "" if it does not; lo and hi are its range.
func (d *identifiers) why(lo, hi float64) string {
	n := len(d.seen)
	switch {
	case d.over || n < leastIDs:
		return ""
	case lo >= longID || hi <= -longID:
		return "of 16 digits and more"
	case (lo == 0 || lo == 1) && hi == lo+float64(n-1):
		return "that counts the rows"
	case slices.ContainsFunc(nameWords.FindAllString(d.name, -1), func(word string) bool {
		return slices.Contains(idWords, strings.ToLower(word))
	}):
		return "and a name like that"
	}
	return ""
}
