package pfnamp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pfnamp/pfnamp/conformal"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// ByClass is the [Question.ConformalBy] that keeps the promise for every class.
const ByClass = "class"

// noGroup is the group of a query row whose value the context lacks.
const noGroup = -1

// ByMissing is the [Question.ConformalBy] that keeps the promise for every pattern of missing
// cells: rows that lack the same features are a group. A column of that name goes first.
const ByMissing = "missing"

// completeRows names the group of rows that lack nothing.
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

// groupNames reads the group of every row of a batch, "" where the cell is missing. The error is a
// *tabular.Error.
func groupNames(s *tabular.Schema, b *tabular.Batch, column string) ([]string, error) {
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

// readGroups keeps the groups of the rows of the context of a labelled table.
func (t *Training) readGroups(table *tabular.Table) error {
	switch column := t.Options.ConformalBy; {
	case column == "" || t.Task().everyClass(column):
		return nil
	case column == t.Options.Target:
		return &tabular.Error{File: table.File, Column: column, Msg: "the target makes no groups, as " +
			"query rows lack it", Hint: "name another column, or of labels \"" + ByClass + "\""}
	}
	var all []string
	for _, b := range table.Batches {
		names, err := groupNames(t.Schema, b, t.Options.ConformalBy)
		if err != nil {
			return err
		}
		all = append(all, names...)
	}
	t.groups = all
	if t.Places != nil {
		t.groups = make([]string, len(t.Places))
		for i, place := range t.Places {
			t.groups[i] = all[place]
		}
	}
	return nil
}

// grouping says which rows of the context are calibrated together.
type grouping struct {
	column string   // "" where a promise is for all rows together
	names  []string // of the groups, in ascending order; the labels of classes
	of     []int    // group of every row
}

// grouping divides the context as a question says. The error is an *OptionError.
func (f *Fitted) grouping(q Question) (grouping, error) {
	g := grouping{column: q.ConformalBy, of: make([]int, f.table.X.Rows)}
	switch {
	case q.ConformalBy == "":
	case f.Task().everyClass(q.ConformalBy):
		g.names = f.Classes()
		for i, y := range f.table.Y {
			g.of[i] = int(y)
		}
	case q.ConformalBy != f.options.ConformalBy:
		return g, optionError("ConformalBy", "the question is about groups of column %q, and the fit "+
			"has kept those of %q: name the same column in FitOptions.ConformalBy", q.ConformalBy,
			f.options.ConformalBy)
	default:
		g.names = slices.Compact(slices.Sorted(slices.Values(f.groups)))
		for i, name := range f.groups {
			g.of[i] = g.find(name)
		}
	}
	return g, nil
}

// find is the number of a group, noGroup where the context lacks it.
func (g grouping) find(name string) int {
	if at, ok := slices.BinarySearch(g.names, name); ok {
		return at
	}
	return noGroup
}

// check refuses groups of too few rows that have a fold with a *SmallGroupsError.
func (g grouping) check(level float64, foldOf []int) error {
	e := &SmallGroupsError{Column: g.column, Least: conformal.LeastRows(level), Level: level}
	rows := make([]int, len(g.names))
	for row, group := range g.of {
		if g.column != "" && foldOf[row] >= 0 {
			rows[group]++
		}
	}
	for group, n := range rows {
		if n < e.Least {
			e.Groups, e.Rows = append(e.Groups, g.names[group]), append(e.Rows, n)
		}
	}
	if e.Groups == nil {
		return nil
	}
	return e
}

// SmallGroupsError reports groups of too few rows for conformal predictions of a level.
type SmallGroupsError struct {
	Column string   // of the groups, or ByClass
	Groups []string // the small ones, "" for missing cells
	Rows   []int    // theirs
	Least  int
	Level  float64
}

// mostNamed bounds the groups that a message lists.
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
		"every group: %s", e.Level, e.Column, e.Least, strings.Join(parts, ", "))
}

// GroupColumn is the column of query tables that divides the rows of a conformal question, "" where
// no column does: the promise is for all rows, or for every class.
func (q Question) GroupColumn(s *tabular.Schema) string {
	if taskOf(s.Labels).everyClass(q.ConformalBy) {
		return ""
	}
	return q.ConformalBy
}

// groups are the groups of query rows, nil where rows have none.
func (p *Predictor) groups(b *tabular.Batch) ([]int, error) {
	schema := p.fitted.schema
	column := p.question.GroupColumn(schema)
	if p.conformal == nil || column == "" {
		return nil, nil
	}
	names, err := groupNames(schema, b, column)
	if err != nil {
		return nil, err
	}
	groups := make([]int, len(names))
	for i, name := range names {
		groups[i] = p.conformal.grouping.find(name)
	}
	return groups, nil
}

// groupsOf are the groups of the rows of several queries.
func groupsOf(queries []*Query, x pfn.Matrix) (groups []int) {
	for _, q := range queries {
		groups = append(groups, q.groups...)
	}
	if groups == nil {
		groups = make([]int, x.Rows)
	}
	return groups
}
