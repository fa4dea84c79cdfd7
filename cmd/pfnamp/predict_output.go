package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/internal/atomicfile"
	"github.com/pfnamp/pfnamp/tabular"
)

// checkKinds refuses names of a picture, a page or a table that do not fit what they are to hold.
func checkKinds(out, plot, report string, format tabular.Format) error {
	if plot != "" && pictureFormat(plot) == "" {
		return &usageError{msg: "--plot " + quote(plot) + " is neither .png nor .svg"}
	}
	if report != "" && !isPage(report) {
		return &usageError{msg: "--report " + quote(report) + " is not named .html"}
	}
	if pictureFormat(out) != "" || isPage(out) {
		return nil
	}
	_, err := tableFormat(out, format)
	return err
}

// checkOutputs refuses destinations that cannot be written, before anything is read.
func (j *predictJob) checkOutputs(ctx context.Context) error {
	o := &j.opt
	for _, path := range []string{o.out, o.plot, o.report, o.summaryJSON} {
		if err := checkDistinct(path, o.train, o.test); err != nil {
			return err
		}
	}
	if err := checkKinds(o.out, o.plot, o.report, o.format); err != nil {
		return err
	}
	if err := o.joint.checkNames(); err != nil {
		return err
	}
	if err := checkTableNames(map[string]string{"--samples-file": o.samplesFile}); err != nil {
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

// openSinks checks the destinations and opens them before the model runs, so that a wrong path
// costs nothing. What is open already is discarded when the job is closed.
func (j *predictJob) openSinks(ctx context.Context) error {
	table, plot, page, err := j.opt.places()
	if err != nil {
		return err
	}
	j.labels = testLabels{j.schema, j.predictor}
	if j.opt.checked {
		j.check = &checkSink{job: j}
		j.sinks = append(j.sinks, j.check)
	}
	next := &j.sinks // where answers go that have their bands
	if j.opt.joint.asked() {
		coupled, err := j.openJoint(ctx)
		if err != nil {
			return err
		}
		for _, part := range coupled.parts {
			if b, ok := part.(*bands); ok {
				next = &b.next
			}
		}
	}
	for _, open := range []struct {
		path string
		sink func(context.Context, string) (sink, error)
	}{{plot, j.openDrawing}, {page, j.openReport}, {table, j.openTable},
		{j.opt.samplesFile, j.openLabelDraws}} {
		if open.path == "" {
			continue
		}
		made, err := open.sink(ctx, open.path)
		if err != nil {
			return err
		}
		*next = append(*next, made)
	}
	j.counts = &counters{subject: j.subject(),
		late: func() []string { return j.queries.Notes()[j.queries.noted:] }}
	j.sinks = append(j.sinks, j.counts)
	return nil
}

// places are the files of the table, the figure and the page, "" for none: -o may name any of them.
func (o *predictOptions) places() (table, plot, page string, err error) {
	table, plot, page = o.out, o.plot, o.report
	switch {
	case pictureFormat(table) != "":
		if plot != "" || o.format != tabular.Auto {
			err = &usageError{msg: "-o " + table + " is a figure already; drop --plot and --to"}
		}
		return "", table, page, err
	case isPage(table):
		if page != "" || o.format != tabular.Auto {
			err = &usageError{msg: "-o " + table + " is a report already; drop --report and --to"}
		}
		return "", plot, table, err
	}
	return table, plot, page, nil
}

// onScreen tells whether a terminal shows the table instead of path.
func (j *predictJob) onScreen(path string) bool {
	return path == "-" && j.opt.format == tabular.Auto && terminal(j.std.out)
}

// openTable opens the table, or the screen of a terminal.
func (j *predictJob) openTable(ctx context.Context, path string) (sink, error) {
	fields, err := j.fields()
	if err != nil {
		return nil, err
	}
	format, err := tableFormat(path, j.opt.format)
	if err != nil {
		return nil, err
	}
	if path == "-" && !format.Text() && terminal(j.std.out) {
		return nil, &usageError{
			msg:  "refusing to write binary " + format.String() + " data to a terminal",
			hint: "name a file with -o, or pipe the output",
		}
	}
	j.columns = fields
	to := recorder{arrow.NewSchema(fields, nil), j.opt.fit.Keep, j.layout, j.opt.digits}
	if j.onScreen(path) {
		names, scales := j.screenColumns()
		shown := openScreen(j.std.out, j.opt.digits, names, scales)
		shown.blocks = j.screenBlocks()
		return &screenSink{to, shown}, nil
	}
	metadata, err := j.fileMetadata(format)
	if err != nil {
		return nil, err
	}
	table, err := createTable(ctx, path, to.schema, tabular.WriteOptions{
		Format: format, Stdout: j.std.table(), Metadata: metadata,
		EscapeFormulas: j.opt.escape, Flush: path == "-" && j.opt.test == "-",
	})
	if kept, ok := errors.AsType[*tabular.Error](err); ok && kept.Column != "" {
		return nil, &tabular.Error{File: j.opt.test, Column: kept.Column, Msg: kept.Msg,
			Hint: "leave it out of --keep"}
	}
	if err != nil {
		return nil, outputFailure(err)
	}
	return &tableSink{to, table}, nil
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
	for _, name := range j.opt.fit.Keep {
		kept, _ := j.queries.Schema().FieldsByName(name) // Match has found the column
		fields = append(fields, kept...)
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
	if computed, err = j.opt.named(computed); err != nil {
		return nil, columnFailure(err)
	}
	for _, field := range computed {
		if slices.ContainsFunc(j.opt.fit.Keep, func(kept string) bool {
			return j.opt.sameColumn(kept, field.Name)
		}) {
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
