package heldout

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pfnamp/pfnamp/tabular"
)

// ByClass is the value of pfnamp.Question.ConformalBy that keeps the promise for every class.
const ByClass = "class"

// NoGroup is the group of a query row whose value the context lacks.
const NoGroup = -1

// ByMissing is the value of pfnamp.Question.ConformalBy that keeps the promise for every pattern of
// missing cells: rows that lack the same features are a group. A column with that name takes
// precedence.
const ByMissing = "missing"

// completeRows is the name of the group of complete rows.
const completeRows = "no missing cell"

// missingPatterns names the features that every row of a batch lacks.
func missingPatterns(s *tabular.Schema, b *tabular.Batch) []string {
	names := make([]string, b.Rows())
	for _, feature := range s.FeatureNames() {
		missing := s.Missing(b, feature)
		for i := range names {
			if !missing(i) {
				continue
			}
			if names[i] != "" {
				names[i] += ", "
			}
			names[i] += feature
		}
	}
	for i, name := range names {
		if name == "" {
			names[i] = completeRows
		}
	}
	return names
}

// GroupNames reads the group of every row of a batch, "" for a missing cell. It fails with a
// *tabular.Error.
func GroupNames(s *tabular.Schema, b *tabular.Batch, column string) ([]string, error) {
	if column == ByMissing && !b.Record.Schema().HasField(column) {
		return missingPatterns(s, b), nil
	}
	cells, err := s.Texts(b, column)
	if err != nil {
		return nil, err
	}
	names := make([]string, b.Rows())
	for i := range names {
		names[i], _ = cells(i)
	}
	return names, nil
}

// Find returns the number of a group, or NoGroup if the context has no such group.
func (g Groups) Find(name string) int {
	if at, ok := slices.BinarySearch(g.Names, name); ok {
		return at
	}
	return NoGroup
}

// check refuses groups with too few rows in folds, with a *SmallGroupsError.
func (g Groups) check(level float64, foldOf []int) error {
	e := &SmallGroupsError{Column: g.Column, Least: leastRows(level), Level: level}
	rows := make([]int, len(g.Names))
	for row, group := range g.Of {
		if g.Column != "" && foldOf[row] >= 0 {
			rows[group]++
		}
	}
	for group, n := range rows {
		if n < e.Least {
			e.Groups, e.Rows = append(e.Groups, g.Names[group]), append(e.Rows, n)
		}
	}
	if e.Groups == nil {
		return nil
	}
	return e
}

// SmallGroupsError reports groups with too few rows for conformal predictions of a level.
type SmallGroupsError struct {
	Column string   // of the groups, or ByClass
	Groups []string // the small ones, "" for missing cells
	Rows   []int    // numbers of rows of these groups
	Least  int
	Level  float64
}

// mostNamed is the largest number of groups in a message.
const mostNamed = 10

// Error names the groups and how many rows they need.
func (e *SmallGroupsError) Error() string {
	var parts []string
	for i, name := range e.Groups[:min(len(e.Groups), mostNamed)] {
		name = fmt.Sprintf("%q", name)
		if e.Groups[i] == "" {
			name = "the group of missing cells"
		}
		parts = append(parts, fmt.Sprintf("%s has %d", name, e.Rows[i]))
	}
	if more := len(e.Groups) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("%d more have too few", more))
	}
	return fmt.Sprintf("conformal predictions of level %g by %s need at least %d rows of context in "+
		"every "+
		"group, but %s", e.Level, e.Column, e.Least, strings.Join(parts, ", "))
}

// Groups assign the rows of a context to groups that are calibrated separately.
type Groups struct {
	Column  string   // "" if a promise is for all rows together
	Names   []string // of the groups, in ascending order; the labels of classes
	Of      []int    // group of every row
	ByClass bool     // the groups are the classes
}

// setEscapes marks what is part of a label and not between two of them.
var setEscapes = strings.NewReplacer(`\`, `\\`, `|`, `\|`)

// SetText joins the labels of a set by |. In a label, \ becomes \\ and | becomes \|, so that the
// text can be split again whatever the labels are.
func SetText(labels []string) string {
	escaped := make([]string, len(labels))
	for i, label := range labels {
		escaped[i] = setEscapes.Replace(label)
	}
	return strings.Join(escaped, "|")
}
