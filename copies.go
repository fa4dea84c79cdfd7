package pfnamp

import (
	"slices"

	"github.com/pfnamp/pfnamp/internal/rows"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
	"github.com/pfnamp/pfnamp/warning"
)

// once encodes a labelled table. It leaves out rows that repeat others more often than chance
// explains, and then learns the schema again, so that the result is that of the table without them.
// With KeepRepeated, folds keep equal rows together. Errors are those of Learn.
func (t *Training) once(table *tabular.Table, classifier bool) (*tabular.Table, error) {
	all := table.Rows
	for {
		if err := t.encode(table, classifier); err != nil {
			return nil, err
		}
		kin := rows.KinOf(t.Data.X, t.beside(t.Data.Y)...)
		counted := kin.Once()
		if counted == nil {
			break
		}
		if t.Options.KeepRepeated {
			if t.Splits.Groups == nil && t.Splits.Times == nil {
				t.Splits.Groups = kin.Groups()
			}
			return table, nil
		}
		less, err := table.Where(func(row int) bool { return counted[row] })
		if err != nil {
			return nil, err
		}
		if t.Options.Strict {
			return nil, table.Repeats(slices.Index(counted, false), int(table.Rows-less.Rows))
		}
		table, t.labelled = less, less.Positions()
	}
	if left := int(all - table.Rows); left > 0 {
		t.Warnings = append(t.Warnings, warning.RepeatedOf(table.File, left, int(all)))
	}
	if t.Options.Group != "" || t.Options.KeepRepeated {
		return table, nil
	}
	return table, t.noteAlike(table)
}

// noteAlike warns of rows that may not be independent of each other: they have the features of
// others, are copies but for a column that KeepFeatures lacks, or come in sets nearly alike.
func (t *Training) noteAlike(table *tabular.Table) error {
	if kin := rows.KinOf(t.Data.X, t.beside()...); kin.Unusual(kin.Most) {
		return t.doubt(warning.SameFeaturesOf(table.File, kin.Repeats+kin.Sets, kin.Sets,
			int(table.Rows)), tabular.OptionRepeated)
	}
	encoded := t.Schema.Encoded()
	j, kin := rows.ButFor(t.Data.X, func(a, b int) bool { return encoded[a].Name == encoded[b].Name },
		t.beside(t.Data.Y)...)
	switch {
	case j >= 0 && slices.Contains(t.Options.KeepFeatures, encoded[j].Name):
		return nil
	case j >= 0:
		return t.doubt(warning.New(warning.Copies, encoded[j].Name, "%d of %d rows of %s are copies of "+
			"others in all columns but %q, and copies make intervals too narrow: leave it out to count "+
			"them once", kin.Repeats+kin.Sets, table.Rows, table.File, encoded[j].Name),
			tabular.OptionIgnore, tabular.OptionKeepFeature)
	}
	if n := rows.Near(t.Data.X, t.Data.Categorical, t.Data.Y, t.Schema.Labels != nil); n > 0 {
		return t.doubt(warning.New(warning.SameFeatures, "", "the rows of %s come in sets of %d that "+
			"are nearly alike, targets included: if a set is copies with noise, or one thing that was "+
			"measured several times, intervals are too narrow", table.File, n), tabular.OptionRepeated)
	}
	return nil
}

// encode learns the schema of a table and encodes it, with its groups and times.
func (t *Training) encode(table *tabular.Table, classifier bool) error {
	schema, err := tabular.Learn(table, t.Options.schema(classifier))
	if err != nil {
		return err
	}
	features, y, err := schema.Training(table)
	if err != nil {
		return err
	}
	t.Schema = schema
	t.Data = pfn.Training{X: features.Matrix, Categorical: schema.Categorical(), Y: y}
	return t.readSplits(table)
}

// beside adds the groups and times to columns.
func (t *Training) beside(columns ...[]float64) [][]float64 {
	var groups []float64
	for _, g := range t.Splits.Groups {
		groups = append(groups, float64(g))
	}
	columns = append(columns, groups, t.Splits.Times)
	return slices.DeleteFunc(columns, func(c []float64) bool { return c == nil })
}

// noteAlone warns of a column that determines the target, numbers or labels, alone or together with
// another one, unless KeepFeatures names it.
func (t *Training) noteAlone(labels bool) error {
	of, encoded := rows.Alone(t.Data.X, t.Data.Categorical, t.Data.Y, labels), t.Schema.Encoded()
	if len(of) == 0 || len(encoded) == 1 ||
		slices.Contains(t.Options.KeepFeatures, encoded[of[len(of)-1]].Name) {
		return nil
	}
	first, last := encoded[of[0]], encoded[of[len(of)-1]]
	how := "determines %[2]q alone"
	switch {
	case len(of) > 1:
		how = "determines %[2]q with %[3]q, by sum, difference, product or ratio"
	case last.Missing > 0:
		how = "is filled in for one value of %[2]q only"
	}
	return t.doubt(warning.New(warning.Alone, last.Name, "column %[1]q "+how+": if it is made "+
		"from the target, or not known of new rows, leave it out", last.Name, t.Schema.TargetName,
		first.Name), tabular.OptionIgnore, tabular.OptionKeepFeature)
}

// doubt adds a warning about a training table, or returns it as an error if the options are strict.
// The options are those of tabular.Noted.
func (t *Training) doubt(w warning.Warning, accept ...tabular.Option) error {
	if t.Options.Strict {
		return tabular.Noted(t.Schema.File, w.Text, w.Column, accept...)
	}
	t.Warnings = append(t.Warnings, w)
	return nil
}
