package tabular

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
)

// namesRows tells whether a column of texts has another one in every row: nothing that is learned
// of one of them is about any other row.
func (l *learner) namesRows(c *Column, scan *columnScan) bool {
	plain := 2*scan.numeric() < scan.present && 2*scan.dated() < scan.present
	return plain && c.Kind == Categorical && scan.present >= leastIDs &&
		len(c.Categories) == scan.present && !slices.Contains(l.opt.Categorical, c.Name)
}

// leaveOut makes such a column no feature.
func (l *learner) leaveOut(name string, rows int) {
	l.s.Ignored = append(l.s.Ignored, name)
	l.named = append(l.named, name)
	l.note(name, "is left out: its %d texts differ in every row, as names and identifiers do; %s %s "+
		"makes it a feature", rows, OptionCategorical, columnValue(name))
}

// noFeatures is the error of a table without features.
func (l *learner) noFeatures() *Error {
	e := &Error{File: l.train.File,
		Msg: "the table has no features: every column is the target or ignored"}
	if l.named == nil {
		return e
	}
	e.Msg = fmt.Sprintf("the table has no features: the texts of %s differ in every row, as names "+
		"and identifiers do", listed(l.named))
	return e.advise("add columns that say something about a row; %s %s makes it a feature",
		OptionCategorical, columnValue(l.named[0]))
}

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

// groupWords are the words that the name of a column has whose whole numbers are codes of groups.
var groupWords = []string{"id", "code", "group", "class", "school", "site", "center", "centre",
	"clinic", "hospital", "subject", "patient", "person", "store", "shop", "zip", "postcode",
	"district", "county", "region", "cluster", "batch", "plot", "block", "team", "firm", "household",
	"village"}

// Bounds of the number of groups in a note: two classes are none, and more are not counted.
const (
	leastGroups = 3
	manyGroups  = 10_000
)

// mayGroup tells whether a column of numbers has a name as codes of groups have, and nobody said
// that they are numbers.
func (l *learner) mayGroup(c *Column) bool {
	return c.Kind == Numeric && !slices.Contains(l.opt.Numeric, c.Name) && hasWord(c.Name, groupWords)
}

// noteGroups notes whole numbers that are in two rows on average or more, in a column that may hold
// codes of groups.
func (l *learner) noteGroups(c *Column, values map[float64]struct{}) {
	present := int(l.train.Rows) - c.Missing
	if n := len(values); n < leastGroups || n > manyGroups || 2*n > present {
		return
	}
	for v := range values {
		if v != math.Trunc(v) {
			return
		}
	}
	l.note(c.Name, "holds %d whole numbers, and a name like that of groups: if they are codes, %s "+
		"%s tells them apart", len(values), OptionCategorical, columnValue(c.Name))
}

// nameWords cuts a name into words: order_id, orderID and OrderId have two.
var nameWords = regexp.MustCompile(`\p{Lu}?\p{Ll}+|\p{Lu}+`)

// hasWord tells whether a name has one of some words.
func hasWord(name string, words []string) bool {
	return slices.ContainsFunc(nameWords.FindAllString(name, -1), func(word string) bool {
		return slices.Contains(words, strings.ToLower(word))
	})
}

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
	case hasWord(d.name, idWords):
		return "and a name like that"
	}
	return ""
}
