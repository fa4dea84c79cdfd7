package predict

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/run"
	"github.com/pfnamp/pfnamp/tabular"
)

// answered are the rows of a batch with their answers, in order.
type answered struct {
	*tabular.Batch
	*pfnamp.Answer
	labels []float64 // that the query table has itself, NaN where there is none
	read   []bool    // whether the model has read the label
}

// answered adds to a batch and its answers the labels of the batch.
func (j *predictJob) answered(batch *tabular.Batch, a *pfnamp.Answer) answered {
	labels := j.Schema.Observed(batch)
	read := make([]bool, len(labels))
	for i, y := range labels {
		read[i] = !math.IsNaN(y) && j.Predictor.Read(a, i, y)
	}
	return answered{batch, a, labels, read}
}

func (a answered) rows() int { return a.Answer.Rows() }

// sink takes the answers of a run: the table, a figure, a report, draws and averages of rows
// together, counters. A new one is a type with these methods, and a line where sinks are opened.
type sink interface {
	// Add takes the rows of a batch.
	Add(ctx context.Context, a answered) error
	// Finish follows the last row, before the outputs are committed.
	Finish(ctx context.Context) error
}

// sinks are several that take the same answers.
type sinks []sink

func (s sinks) Add(ctx context.Context, a answered) error {
	for _, to := range s {
		if err := to.Add(ctx, a); err != nil {
			return err
		}
	}
	return nil
}

func (s sinks) Finish(ctx context.Context) error {
	for _, to := range s {
		if err := to.Finish(ctx); err != nil {
			return err
		}
	}
	return nil
}

// openSinks opens the sinks before the model reads, so that what is wrong with them costs nothing.
func (j *predictJob) openSinks(ctx context.Context) error {
	j.counts = &counters{job: j}
	next := &j.sinks // where answers go that have their bands
	if len(j.sets) > 0 {
		j.sinks = append(j.sinks, &whatIf{job: j})
	}
	if j.check != nil {
		j.sinks = append(j.sinks, j.check)
	}
	if j.joint.asked() {
		band, err := j.openJoint(ctx)
		if err != nil {
			return err
		}
		if band != nil {
			next = &band.next
		}
	}
	for _, output := range []struct {
		path string
		open func(context.Context) (sink, error)
	}{{j.to.Plot + j.to.Page, j.openPictures}, {j.to.Table, j.openTable}, {j.samples, j.openDraws}} {
		if output.path == "" {
			continue
		}
		made, err := output.open(ctx)
		if err != nil {
			return err
		}
		*next = append(*next, made)
	}
	j.sinks = append(j.sinks, j.counts)
	return nil
}

// fields lists the output columns: those kept, then those computed.
func (j *predictJob) fields() ([]arrow.Field, error) {
	var fields []arrow.Field
	var wrong []string // types
	for _, name := range j.From.Fit.Keep {
		kept, _ := j.queries.Schema().FieldsByName(name) // Match has found the column
		fields = append(fields, kept...)
		if _, unsupported := kept[0].Type.(*tabular.UnsupportedType); unsupported {
			wrong = append(wrong, strconv.Quote(name))
		}
	}
	if len(wrong) > 0 {
		return nil, &tabular.Error{File: j.test, Msg: "pfnamp cannot write the types of these " +
			"columns: " + strings.Join(wrong, ", "), Hint: "drop them from --keep"}
	}
	computed, err := j.Layout.Fields()
	if j.numbers() {
		computed = append([]arrow.Field{{Name: "row", Type: arrow.PrimitiveTypes.Int64}}, computed...)
	}
	if err == nil {
		computed, err = j.named(computed)
	}
	if err != nil {
		return nil, run.ColumnFailure(err)
	}
	for _, field := range computed {
		if slices.ContainsFunc(j.From.Fit.Keep, func(kept string) bool {
			// SQL does not tell upper from lower case
			return kept == field.Name || j.sql && strings.EqualFold(kept, field.Name)
		}) {
			return nil, run.ColumnFailure(&pfnamp.ColumnError{Name: field.Name})
		}
	}
	return append(fields, computed...), nil
}

