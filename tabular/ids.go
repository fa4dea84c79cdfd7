package tabular

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
)

// namesRows reports whether a column has a different text in every row. A model learns nothing
// about other rows from such texts.
func (l *learner) namesRows(c *Column, scan *columnScan) bool {
	plain := 2*scan.numeric() < scan.present && 2*scan.dated() < scan.present
	return plain && c.Kind == Categorical && scan.present >= leastIDs &&
		len(c.Categories) == scan.present && !slices.Contains(l.opt.Categorical, c.Name)
}

// leaveOut makes a column no feature, with a note.
func (l *learner) leaveOut(c *Column, scan *columnScan) {
	l.s.Ignored = append(l.s.Ignored, c.Name)
	l.named = append(l.named, c.Name)
	why := "like names or identifiers"
	if like := &scan.evidence.resembling; 2*like.n >= scan.present {
		why = "and are neither numbers as 1234.5 nor dates as 2006-01-02, though they look like them, " +
			"the first is " + strings.ReplaceAll(like.place(), "%", "%%")
	}
	l.odd(c.Name, "is left out: its %d texts differ in every row, "+why+"; %s %s keeps it",
		scan.present, OptionCategorical, columnValue(c.Name))
}

// noFeatures returns the error for a table without features.
func (l *learner) noFeatures() *Error {
	e := &Error{File: l.train.File,
		Msg: "the table has no features: every column is the target or ignored"}
	if l.named == nil {
		return e
	}
	e.Msg = fmt.Sprintf("the table has no features: the texts of %s differ in every row, like names "+
		"or identifiers", listed(l.named))
	return e.advise("add columns that describe the rows; or keep it with %s %s",
		OptionCategorical, columnValue(l.named[0]))
}

// identifiers looks for a column of different whole numbers that identify rows. Counts, prices and
// years may differ in every row too. So there must be more evidence: a typical name, numbers that
// count the rows from 0 or 1, or numbers of 16 digits and more. No measurement has so many digits,
// and float64 cannot tell them all apart.
type identifiers struct {
	name string
	seen map[float64]struct{}
	over bool // the column is not an identifier
}

// Limits of the evidence.
const (
	leastIDs = 20   // with fewer rows, whole numbers are often all different
	longID   = 1e15 // a number of 16 digits
)

// idWords are words in the names of identifiers.
var idWords = []string{"id", "ids", "key", "uuid", "guid", "index", "idx", "nr", "rowid", "rownum"}

// groupWords are words in the names of columns whose whole numbers are codes of groups.
var groupWords = []string{"id", "code", "group", "class", "school", "site", "center", "centre",
	"clinic", "hospital", "subject", "patient", "person", "store", "shop", "zip", "postcode",
	"district", "county", "region", "cluster", "batch", "plot", "block", "team", "firm", "household",
	"village"}

// Limits of the number of groups in a note.
const (
	leastGroups = 3
	manyGroups  = 10_000
)

// mayGroup reports whether a column of numbers is named like codes of groups and no option says
// that they are numbers.
func (l *learner) mayGroup(c *Column) bool {
	return c.Kind == Numeric && !slices.Contains(l.opt.Numeric, c.Name) && hasWord(c.Name, groupWords)
}

// noteGroups notes a column that may hold codes of groups, if its whole numbers occur twice or more
// on average.
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
	l.note(c.Name, "holds %d different whole numbers and is named like a group: if they are codes, "+
		"add %s %s", len(values), OptionCategorical, columnValue(c.Name))
}

// nameWords splits a name into words: order_id, orderID and OrderId have two.
var nameWords = regexp.MustCompile(`\p{Lu}?\p{Ll}+|\p{Lu}+`)

// hasWord reports whether a name contains one of these words.
func hasWord(name string, words []string) bool {
	return slices.ContainsFunc(nameWords.FindAllString(name, -1), func(word string) bool {
		return slices.Contains(words, strings.ToLower(word))
	})
}

// add adds a value.
func (d *identifiers) add(x float64) {
	if d.over {
		return
	}
	n := len(d.seen)
	d.seen[x] = struct{}{}
	// Numbers that are too long for float64 need not differ.
	d.over = x != math.Trunc(x) || len(d.seen) == n && math.Abs(x) < maxLabel
	if d.over {
		d.seen = nil
	}
}

// why says why the column looks like an identifier, "" if it does not. lo and hi are its range.
func (d *identifiers) why(lo, hi float64) string {
	n := len(d.seen)
	switch {
	case d.over || n < leastIDs:
		return ""
	case lo >= longID || hi <= -longID:
		return "of 16 digits or more"
	case (lo == 0 || lo == 1) && hi == lo+float64(n-1):
		return "that counts the rows"
	case hasWord(d.name, idWords):
		return "and a typical name"
	}
	return ""
}
