package predict

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/run"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/heldout"
	"github.com/pfnamp/pfnamp/tabular"
	"github.com/urfave/cli/v2"
)

// queryTable is TEST, the source of a run: rows to predict, which it reads batch by batch.
type queryTable struct {
	*tabular.Reader
	job *predictJob

	constants []tabular.Constant // columns besides those of the file
	noted     int                // notes of the reader that were given when it was opened
	labelled  bool               // there is a column of the target
}

func (t *queryTable) open(ctx context.Context) error {
	j := t.job
	read := j.ReadTest()
	read.Stdin, read.Skip = stdio.Cancellable(ctx, j.Std.In), t.unused()
	if err := t.openReader(ctx, read); err != nil {
		return err
	}
	if read.Sheet != "" && t.Format() != tabular.Excel &&
		(j.From.Test.Sheet != "" || tabular.FormatOf(j.From.Train) != tabular.Excel) {
		j.Warnf("%s is not a workbook: --sheet %q has no effect", j.test, read.Sheet)
	}
	t.Add(t.constants...)
	if err := t.takeShard(ctx, read); err != nil {
		return err
	}
	if by := j.Question.GroupColumn(j.Schema); by != "" && by != heldout.ByMissing {
		if err := t.checkColumn("--conformal-by", by); err != nil {
			return err
		}
	}
	notes, err := t.matchColumns()
	if err != nil {
		return t.columnsRemedy(err)
	}
	t.noted = len(t.Notes())
	t.labelled = !j.From.One && slices.Contains(t.Names(), j.Schema.TargetName)
	for _, note := range slices.Concat(t.Notes(), notes) {
		j.Warnf("%s: %s", j.test, note)
	}
	return nil
}

func (t *queryTable) openReader(ctx context.Context, read tabular.ReadOptions) (err error) {
	if t.job.Rest != nil {
		t.job.Rest.Notes = nil // which were told when it was read
		t.Reader = t.job.Rest.Reader()
		return nil
	}
	t.Reader, err = stdio.UnlessStopped(ctx, func() (*tabular.Reader, error) {
		return tabular.Open(t.job.test, read)
	}, func(r *tabular.Reader) { r.Close() })
	return err
}

// takeShard limits the reader to the rows of the shard.
func (t *queryTable) takeShard(ctx context.Context, read tabular.ReadOptions) error {
	if t.job.shard.Count == 0 {
		return nil
	}
	all := t.Rows()
	if all < 0 {
		var err error
		if all, err = tabular.Count(ctx, t.job.test, read); err != nil {
			return err
		}
	}
	from, to := t.job.shard.Rows(all)
	t.Between(from, to)
	if from == to {
		t.job.Notef("shard %s of %s: no rows (of %d)", t.job.shard, t.job.test, all)
		return nil
	}
	t.job.Notef("shard %s of %s: rows %d to %d of %d", t.job.shard, t.job.test, from+1, to, all)
	return nil
}

// noteAbsent says how the features are read that TEST lacks.
func (t *queryTable) noteAbsent(absent []string) {
	how := "the model reads a constant there, so intervals are too narrow"
	if j := t.job; j.Question.Missing.Averages(j.Bundle.Manifest) {
		how = "the answers average over their possible values"
	}
	t.job.Warnf("%s lacks these columns of %s: %s. Their cells are unknown, which is not the same as "+
		"empty: %s", t.job.test, t.job.Schema.File, strings.Join(absent, ", "), how)
}

// absentFeatures lists the features that TEST lacks.
func (t *queryTable) absentFeatures() []string {
	has := t.Names()
	return slices.DeleteFunc(t.job.Schema.FeatureNames(), func(name string) bool {
		return slices.Contains(has, name)
	})
}

// columnsRemedy adds to the error about features that TEST lacks how to predict without them.
func (t *queryTable) columnsRemedy(err error) error {
	e, ok := errors.AsType[*tabular.Error](err)
	absent := len(t.absentFeatures())
	if !ok || t.job.missingColumns || absent == 0 || absent == len(t.job.Schema.Columns) {
		return err
	}
	return e.Also("--allow-missing-columns reads them as unknown")
}

// checkColumn refuses a TEST that lacks the column that a flag names.
func (t *queryTable) checkColumn(flag, name string) error {
	names := t.Names()
	if slices.Contains(names, name) {
		return nil
	}
	e := tabular.NoColumn(t.job.test, name, names)
	e.Hint = "use " + flag + " with one of " + strings.Join(names, ", ")
	return e
}

// matchColumns checks that TEST has the columns that are used or kept, and returns notes on others.
// Of the columns to keep it takes away those that the names of folders have.
func (t *queryTable) matchColumns() ([]string, error) {
	keep := t.job.From.Fit.Keep
	if t.job.From.KeepsAll() {
		keep = t.Names()
	}
	keep = slices.DeleteFunc(slices.Clone(keep), func(name string) bool {
		return slices.ContainsFunc(t.constants, func(c tabular.Constant) bool { return c.Name == name })
	})
	if !slices.Equal(keep, t.job.From.Fit.Keep) {
		t.job.From.Fit.Keep = keep
		schema := *t.job.Schema
		schema.Kept = keep
		t.job.Schema = &schema
	}
	names := t.askedNames()
	if absent := t.absentFeatures(); t.job.missingColumns && len(absent) > 0 {
		t.noteAbsent(absent)
		names = append(names, absent...)
	}
	return t.job.Schema.Match(t.job.test, names)
}

// askedNames lists the columns of TEST without one that only makes groups, which is used and no
// feature.
func (t *queryTable) askedNames() []string {
	used := append(t.job.Schema.FeatureNames(), t.job.Schema.Kept...)
	return slices.DeleteFunc(t.Names(), func(name string) bool {
		groups := name == t.job.joint.groupBy || name == t.job.Question.ConformalBy
		return groups && !slices.Contains(used, name)
	})
}

// unused tells which columns of TEST are not used, kept or compared with; nil where all are.
func (t *queryTable) unused() func(string) bool {
	if t.job.From.KeepsAll() {
		return nil
	}
	used := append(t.job.Schema.FeatureNames(), t.job.joint.groupBy, t.job.Question.ConformalBy,
		t.job.Schema.TargetName)
	used = append(used, t.job.From.Fit.Keep...)
	return func(name string) bool { return !slices.Contains(used, name) }
}

// parseShard reads --shard and refuses it where an answer needs all rows.
func (j *predictJob) parseShard(c *cli.Context) (err error) {
	j.shard, err = run.ParseShard(c)
	switch {
	case err != nil || j.shard.Count == 0:
		return err
	case j.test == "-" && !j.From.One:
		return fault.Option("shard", "reads TEST twice, so TEST cannot be standard input", "name a file")
	case j.joint.asked():
		return fault.Wrong("--joint, --summary and --bands need all rows of TEST together",
			"drop --shard")
	}
	return nil
}
