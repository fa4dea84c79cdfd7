package next

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/words"
	"github.com/pfnamp/pfnamp/joint"
	"github.com/pfnamp/pfnamp/next"
	"github.com/pfnamp/pfnamp/tabular"
	"github.com/pfnamp/pfnamp/warning"
)

// rankable says which targets rank rows.
const rankable = "name a target of numbers, or write two classes as 0 and 1"

// checkTask refuses a model of classes. A state chooses its model only when it is open.
func (j *nextJob) checkTask(context.Context) error {
	if j.Bundle == nil || !j.Classes() {
		return nil
	}
	return fault.Wrong(fmt.Sprintf("next ranks rows by a number, but the model %s predicts "+
		"classes", j.Bundle.Manifest.Name), rankable)
}

// openContext is open, but says of a target without numbers what next can do with it: next has no
// --task.
func (j *nextJob) openContext(ctx context.Context) error {
	err := j.Open(ctx)
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

func (j *nextJob) read(ctx context.Context) error {
	read, features := j.ReadTest(), j.Schema.FeatureNames()
	read.Skip, read.MaxRows = nil, next.MostRows
	var err error
	if j.candidates, err = j.ReadTable(ctx, j.file, read); err != nil {
		return err
	}
	notes, err := j.Schema.Match(j.file,
		slices.DeleteFunc(j.candidates.Names(), func(name string) bool {
			return name == j.cost && !slices.Contains(features, name)
		}))
	if err != nil {
		return err
	}
	for _, note := range slices.Concat(j.candidates.Notes, notes) {
		j.Warnf("%s: %s", j.file, note)
	}
	for _, f := range computed.Fields() {
		if slices.Contains(j.candidates.Names(), f.Name) {
			return fault.Wrong(fmt.Sprintf("output column %q exists twice", f.Name),
				fmt.Sprintf("rename the column %q of %s", f.Name, j.file))
		}
	}
	if j.candidates.Rows == 0 {
		return &tabular.Error{File: j.file, Msg: "the table has no row to choose from"}
	}
	if n := int64(j.choice.Batch); n > j.candidates.Rows {
		return fault.Option("batch", fmt.Sprintf("%d: %s has only %s", n, j.file,
			words.Count(int(j.candidates.Rows), "row")), "")
	}
	return j.readCosts()
}

func (j *nextJob) readCosts() error {
	name := j.cost
	if name == "" {
		return nil
	}
	if !slices.Contains(j.candidates.Names(), name) {
		return tabular.NoColumn(j.file, name, j.candidates.Names())
	}
	ignore := slices.DeleteFunc(j.candidates.Names(), func(n string) bool { return n == name })
	schema, err := tabular.Learn(j.candidates, tabular.SchemaOptions{Ignore: ignore,
		Numeric: []string{name}})
	const hint = "write the cost, or remove the row"
	if wrong, ok := errors.AsType[*tabular.Error](err); ok {
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
				return &tabular.Error{File: j.file, Row: batch.First + int64(i) + 1, Column: name,
					Msg: "a cost must be a number above 0", Hint: hint}
			}
			j.choice.Costs = append(j.choice.Costs, cost)
		}
	}
	return nil
}

func (j *nextJob) choose(ctx context.Context) error {
	p, err := j.Fitted.Prepare(ctx, j.question)
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
	known := j.Fitted.ContextRows()
	answers, err := p.Answers(ctx, append(queries, p.Encoded(known.X))...)
	if err != nil {
		return err
	}
	var told warning.Tally
	for _, a := range answers[:len(queries)] {
		told.Add(a.Tally)
		j.estimates = append(j.estimates, a.Posteriors[0].Estimates[0]...)
	}
	outside := told.Outside
	told.Outside, told.Known = nil, 0 // what matters here is said below
	j.NoteRows(p, j.file, told)
	if err := p.RefuseNew(j.file, told); err != nil {
		return err
	}
	beliefs, err := next.Believe(ctx, p, j.choice, answers...)
	if err != nil {
		return err
	}
	if j.choice.Goal.Aim == next.Learn {
		j.Notef("weight of the network %.2f, of a Gaussian process %.2f", beliefs[0].Weight,
			beliefs[1].Weight)
	}
	j.choices, err = next.Choose(beliefs, len(j.estimates), j.choice)
	for _, name := range j.Schema.FeatureNames() {
		if n := outside[name]; n > 0 {
			j.Warnf("%s: column %q: %s outside the range of %s: the model extrapolates there",
				j.file, name, words.Count(n, "row"), j.From.Train)
		}
	}
	return err
}

// computed are the columns before those of the candidates.
var computed = arrow.NewSchema([]arrow.Field{
	{Name: "rank", Type: arrow.PrimitiveTypes.Int64},
	{Name: "row", Type: arrow.PrimitiveTypes.Int64},
	{Name: "gain", Type: arrow.PrimitiveTypes.Float64},
	{Name: "mean", Type: arrow.PrimitiveTypes.Float64},
	{Name: "mean_lo", Type: arrow.PrimitiveTypes.Float64},
	{Name: "mean_hi", Type: arrow.PrimitiveTypes.Float64},
}, nil)

func (j *nextJob) write(ctx context.Context) error {
	var outputs output.Files
	defer outputs.Discard()
	fields := slices.Concat(computed.Fields(), j.candidates.Schema.Fields())
	table, err := outputs.Table(ctx, j.to, j.Std, output.View{Schema: arrow.NewSchema(fields, nil),
		Scale: func(column int, _ string) output.Scale {
			if column < computed.NumFields() {
				return output.OfTarget
			}
			return output.AsItIs
		}})
	if err != nil {
		return err
	}
	for rank, c := range j.choices {
		if err := table.Write(j.columns(rank, c, table.Digits)); err != nil {
			return err
		}
	}
	if err := outputs.Commit(); err != nil {
		return err
	}
	j.Notef("%s ranked for %s in %.2f s -> %s", words.Count(len(j.choices), "row"), j.choice.Goal,
		time.Since(j.Start).Seconds(), output.Named(j.to.Written()))
	return j.TellResult(ctx, j.to, nil)
}

func (j *nextJob) columns(rank int, c next.Choice, digits int) (columns []arrow.Array) {
	e, line := j.estimates[c.Candidate], joint.NewLines(computed)
	line.Add(int64(rank+1), int64(c.Candidate+1), c.Gain, e.Point, e.Lo, e.Hi)
	columns = output.Rounded(line.Record().Columns(), digits)
	batch, at := j.batchOf(c.Candidate)
	for _, kept := range batch.Record.Columns() {
		columns = append(columns, array.NewSlice(kept, at, at+1))
	}
	return columns
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
