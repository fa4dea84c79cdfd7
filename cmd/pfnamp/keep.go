package main

import (
	"slices"
	"strings"

	"github.com/pfnamp/pfnamp/tabular"
)

// keepsAll tells whether --keep asks for every column of TEST.
func (o *contextOptions) keepsAll() bool { return slices.Equal(o.fit.Keep, []string{"all"}) }

// matchColumns checks that TEST has the columns that are used or kept, and returns notes on others.
// Of the columns to keep it takes away those that the names of folders have.
func (j *predictJob) matchColumns() ([]string, error) {
	keep := j.opt.fit.Keep
	if j.opt.keepsAll() {
		keep = j.queries.Names()
	}
	keep = slices.DeleteFunc(slices.Clone(keep), func(name string) bool {
		return slices.ContainsFunc(j.constants, func(c tabular.Constant) bool { return c.Name == name })
	})
	if !slices.Equal(keep, j.opt.fit.Keep) {
		j.opt.fit.Keep = keep
		schema := *j.schema
		schema.Kept = keep
		j.schema = &schema
	}
	return j.schema.Match(j.opt.test, j.askedNames())
}

// checkColumn refuses a TEST that lacks the column that a flag names.
func (j *predictJob) checkColumn(flag, name string) error {
	names := j.queries.Names()
	if slices.Contains(names, name) {
		return nil
	}
	e := tabular.NoColumn(j.opt.test, name, names)
	e.Hint = flag + " needs one of " + strings.Join(names, ", ")
	return e
}

// unused tells which columns of TEST are not used, kept or compared with; nil where all are.
func (j *predictJob) unused() func(string) bool {
	if j.opt.keepsAll() {
		return nil
	}
	used := append(j.schema.FeatureNames(), j.opt.joint.groupBy, j.opt.question.ConformalBy,
		j.schema.TargetName)
	used = append(used, j.opt.fit.Keep...)
	return func(name string) bool { return !slices.Contains(used, name) }
}