// numbers tells whether a column numbers the rows: those of one table, where none is kept.
func (j *predictJob) numbers() bool { return j.From.One && len(j.From.Fit.Keep) == 0 }

// named are computed columns with the names that --names asks for.
func (j *predictJob) named(fields []arrow.Field) ([]arrow.Field, error) {
	if !j.sql {
		return fields, nil
	}
	made, from := slices.Clone(fields), map[string]string{}
	for i, field := range fields {
		name := sqlName(field.Name)
		if other, twice := from[name]; twice {
			return nil, fault.Option("names", fmt.Sprintf("sql would name both %q and %q %s", other,
				field.Name, name), "drop --names, or rename a label or a functional")
		}
		from[name], made[i].Name = field.Name, name
	}
	return made, nil
}

// own is the metadata that predict adds.
func (j *predictJob) own() (pairs [][2]string) {
	if j.shard.Count > 0 {
		pairs = append(pairs, [2]string{"pfnamp.shard", j.shard.String()})
	}
	if j.joint.bands {
		pairs = append(pairs, run.JointMetadata(j.Question, j.joint.length)...)
	}
	if j.sql {
		pairs = append(pairs, [2]string{"pfnamp.names", sqlNames})
	}
	return pairs
}

// tableSink writes the answers to the table: columns that are kept, then those that are computed.
type tableSink struct {
	*output.Table
	job *predictJob
}

// openTable opens the table, or the screen of a terminal.
func (j *predictJob) openTable(ctx context.Context) (sink, error) {
	fields, err := j.fields()
	if err != nil {
		return nil, err
	}
	plain, _ := j.Layout.Columns() // which --names may change
	table, err := j.outputs.Table(ctx, j.to, j.Std, output.View{
		Schema: arrow.NewSchema(fields, nil), Flush: j.to.Table == "-" && j.test == "-",
		Scale: func(column int, _ string) output.Scale {
			if k := column - (len(fields) - len(plain)); k >= 0 {
				return j.Scale(plain[k])
			}
			return output.AsItIs
		},
		Metadata: func(format tabular.Format) ([][2]string, error) {
			return j.FileMetadata(format, j.test, j.own()...)
		}})
	if kept, ok := errors.AsType[*tabular.Error](err); ok && kept.Column != "" {
		return nil, &tabular.Error{File: j.test, Column: kept.Column, Msg: kept.Msg,
			Hint: "drop it from --keep"}
	}
	return &tableSink{table, j}, err
}

func (t *tableSink) Add(_ context.Context, a answered) error {
	var columns []arrow.Array
	for _, name := range t.job.From.Fit.Keep {
		column, _ := a.Column(name)
		columns = append(columns, column)
	}
	if t.job.numbers() {
		numbers := array.NewInt64Builder(memory.DefaultAllocator)
		for i := range a.rows() {
			numbers.Append(a.Index(i) + 1)
		}
		columns = append(columns, numbers.NewArray())
	}
	computed, err := t.job.Layout.Arrays(a.Answer)
	if err != nil {
		return err
	}
	return t.Write(append(columns, output.Rounded(computed, t.Digits)...))
}

func (t *tableSink) Finish(context.Context) error { return nil }

// besideTable opens a table beside that of the answers, with metadata of its own.
func (j *predictJob) besideTable(
	ctx context.Context, path string, schema *arrow.Schema, own ...[2]string,
) (*output.Table, error) {
	fields, err := j.named(schema.Fields())
	if err != nil {
		return nil, run.ColumnFailure(err)
	}
	metadata, err := j.FileMetadata(tabular.FormatOf(path), j.test, j.own()...)
	if err != nil {
		return nil, err
	}
	return j.outputs.File(ctx, path, arrow.NewSchema(fields, nil), j.to.Digits,
		tabular.WriteOptions{EscapeFormulas: j.to.Escape, Metadata: append(metadata, own...)})
}
