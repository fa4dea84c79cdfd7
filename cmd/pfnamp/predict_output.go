package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/internal/atomicfile"
	"github.com/pfnamp/pfnamp/tabular"
)

// output is where the results go: a table, a figure, a report, or several of them.
type output struct {
	table     *tabular.Writer // nil where only a figure or a report is asked for
	schema    *arrow.Schema
	keep      []string
	layout    pfnamp.Layout     // of the computed columns
	digits    int               // significant ones of computed numbers, 0 for all
	learned   *tabular.Schema   // which reads labels that TEST has itself
	scores    evaluate.Labelled // against these
	predictor *pfnamp.Predictor
	read      int        // rows with a label that the model has read, which are not scored
	screen    *screen    // instead of the table, nil unless a terminal shows it
	drawing   *drawing   // nil where no figure is asked for
	report    *reporting // nil where no report is asked for

	unseen, near string // the first label that TRAIN lacks, and which one it may stand for
}

// checkOutputs refuses destinations that cannot be written, before anything is read.
func (j *predictJob) checkOutputs(ctx context.Context) error {
	o := &j.opt
	for _, path := range []string{o.out, o.plot, o.report, o.summaryJSON} {
		if err := checkDistinct(path, o.train, o.test); err != nil {
			return err
		}
	}
	if o.plot != "" && pictureFormat(o.plot) == "" {
		return &usageError{msg: "--plot " + quote(o.plot) + " is neither .png nor .svg"}
	}
	if o.report != "" && !isPage(o.report) {
		return &usageError{msg: "--report " + quote(o.report) + " is not named .html"}
	}
	if pictureFormat(o.out) == "" && !isPage(o.out) {
		if _, err := tableFormat(o.out, o.format); err != nil {
			return err
		}
	}
	if err := o.joint.checkNames(); err != nil {
		return err
	}
	for _, path := range o.destinations() {
		if path == "" || path == "-" {
			continue
		}
		if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
			continue // a device or a named pipe is opened once
		}
		file, err := createFile(ctx, path)
		if err != nil {
			return outputFailure(fmt.Errorf("%s: cannot be written: %w", path, err))
		}
		if err := file.Abort(); err != nil {
			return outputFailure(err)
		}
	}
	return nil
}

// openOutput checks the destinations and opens the table before the model
// runs, so that a wrong path costs nothing.
func (j *predictJob) openOutput(ctx context.Context) error {
	opt := j.opt
	out := &output{keep: opt.fit.Keep, layout: j.layout, digits: opt.digits,
		learned: j.schema}
	tablePath, plotPath, pagePath := opt.out, opt.plot, opt.report
	switch {
	case pictureFormat(opt.out) != "":
		if plotPath != "" || opt.format != tabular.Auto {
			return &usageError{msg: "-o " + opt.out + " is a figure already; drop --plot and --to"}
		}
		tablePath, plotPath = "", opt.out
	case isPage(opt.out):
		if pagePath != "" || opt.format != tabular.Auto {
			return &usageError{msg: "-o " + opt.out + " is a report already; drop --report and --to"}
		}
		tablePath, pagePath = "", opt.out
	}
	j.output = out // from here on, close discards what is not committed
	if plotPath != "" {
		var err error
		if out.drawing, err = j.openDrawing(ctx, plotPath); err != nil {
			return err
		}
	}
	if pagePath != "" {
		var err error
		if out.report, err = j.openReport(ctx, pagePath); err != nil {
			return err
		}
	}
	if tablePath == "" {
		return nil
	}
	return j.openTable(ctx, tablePath)
}

func (j *predictJob) openTable(ctx context.Context, path string) error {
	fields, err := j.fields()
	if err != nil {
		return err
	}
	format, err := tableFormat(path, j.opt.format)
	if err != nil {
		return err
	}
	if path == "-" && !format.Text() && terminal(j.std.out) {
		return &usageError{
			msg:  "refusing to write binary " + format.String() + " data to a terminal",
			hint: "name a file with -o, or pipe the output",
		}
	}
	j.output.schema = arrow.NewSchema(fields, nil)
	if path == "-" && j.opt.format == tabular.Auto && terminal(j.std.out) {
		names, scales := j.screenColumns()
		j.output.screen = openScreen(j.std.out, j.opt.digits, names, scales)
		return nil
	}
	metadata, err := j.fileMetadata(format)
	if err != nil {
		return err
	}
	j.output.table, err = createTable(ctx, path, j.output.schema, tabular.WriteOptions{
		Format: format, Stdout: j.std.table(), Metadata: metadata,
		EscapeFormulas: j.opt.escape, Flush: path == "-" && j.opt.test == "-",
	})
	if kept, ok := errors.AsType[*tabular.Error](err); ok && kept.Column != "" {
		return &tabular.Error{File: j.opt.test, Column: kept.Column, Msg: kept.Msg,
			Hint: "leave it out of --keep"}
	}
	return outputFailure(err)
}

// createTable is tabular.Create, which waits for a reader of a named pipe.
func createTable(
	ctx context.Context, path string, schema *arrow.Schema, opt tabular.WriteOptions,
) (*tabular.Writer, error) {
	return unlessStopped(ctx, func() (*tabular.Writer, error) {
		return tabular.Create(path, schema, opt)
	}, func(w *tabular.Writer) { w.Abort() })
}

