package main

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/evaluate"
	lab "github.com/pfnamp/pfnamp/evaluate/paper"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// evaluateJob is one run of `pfnamp evaluate`. Its methods are its stages, in the order in which
// runEvaluate calls them.
type evaluateJob struct {
	contextJob
	opt evaluateOptions

	tables   []evaluate.Table
	store    *evaluate.Store
	cells    []evaluate.Cell
	outcomes []evaluate.Outcome
}

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
	files, err := filepath.Glob(filepath.Join(j.opt.folder, "*.csv"))
	if err != nil || len(files) == 0 {
		return &tabular.Error{File: j.opt.folder, Msg: "no folder with CSV files",
			Hint: "name the folder that holds the tables of the benchmark"}
	}
	if err := j.checkFolder(files...); err != nil {
		return err
	}
	if j.bundle != nil {
		j.boundRows(j.bundle.Manifest)
	}
	for _, file := range files {
		if err := j.openBenchmark(ctx, file); err != nil {
			return err
		}
	}
	return nil
}

// openTable reads the one table, of which the target may choose the model.
func (j *evaluateJob) openTable(ctx context.Context) error {
	if err := j.checkFolder(j.from.train); err != nil {
		return err
	}
	if err := j.loadBundle(ctx); err != nil {
		return err
	}
	m, err := j.mostRows()
	if err != nil {
		return err
	}
	j.boundRows(m)
	if err := j.readTraining(ctx); err != nil {
		return j.tooManyRows(err, m)
	}
	if j.classifier() && j.opt.asked {
		return &usageError{msg: "--functional is about numbers, and " + j.bundle.Manifest.Name +
			" is a classifier", hint: "drop it: the probability of every class is scored"}
	}
	return j.addTable(j.from.train, j.training.Data)
}

// openBenchmark reads one table, whose last column is the target.
func (j *evaluateJob) openBenchmark(ctx context.Context, file string) error {
	train, err := unlessStopped(ctx, func() (*tabular.Table, error) {
		return tabular.ReadAll(ctx, file, j.from.read)
	}, nil)
	if err != nil {
		return j.tooManyRows(err, j.bundle.Manifest)
	}
	names := train.Names()
	t, err := pfnamp.Learn(train, models.Manifest{}, pfnamp.FitOptions{Target: names[len(names)-1]})
	if err != nil {
		return err
	}
	return j.addTable(file, t.Data)
}

// boundRows lets no table be read that has more rows than any split of it may have.
func (j *evaluateJob) boundRows(m models.Manifest) {
	if j.opt.rows > 0 {
		return
	}
	share := max(j.opt.setting.Share, 1-j.opt.setting.Share)
	j.from.read.MaxRows = int64(float64(m.Limits.MaxRows+1) / share)
}

// addTable takes a table, thinned to the rows asked for.
func (j *evaluateJob) addTable(file string, t pfn.Training) error {
	name, _, _ := strings.Cut(filepath.Base(file), ".")
	data := evaluate.Data{Matrix: t.X, Categorical: t.Categorical, Y: t.Y}
	if n := j.opt.rows; n > 0 && n < data.Rows {
		data = data.Sample(j.opt.setting.Seed, n)
	}
	table := evaluate.Table{Name: name, Data: data}
	if j.schema != nil && j.schema.Labels != nil {
		var present []int
		present, table.Data = data.Present(len(j.schema.Labels.Texts))
		table.Classes = j.schema.Labels.Subset(present).Texts
	}
	j.tables = append(j.tables, table)
	return nil
}

// loadFor loads the bundle, unless the exact model is asked for, and refuses one of another task than
// `what` needs.
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
			hint: "name one: --model BUNDLE (`pfnamp models list`)"}
	}
	if err != nil {
		return err
	}
	if m := j.bundle.Manifest; m.Task != task {
		return &usageError{
			msg:  fmt.Sprintf("%s needs a model for %s, and %s is for %s", what, task, m.Name, m.Task),
			hint: "name another --model",
		}
	}
	return nil
}

// openNetwork opens the model, unless the exact one is asked for.
func (j *evaluateJob) openNetwork(ctx context.Context) error {
	if j.opt.ideal {
		return nil
	}
	engine := j.from.engine()
	engine.Refit = true
	engine.Restore = j.opt.shards.merge != nil // nothing is computed
	engine.Late = engine.Restore
	for _, t := range j.tables {
		engine.Batch = max(engine.Batch, t.Rows)
	}
	if err := j.openEngine(ctx, engine); err != nil {
		return err
	}
	j.opt.setting.Model = network{j.model}
	if j.bundle.Manifest.Classifier() {
		classes := classNetwork{model: j.model}
		if len(j.tables) > 0 {
			classes.classes = len(j.tables[0].Classes)
		}
		j.opt.setting.Model = classes
	}
	return nil
}

// check refuses tables that cannot be evaluated, before anything is computed, and lists the cells.
func (j *evaluateJob) check(context.Context) error {
	j.opt.setting.Tables = j.tables
	for _, t := range j.tables {
		err := j.opt.setting.Check(t)
		if err == nil && j.bundle != nil {
			err = j.checkLimits(t, j.bundle.Manifest.Limits)
		}
		if err != nil {
			return rejected(t.Name, err)
		}
	}
	switch {
	case j.opt.study != nil:
		j.cells = j.opt.study.Cells(j.opt.setting)
	case j.tables[0].Classes != nil:
		j.cells = j.opt.setting.ClassCells(j.tables[0])
	default:
		j.cells = j.opt.setting.TableCells(j.tables[0])
	}
	return nil
}

