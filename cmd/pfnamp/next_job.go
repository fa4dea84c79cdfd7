package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/internal/atomicfile"
	"github.com/pfnamp/pfnamp/next"
	"github.com/pfnamp/pfnamp/tabular"
)

// nextJob is one run of `pfnamp next`. Its methods are its stages, in the order in which runNext
// calls them.
type nextJob struct {
	contextJob
	opt   nextOptions
	start time.Time

	candidates *tabular.Table
	estimates  []amp.Estimate // of the mean, by candidate
	choices    []next.Choice
}

// checkTask refuses a model of classes. A state chooses its model only when it is open.
func (j *nextJob) checkTask(context.Context) error {
	if j.bundle == nil {
		return nil
	}
	return j.words().ranked(j.bundle.Manifest)
}

// openContext is open, but says of a target without numbers what next can do with it: next has no
// --task.
func (j *nextJob) openContext(ctx context.Context) error {
	err := j.open(ctx)
	e, ok := errors.AsType[*tabular.Error](err)
	if !ok || e.Fault != tabular.TargetType && e.Fault != tabular.TargetCells {
		return err
	}
	refused := *e
	refused.Fault, refused.Hint = 0, rankable
	if e.Fault == tabular.TargetCells {
		refused.Hint = "write a finite number in every row; or " + rankable
	}
	return &refused
}

// read reads the candidates and their costs.
func (j *nextJob) read(ctx context.Context) error {
	read := j.from.read
	read.Stdin, read.Skip, read.MaxRows = stdio.Cancellable(ctx, j.std.In), nil, next.MostRows
	read.Names = j.schema.FeatureNames()
	var err error
	j.candidates, err = stdio.UnlessStopped(ctx, func() (*tabular.Table, error) {
		return tabular.ReadAll(ctx, j.opt.candidates, read)
	}, nil)
	if err != nil {
		return err
	}
	for _, note := range j.candidates.Notes {
		j.warnf("%s: %s", j.opt.candidates, note)
	}
	features := j.schema.FeatureNames()
	notes, err := j.schema.Match(j.opt.candidates,
		slices.DeleteFunc(j.candidates.Names(), func(name string) bool {
			return name == j.opt.cost && !slices.Contains(features, name)
		}))
	if err != nil {
		return err
	}
	for _, note := range notes {
		j.warnf("%s: %s", j.opt.candidates, note)
	}
	if err := j.checkNames(); err != nil {
		return err
	}
	if j.candidates.Rows == 0 {
		return &tabular.Error{File: j.opt.candidates, Msg: "the table has no row to choose from"}
	}
	if n := int64(j.opt.choice.Batch); n > j.candidates.Rows {
		return fault.Option("batch", fmt.Sprintf("%d: %s has only %s", n, j.opt.candidates,
			count(int(j.candidates.Rows), "row")), "")
	}
	return j.readCosts()
}

// checkNames refuses candidates with the name of a computed column.
func (j *nextJob) checkNames() error {
	for _, name := range nextColumns {
		if slices.Contains(j.candidates.Names(), name) {
			return fault.Wrong(fmt.Sprintf("output column %q exists twice", name),
				fmt.Sprintf("rename the column %q of %s", name, j.opt.candidates))
		}
	}
	return nil
}

// readCosts reads the column of --cost.
func (j *nextJob) readCosts() error {
	name := j.opt.cost
	if name == "" {
		return nil
	}
	if !slices.Contains(j.candidates.Names(), name) {
		return tabular.NoColumn(j.opt.candidates, name, j.candidates.Names())
	}
	ignore := slices.DeleteFunc(j.candidates.Names(), func(n string) bool { return n == name })
	schema, err := tabular.Learn(j.candidates, tabular.SchemaOptions{Ignore: ignore,
		Numeric: []string{name}})
	const hint = "write the cost, or remove the row"
	var wrong *tabular.Error
	if errors.As(err, &wrong) {
		return wrong.WithHint(hint)
	}
	if err != nil {
		return err
	}
	for _, batch := range j.candidates.Batches {
		f, err := schema.Features(batch)
		if err != nil {
			return err
		}
		for i := range f.Rows {
			cost := f.Row(i)[0]
			if !(cost > 0) || math.IsInf(cost, 1) {
				return &tabular.Error{File: j.opt.candidates, Row: batch.First + int64(i) + 1,
					Column: name, Msg: "a cost must be a number above 0",
					Hint: hint}
			}
			j.opt.choice.Costs = append(j.opt.choice.Costs, cost)
		}
	}
	return nil
}

// load starts onnxruntime. For learning, the graph that reads rows stays loaded, because the
// network reads again in cross-validation.
func (j *nextJob) load(ctx context.Context) error {
	opt := j.from.engine()
	opt.Refit = j.opt.choice.Goal.Aim == next.Learn
	return j.openEngine(ctx, opt)
}

