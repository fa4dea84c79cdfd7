package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/internal/atomicfile"
	"github.com/pfnamp/pfnamp/report"
	"github.com/pfnamp/pfnamp/tabular"
)

// explainOutputs are the files of an explanation, opened before the model runs.
type explainOutputs struct {
	table      *tabular.Writer // nil where a terminal shows the table, or none is asked for
	plot, page *atomicfile.File
}

// openOutputs opens the outputs, so that a wrong path costs nothing.
func (j *explainJob) openOutputs(ctx context.Context) (err error) {
	to := &j.outputs
	if err := j.openTable(ctx); err != nil {
		return err
	}
	for _, file := range []struct {
		path string
		to   **atomicfile.File
	}{{j.opt.plot, &to.plot}, {j.opt.report, &to.page}} {
		if file.path == "" {
			continue
		}
		if *file.to, err = createFile(ctx, file.path); err != nil {
			return fault.Unwritable(file.path, err)
		}
	}
	return nil
}

// openTable opens the table, unless a terminal shows it.
func (j *explainJob) openTable(ctx context.Context) error {
	path := j.opt.out
	if path == "" || j.onScreen() {
		return nil
	}
	format, err := tableFormat(path, j.opt.format)
	if err != nil {
		return err
	}
	if path == "-" && !format.Text() && stdio.Terminal(j.std.Out) {
		return binaryTerminal(format)
	}
	metadata, err := j.fileMetadata(format)
	if err != nil {
		return err
	}
	j.outputs.table, err = createTable(ctx, path, j.schema(), tabular.WriteOptions{Format: format,
		Stdout: j.std.Table(), Metadata: append(metadata, j.jointMetadata()...),
		EscapeFormulas: j.opt.escape})
	return fault.Writing(err)
}

// onScreen tells whether a terminal shows the table.
func (j *explainJob) onScreen() bool {
	return j.opt.out == "-" && j.opt.format == tabular.Auto && stdio.Terminal(j.std.Out)
}

// finish fills the outputs, which then lack nothing but their names.
func (o *explainOutputs) finish(j *explainJob) (files []finisher, err error) {
	record := j.rounded()
	defer record.Release()
	if j.onScreen() {
		shown := openScreen(j.std.Out, j.opt.digits, fieldNames(j.schema()), j.scales())
		shown.add(record)
		files = append(files, func() (*atomicfile.File, error) { return nil, shown.finish() })
	}
	if o.table != nil {
		if err := o.table.Write(record); err != nil {
			return nil, fault.Writing(err)
		}
		files = append(files, o.table.Finish)
	}
	if o.plot != nil {
		drawing := j.chart()
		files = append(files, o.file(o.plot, j.opt.plot, func(w io.Writer) error {
			return drawing.Write(w, pictureFormat(j.opt.plot))
		}))
	}
	if o.page != nil {
		files = append(files, o.file(o.page, j.opt.report, j.page().Write))
	}
	return files, nil
}

// file completes a file but for its name.
func (o *explainOutputs) file(
	file *atomicfile.File, path string, write func(io.Writer) error,
) finisher {
	return func() (*atomicfile.File, error) {
		err := write(file)
		if err == nil {
			err = file.Finish()
		}
		if err != nil {
			return nil, fault.Unwritable(path, errors.Join(err, file.Abort()))
		}
		return file, nil
	}
}

// discard removes what has not been finished.
func (o *explainOutputs) discard() {
	if o.table != nil {
		o.table.Abort()
	}
	for _, file := range []*atomicfile.File{o.plot, o.page} {
		if file != nil {
			file.Abort()
		}
	}
}

// rounded is the table with the digits that are asked for. The caller releases it.
func (j *explainJob) rounded() arrow.RecordBatch {
	record := j.record()
	defer record.Release()
	columns := slices.Clone(record.Columns())
	rounded(columns, j.opt.digits)
	return array.NewRecordBatch(record.Schema(), columns, record.NumRows())
}

// fieldNames lists the columns of a schema.
func fieldNames(schema *arrow.Schema) (names []string) {
	for _, field := range schema.Fields() {
		names = append(names, field.Name)
	}
	return names
}

// page is the report: sentences, figure, tables, notes, and how it was computed.
func (j *explainJob) page() report.Page {
	facts := &report.Table{Names: 2, Header: []string{"", ""}}
	for _, pair := range j.metadata() {
		if name := strings.TrimPrefix(pair[0], "pfnamp."); pair[1] != "" && name != "arguments" {
			facts.Rows = append(facts.Rows, []string{strings.ReplaceAll(name, ".", " "), pair[1]})
		}
	}
	p := report.Page{Title: fmt.Sprintf("What drives %s: %s", j.askJob.opt.fit.Target,
		filepath.Base(j.from.train)), Verdict: j.sentences()}
	p.Sections = append(p.Sections, report.Section{Title: "Figure", Chart: j.chart(),
		Text: j.caption()})
	p.Sections = append(p.Sections, j.sections()...)
	if len(j.said) > 0 {
		p.Sections = append(p.Sections, report.Section{Title: "Notes", List: j.said})
	}
	p.Sections = append(p.Sections, report.Section{Title: "Settings and versions", Table: facts,
		Folded: true})
	return p
}
