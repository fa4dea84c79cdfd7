package tabular

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/pfnamp/pfnamp/internal/rows"
	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// rowNames are the names of columns in which pandas saves its index, in text and in columnar files.
var rowNames = []string{ground.Unnamed, "__index_level_0__"}

// keeps reports whether a column is a feature even if it looks like an identifier.
func (o SchemaOptions) keeps(name string) bool {
	return slices.Contains(slices.Concat(o.KeepFeatures, o.Numeric, o.Categorical), name)
}

// left is a column that looks like an identifier.
type left struct {
	*Column
	found *found
	why   string
}

// identified leaves out the columns that look like identifiers. Numbers are kept if no other
// feature varies.
func (l *learner) identified() {
	alone := !slices.ContainsFunc(l.s.Columns, func(c Column) bool {
		return c.Lo < c.Hi || len(c.Categories) > 1
	})
	for _, c := range l.left {
		if alone && c.Kind == Numeric {
			l.accept(c.Column, c.found)
		} else {
			l.leaveOut(c.Name, c.why)
		}
	}
}

// identifies says why a column looks like an identifier, "" if it does not or if it is kept. An
// identifier tells a model nothing about other rows.
func (l *learner) identifies(c *Column, f *found) string {
	plain := 2*f.scan.numeric() < f.scan.present && 2*f.scan.dated() < f.scan.present
	switch {
	case l.opt.keeps(c.Name):
	case c.Kind == Categorical:
		if plain && f.scan.present >= leastIDs && len(c.Categories) == f.scan.present {
			why := "like names or identifiers"
			if like := &f.scan.evidence.resembling; 2*like.n >= f.scan.present {
				why = "and are neither numbers as 1234.5 nor dates as 2006-01-02, though they look like " +
					"them, the first is " + like.place()
			}
			return fmt.Sprintf("its %d texts differ in every row, %s", f.scan.present, why)
		}
	case c.Kind == Numeric && c.Missing == 0:
		return c.identifier(f)
	}
	return ""
}

// leaveOut makes a column no feature, with a note.
func (l *learner) leaveOut(name, why string) {
	l.s.Ignored = append(l.s.Ignored, name)
	l.note(name, "is left out: %s; %s %s keeps it", why, OptionKeepFeature, columnValue(name))
}

func (l *learner) noFeatures() *Error {
	e := &Error{File: l.train.File,
		Msg: "the table has no features: every column is the target, ignored or the column of groups"}
	if l.left == nil {
		return e
	}
	var names []string
	for _, c := range l.left {
		names = append(names, c.Name)
	}
	e.Msg = fmt.Sprintf("the table has no features: the texts of %s differ in every row, like names "+
		"or identifiers", listed(names))
	return e.Advise("add columns that describe the rows; or keep it with %s %s",
		OptionKeepFeature, columnValue(names[0]))
}

// identifier says why a column of numbers looks like an identifier: whole numbers that differ in
// every row, although as many random numbers of their range would repeat with a probability of 999
// in 1,000. Years, days and other steps in time differ too: a word in the name, or the range of
// years, tells them. Numbers of a wider range need a typical name or 16 digits: no measurement has
// so many, and float64 cannot tell them all apart.
func (c *Column) identifier(f *found) string {
	lo, hi, seen := math.Inf(1), math.Inf(-1), map[float64]bool{}
	for _, x := range f.values(c) {
		if x != math.Trunc(x) || seen[x] && math.Abs(x) < maxLabel {
			return ""
		}
		lo, hi, seen[x] = min(lo, x), max(hi, x), true
	}
	differ, reach := 0.0, hi-lo+1
	for i := range len(seen) {
		differ += math.Log1p(-float64(i) / reach)
	}
	years := lo >= 1600 && hi <= 2200
	switch {
	case len(seen) < leastIDs || years || hasWord(c.Name, timeWords):
		return ""
	case lo >= longID || hi <= -longID:
		return "its whole numbers of 16 digits or more look like identifiers"
	case differ < mayDiffer:
		return fmt.Sprintf("its whole numbers from %.0f to %.0f differ in every row, like row numbers "+
			"or identifiers", lo, hi)
	case hasWord(c.Name, idWords):
		return "its whole numbers differ in every row, and its name is that of an identifier"
	}
	return ""
}

// Limits of the evidence.
const (
	leastIDs  = 20   // with fewer rows, values are often all different
	longID    = 1e15 // a number of 16 digits
	mayDiffer = -6.9 // logarithm of the probability that random numbers all differ
)

// idWords are words in the names of identifiers, and timeWords in those of steps in time.
var (
	idWords = []string{"id", "ids", "pid", "sid", "uid", "key", "uuid", "guid", "nr", "row", "rowid",
		"rowname", "rownames", "rownum", "obs"}
	timeWords = []string{"t", "time", "times", "timestamp", "date", "year", "years", "yr", "quarter",
		"month", "months", "week", "weeks", "day", "days", "hour", "hours", "minute", "minutes", "second",
		"seconds", "season", "step", "period", "epoch", "since", "age"}
)

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

// noteGroups notes a column that may hold codes of groups, if its whole numbers occur twice or more
// on average.
func (l *learner) noteGroups(c *Column, values []float64) {
	n, fraction := rows.Distinct(values), func(v float64) bool { return v != math.Trunc(v) }
	if n < leastGroups || n > manyGroups || 2*n > len(values) ||
		slices.ContainsFunc(values, fraction) {
		return
	}
	l.note(c.Name, "holds %d different whole numbers and is named like a group: if they are codes, "+
		"add %s %s; if rows with the same value belong together, %s %[4]s", n,
		OptionCategorical, columnValue(c.Name), OptionGroup)
}

// nameWords splits a name into words: order_id, orderID and OrderId have two.
var nameWords = regexp.MustCompile(`\p{Lu}?\p{Ll}+|\p{Lu}+`)

// hasWord reports whether a name contains one of these words.
func hasWord(name string, words []string) bool {
	return slices.ContainsFunc(nameWords.FindAllString(name, -1), func(word string) bool {
		return slices.Contains(words, strings.ToLower(word))
	})
}