// checkLimits refuses a table of which the model cannot read a part.
func (j *evaluateJob) checkLimits(t evaluate.Table, l models.Limits) error {
	train, test, err := j.opt.setting.Parts(t)
	if err != nil {
		return err
	}
	part := max(len(train), len(test))
	if part > l.MaxRows {
		return splitError(t.Name, l.MaxRows,
			fmt.Sprintf("a split has parts of %d and %d", len(train), len(test)))
	}
	err = j.model.CheckMemory(part, t.Cols)
	if err != nil {
		err = fmt.Errorf("%s: %w", t.Name, err)
	}
	return memoryFailure(err, "--rows", float64(part)/float64(t.Rows))
}

// splitError is the error of a table of which the model cannot read a part.
func splitError(file string, most int, why string) error {
	return &tabular.Error{File: file, Limit: true,
		Msg:  fmt.Sprintf("the model reads up to %d rows, and %s", most, why),
		Hint: fmt.Sprintf("take a random part of the table: --rows %d", 5*most/4)}
}

// tooManyRows words the refusal of a table that boundRows has led to.
func (j *evaluateJob) tooManyRows(err error, m models.Manifest) error {
	table, _ := errors.AsType[*tabular.Error](err)
	rows, ok := errors.AsType[*tabular.RowsError](err)
	if !ok {
		return err
	}
	size := count(int(rows.Rows), "row")
	if rows.More {
		size = "more than " + size
	}
	return splitError(table.File, m.Limits.MaxRows,
		"a part of every split of "+size+" has more")
}

// rejected turns what evaluate says of a table into an error about input data.
func rejected(table string, err error) error {
	var split *evaluate.SplitError
	var constant *evaluate.ConstantError
	var unit *evaluate.UnitError
	switch {
	case errors.As(err, &unit):
		return &tabular.Error{File: table, Hint: "give the target in another unit",
			Msg: fmt.Sprintf("the target's standard deviation is %.3g, and scores take its square",
				unit.Deviation)}
	case errors.As(err, &split):
		return &tabular.Error{File: table, Msg: split.Error(),
			Hint: "give more rows, or another --train-share"}
	case errors.As(err, &constant):
		return &tabular.Error{File: table,
			Msg: "the target is constant, so that there is nothing to score"}
	}
	return err
}

// openStore opens the folder of the results.
func (j *evaluateJob) openStore(context.Context) error {
	if j.opt.out == "" {
		return nil
	}
	var err error
	j.store, err = evaluate.OpenStore(j.opt.out, j.settingNames())
	var other *evaluate.StoreError
	switch {
	case errors.As(err, &other):
		return &usageError{msg: other.Error(), hint: "name another folder, or delete this one"}
	case err != nil:
		return outputFailure(err)
	}
	return nil
}

// settingNames says what the result of a part depends on; the number of splits is not among it, so
// that more can be added later.
func (j *evaluateJob) settingNames() map[string]string {
	s := j.opt.setting
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	names := map[string]string{
		"version": version(), "seed": strconv.FormatUint(s.Seed, 10), "level": number(s.Level),
		"chains": strconv.Itoa(s.Chains), "steps": strconv.Itoa(s.Steps), "model": "ideal",
	}
	if j.bundle != nil {
		names["model"] = j.bundle.Manifest.Name + " " + j.bundle.Manifest.Version
		names["model sha256"], names["members"] = j.bundle.SHA256(), strconv.Itoa(j.model.Members())
	}
	if j.opt.study != nil {
		names["study"] = j.opt.study.Name
		names["sets"], names["points"] = strconv.Itoa(s.Sets), strconv.Itoa(s.Points)
	}
	if len(j.tables) == 0 {
		return names
	}
	names["train-share"], names["bootstrap"] = number(s.Share), strconv.Itoa(s.Refits)
	var functionals []string
	for _, f := range s.Functionals {
		functionals = append(functionals, f.String())
	}
	if labels := j.tables[0].Classes; labels != nil {
		functionals = nil
		for _, label := range labels {
			functionals = append(functionals, "p="+label)
		}
	}
	names["functional"] = strings.Join(functionals, ",")
	for _, t := range j.tables {
		names["table "+t.Name] = fingerprint(t.Data)
	}
	return names
}

// fingerprint is a hash of a table's values.
func fingerprint(d evaluate.Data) string {
	hash := fnv.New64a()
	fmt.Fprint(hash, d.Rows, d.Cols, d.Categorical)
	var bits [8]byte
	for _, list := range [][]float64{d.Data, d.Y} {
		for _, v := range list {
			for i := range bits {
				bits[i] = byte(math.Float64bits(v) >> (8 * i))
			}
			hash.Write(bits[:])
		}
	}
	return fmt.Sprintf("%d rows, %016x", d.Rows, hash.Sum64())
}

// run computes the cells that are not there yet.
func (j *evaluateJob) run(ctx context.Context) error {
	progress := j.telling()
	progress.doing, progress.unit, progress.total = "", "parts", int64(len(j.cells))
	progress.begin()
	defer progress.finish()
	var err error
	j.outcomes, err = evaluate.Run(ctx, j.cells, j.store, j.opt.setting.Workers, func(n int) {
		progress.count(int64(n))
	})
	return err
}

func listStudies(std stdio) error {
	var lines []string
	for _, s := range lab.Studies() {
		lines = append(lines, fmt.Sprintf("%-12s %s", s.Name, s.Title))
	}
	return writeLines(std.out, lines...)
}