// choose predicts the candidates and the rows of the context, and chooses.
func (j *nextJob) choose(ctx context.Context) error {
	p, err := j.fitted.Prepare(ctx, j.opt.question)
	if err != nil {
		return err
	}
	defer p.Close()
	var queries []*pfnamp.Query
	for _, batch := range j.candidates.Batches {
		q, err := p.Encode(batch)
		if err != nil {
			return err
		}
		queries = append(queries, q)
	}
	known := j.fitted.ContextRows()
	if known.X.Rows == 0 {
		return &tabular.Error{File: j.from.train, Msg: "the state keeps no rows, so the best one is " +
			"unknown",
			Hint: "fit again with this version of pfnamp"}
	}
	answers, err := p.Answers(ctx, append(queries, p.Encoded(known.X))...)
	if err != nil {
		return err
	}
	var told toldCells
	for _, a := range answers[:len(queries)] {
		told.add(a)
		j.estimates = append(j.estimates, a.Posteriors[0].Estimates[0]...)
	}
	told.note(&j.contextJob, j.opt.candidates)
	if err := p.RefuseNew(j.opt.candidates, len(j.estimates), told.cells); err != nil {
		return err
	}
	beliefs, err := next.Believe(ctx, p, j.opt.choice, answers...)
	if err != nil {
		return err
	}
	if j.opt.choice.Goal.Aim == next.Learn {
		j.notef("weight of the network %.2f, of a Gaussian process %.2f", beliefs[0].Weight,
			beliefs[1].Weight)
	}
	j.choices, err = next.Choose(beliefs, len(j.estimates), j.opt.choice)
	j.noteOutside(answers[:len(queries)])
	return err
}

// noteOutside notes candidates outside the range of the context.
func (j *nextJob) noteOutside(answers []*pfnamp.Answer) {
	outside := map[string]int{}
	for _, a := range answers {
		for name, n := range a.Outside {
			outside[name] += n
		}
	}
	for _, name := range j.schema.FeatureNames() {
		if n := outside[name]; n > 0 {
			j.warnf("%s: column %q: %s outside the range of %s: the model extrapolates there",
				j.opt.candidates, name, count(n, "row"), j.from.train)
		}
	}
}

// Names of computed columns.
var nextColumns = []string{"rank", "row", "gain", "mean", "mean_lo", "mean_hi"}

// write writes the choices, each with the columns of its candidate, and prints a summary.
func (j *nextJob) write(ctx context.Context) error {
	fields := []arrow.Field{{Name: nextColumns[0], Type: arrow.PrimitiveTypes.Int64},
		{Name: nextColumns[1], Type: arrow.PrimitiveTypes.Int64}}
	for _, name := range nextColumns[2:] {
		fields = append(fields, arrow.Field{Name: name, Type: arrow.PrimitiveTypes.Float64})
	}
	schema := arrow.NewSchema(append(fields, j.candidates.Schema.Fields()...), nil)
	format, err := tableFormat(j.opt.out, j.opt.format)
	if err != nil {
		return err
	}
	if j.opt.out == "-" && j.opt.format == tabular.Auto && stdio.Terminal(j.std.Out) {
		return j.show(schema)
	}
	table, err := createTable(ctx, j.opt.out, schema, tabular.WriteOptions{Format: format,
		Stdout: j.std.Table()})
	if err != nil {
		return fault.Writing(err)
	}
	err = j.records(schema, func(r arrow.RecordBatch) error { return table.Write(r) })
	if err != nil {
		table.Abort()
		return fault.Writing(err)
	}
	if err := commitTogether(table.Finish); err != nil {
		return err
	}
	return j.noteChoices()
}

// show shows the choices on a terminal.
func (j *nextJob) show(schema *arrow.Schema) error {
	shown := openScreen(j.std.Out, j.opt.digits, nil, nil)
	for i, field := range schema.Fields() {
		kind := asItIs
		if i > 1 && i < len(nextColumns) {
			kind = ofTarget
		}
		shown.names, shown.scales = append(shown.names, field.Name), append(shown.scales, kind)
	}
	err := j.records(schema, func(r arrow.RecordBatch) error { shown.add(r); return nil })
	if err != nil {
		return err
	}
	printed := func() (*atomicfile.File, error) { return nil, shown.finish() }
	if err := commitTogether(printed); err != nil {
		return err
	}
	return j.noteChoices()
}

// records makes a record of every choice in turn.
func (j *nextJob) records(schema *arrow.Schema, take func(arrow.RecordBatch) error) error {
	for rank, c := range j.choices {
		e := j.estimates[c.Candidate]
		var columns []arrow.Array
		for _, n := range []int{rank + 1, c.Candidate + 1} {
			b := array.NewInt64Builder(memory.DefaultAllocator)
			b.Append(int64(n))
			columns = append(columns, b.NewArray())
		}
		for _, v := range []float64{c.Gain, e.Point, e.Lo, e.Hi} {
			b := array.NewFloat64Builder(memory.DefaultAllocator)
			b.Append(v)
			columns = append(columns, b.NewArray())
		}
		rounded(columns, j.opt.digits)
		batch, at := j.batchOf(c.Candidate)
		for _, kept := range batch.Record.Columns() {
			columns = append(columns, array.NewSlice(kept, at, at+1))
		}
		record := array.NewRecordBatch(schema, columns, 1)
		err := take(record)
		record.Release()
		for _, column := range columns {
			column.Release()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// batchOf is the batch of a candidate, and its row in it.
func (j *nextJob) batchOf(candidate int) (*tabular.Batch, int64) {
	for _, batch := range j.candidates.Batches {
		if candidate < batch.Rows() {
			return batch, int64(candidate)
		}
		candidate -= batch.Rows()
	}
	panic("a candidate that no batch has")
}

// noteChoices prints a summary: the number of rows, the goal, the time and the output.
func (j *nextJob) noteChoices() error {
	to := j.opt.out
	if to == "-" {
		to = "standard output"
	}
	j.notef("%s ranked for %s in %.2f s -> %s", count(len(j.choices), "row"), j.opt.choice.Goal,
		time.Since(j.start).Seconds(), to)
	if !j.from.json {
		return nil
	}
	r, err := j.contextJob.result("next", []string{j.opt.out})
	if err != nil {
		return err
	}
	w := j.std.Out
	if j.opt.out == "-" {
		w = j.std.Err
	}
	return encodeJSON(w, r)
}