// createFile is atomicfile.Create, likewise.
func createFile(ctx context.Context, path string) (*atomicfile.File, error) {
	return unlessStopped(ctx, func() (*atomicfile.File, error) {
		return atomicfile.Create(path)
	}, func(f *atomicfile.File) { f.Abort() })
}

// tableFormat is the format asked for, else the one that the name tells, else CSV. It refuses
// a name that tells another format, or one that is not known.
func tableFormat(path string, asked tabular.Format) (tabular.Format, error) {
	told := tabular.FormatOf(path)
	if !told.Written() {
		told = tabular.Auto
	}
	switch {
	case asked != tabular.Auto && told != tabular.Auto && asked != told:
		return asked, &usageError{
			msg: "-o " + path + " is not the name of a file of --to " + asked.String(),
		}
	case asked == tabular.Auto && told == tabular.Auto && filepath.Ext(path) != "":
		return told, &usageError{
			msg:  "-o " + path + ": the extension tells no format",
			hint: "name it " + either(outputNames(), "or") + ", or give --to",
		}
	case asked == tabular.Auto && told == tabular.Auto:
		asked = tabular.CSV
	}
	return writtenFormat("-o", path, asked)
}

// outputFailure marks an error as one of the output; nil stays nil.
func outputFailure(err error) error {
	if err == nil {
		return nil
	}
	return &outputError{err}
}

// fields lists the output columns: those kept, then those computed.
func (j *predictJob) fields() ([]arrow.Field, error) {
	var fields []arrow.Field
	var wrong []string // types
	taken := map[string]bool{}
	for _, name := range j.opt.fit.Keep {
		kept, _ := j.queries.Schema().FieldsByName(name) // Match has found the column
		fields = append(fields, kept...)
		taken[name] = true
		if _, unsupported := kept[0].Type.(*tabular.UnsupportedType); unsupported {
			wrong = append(wrong, quote(name))
		}
	}
	if len(wrong) > 0 {
		return nil, &tabular.Error{File: j.opt.test, Msg: "columns of types that cannot be written: " +
			strings.Join(wrong, ", "), Hint: "leave them out of --keep"}
	}
	computed, err := j.layout.Fields()
	if err != nil {
		return nil, columnFailure(err)
	}
	for _, field := range computed {
		if taken[field.Name] {
			return nil, columnFailure(&pfnamp.ColumnError{Name: field.Name})
		}
	}
	return append(fields, computed...), nil
}

// columnFailure words the refusal of a column that comes twice; nil stays nil.
func columnFailure(err error) error {
	if twice, ok := errors.AsType[*pfnamp.ColumnError](err); ok {
		return &usageError{
			msg:  fmt.Sprintf("output column %q exists twice", twice.Name),
			hint: "choose a --prefix for the computed columns, or drop one",
		}
	}
	return err
}

// write appends one batch; bands are the limits of simultaneous bands, nil without.
func (o *output) write(batch *tabular.Batch, a *pfnamp.Answer, bands [][]amp.Estimate) error {
	labels := o.learned.Observed(batch)
	read := o.readLabels(a, labels)
	score(&o.scores, a, labels, read)
	if o.scores.Unseen > 0 && o.unseen == "" {
		o.unseen, o.near = o.learned.UnseenLabel(batch)
	}
	if o.drawing != nil {
		o.drawing.add(batch, a, labels)
	}
	if o.report != nil {
		o.report.add(batch, a, labels, read)
	}
	if o.table == nil && o.screen == nil {
		return nil
	}
	columns := make([]arrow.Array, 0, o.schema.NumFields())
	for _, name := range o.keep {
		column, _ := batch.Column(name)
		columns = append(columns, column)
	}
	computed, err := o.layout.Arrays(a, bands)
	if err != nil {
		return err
	}
	rounded(computed, o.digits)
	record := array.NewRecordBatch(o.schema, append(columns, computed...), int64(batch.Rows()))
	defer record.Release()
	if o.screen != nil {
		o.screen.add(record)
		return nil
	}
	return outputFailure(o.table.Write(record))
}

// finishers complete the report and the figure, then the table.
func (o *output) finishers() []finisher {
	var outputs []finisher
	if o.report != nil {
		outputs = append(outputs, o.report.finish)
	}
	if o.drawing != nil {
		outputs = append(outputs, o.drawing.finish)
	}
	if o.table != nil {
		outputs = append(outputs, o.table.Finish)
	}
	return outputs
}

// discard removes what has not been committed.
func (o *output) discard() {
	if o.table != nil {
		o.table.Abort()
	}
	if o.drawing != nil {
		o.drawing.file.Abort()
	}
	if o.report != nil {
		o.report.file.Abort()
	}
}

// checkDistinct refuses to write over a table that is read.
func checkDistinct(path string, inputs ...string) error {
	if path == "" || path == "-" {
		return nil
	}
	for _, input := range inputs {
		same, err := tabular.SameFile(path, input)
		if err != nil {
			return err
		}
		if same {
			return &usageError{
				msg:  "the output " + path + " is the input " + input,
				hint: "choose another name for the output",
			}
		}
	}
	return nil
}
