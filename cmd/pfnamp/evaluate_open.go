package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/folds"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// openSubject reads the tables.
func (j *evaluateJob) openSubject(ctx context.Context) error {
	if j.opt.study == nil {
		return j.openTable(ctx)
	}
	task := models.RegressionTask
	if j.opt.study.Classes {
		task = models.ClassificationTask
	}
	if err := j.loadFor(ctx, task, "the study "+j.opt.study.Name); err != nil {
		return err
	}
	switch {
	case j.opt.study.Name != benchmarkStudy:
		return nil
	}
	files, err := filepath.Glob(filepath.Join(j.opt.folder, "[^._]*.csv"))
	if err != nil || len(files) == 0 {
		return &tabular.Error{File: j.opt.folder, Msg: "this is not a folder with CSV files",
			Hint: "name the folder with the tables of the benchmark"}
	}
	if err := j.checkFolder(files...); err != nil {
		return err
	}
	for _, file := range files {
		if err := j.openBenchmark(ctx, file); err != nil {
			return err
		}
	}
	return nil
}

// openTable reads the one table, whose target may choose the model.
func (j *evaluateJob) openTable(ctx context.Context) error {
	if err := j.checkFolder(j.from.train); err != nil {
		return err
	}
	if err := j.loadBundle(ctx); err != nil {
		return err
	}
	j.from.fit.Subsample = pfnamp.WholeTable // addTable draws rows
	if err := j.readTraining(ctx); err != nil {
		return err
	}
	err := j.words().functionals(j.opt.asked, j.bundle.Manifest.Name+" is a classifier",
		"evaluate scores the probability of every class")
	if err != nil {
		return err
	}
	return j.addTable(j.from.train, j.training.Data, j.training.Splits)
}

// openBenchmark reads one table, whose last column is the target.
func (j *evaluateJob) openBenchmark(ctx context.Context, file string) error {
	train, err := unlessStopped(ctx, func() (*tabular.Table, error) {
		return tabular.ReadAll(ctx, file, j.from.read)
	}, nil)
	if err != nil {
		return err
	}
	names := train.Names()
	t, err := pfnamp.Learn(train, models.Manifest{}, pfnamp.FitOptions{Target: names[len(names)-1]})
	if err != nil {
		return err
	}
	return j.addTable(file, t.Data, t.Splits)
}

// mostRows returns the largest number of rows whose splits or folds the model can read, if they
// have about the same size; 0 means any number.
func (j *evaluateJob) mostRows() int {
	if j.bundle == nil {
		return 0
	}
	share := max(j.opt.setting.Share, 1-j.opt.setting.Share)
	if k := j.opt.setting.Folds; k > 0 {
		share = 1 - 1/float64(k)
	}
	return int(float64(j.bundle.Manifest.Limits.MaxRows-1) / share)
}

// addTable takes a table, thinned to the rows asked for, or to those that the model can read.
func (j *evaluateJob) addTable(file string, t pfn.Training, by folds.Columns) error {
	name := tabular.BaseName(file)
	data := evaluate.Data{Matrix: t.X, Categorical: t.Categorical, Y: t.Y}
	table := evaluate.Table{Name: name, Data: data, Groups: by.Groups, Times: by.Times}
	n := j.opt.rows
	if most := j.mostRows(); n == 0 && most > 0 && data.Rows > most {
		n = most
		j.warnf("%s: a random part of %d rows, of these %d, is used (--rows sets how many)", name, n,
			data.Rows)
	}
	if n > 0 && n < data.Rows {
		table = table.Sample(j.opt.setting.Seed, n)
	}
	if j.schema != nil && j.schema.Labels != nil {
		var present []int
		present, table.Data = table.Data.Present(len(j.schema.Labels.Texts))
		table.Classes = j.schema.Labels.Subset(present).Texts
	}
	j.tables = append(j.tables, table)
	return nil
}

// loadFor loads the bundle, unless the exact model is asked for, and refuses one of another task
// than `what` needs.
func (j *evaluateJob) loadFor(ctx context.Context, task, what string) error {
	if j.opt.ideal {
		return nil
	}
	if j.from.model == "" {
		j.from.task = task
	}
	err := j.loadBundle(ctx)
	if _, none := errors.AsType[*tabular.Error](err); none {
		return &usageError{msg: what + " needs a model for " + task,
			hint: "name one of `pfnamp models list`: --model BUNDLE"}
	}
	if err != nil {
		return err
	}
	if m := j.bundle.Manifest; m.Task != task {
		return &usageError{
			msg:  fmt.Sprintf("%s needs a model for %s, and %s is for %s", what, task, m.Name, m.Task),
			hint: "name one of `pfnamp models list`: --model BUNDLE",
		}
	}
	return nil
}
