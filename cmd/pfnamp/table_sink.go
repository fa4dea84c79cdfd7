package main

import (
	"context"
	"errors"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/internal/atomicfile"
	"github.com/pfnamp/pfnamp/tabular"
)

// recorder makes the records of the output: columns that are kept, then those that are computed.
type recorder struct {
	schema *arrow.Schema
	keep   []string
	layout pfnamp.Layout // of the computed columns
	digits int           // significant ones of computed numbers, 0 for all
}

// record is a batch with its answers. The caller releases it.
func (r recorder) record(batch *tabular.Batch, a *pfnamp.Answer) (arrow.RecordBatch, error) {
	columns := make([]arrow.Array, 0, r.schema.NumFields())
	for _, name := range r.keep {
		column, _ := batch.Column(name)
		columns = append(columns, column)
	}
	computed, err := r.layout.Arrays(a)
	if err != nil {
		return nil, err
	}
	rounded(computed, r.digits)
	return array.NewRecordBatch(r.schema, append(columns, computed...), int64(batch.Rows())), nil
}

// tableSink writes the records to a table.
type tableSink struct {
	recorder
	table *tabular.Writer
}

// Add implements sink.
func (t *tableSink) Add(_ context.Context, batch *tabular.Batch, a *pfnamp.Answer) error {
	record, err := t.record(batch, a)
	if err != nil {
		return err
	}
	defer record.Release()
	return fault.Writing(t.table.Write(record))
}

// Finish implements sink.
func (t *tableSink) Finish(context.Context) ([]finisher, error) {
	return []finisher{t.table.Finish}, nil
}

// Discard implements sink.
func (t *tableSink) Discard() { t.table.Abort() }

// screenSink shows the records to a person.
type screenSink struct {
	recorder
	screen *screen
}

// Add implements sink.
func (s *screenSink) Add(_ context.Context, batch *tabular.Batch, a *pfnamp.Answer) error {
	record, err := s.record(batch, a)
	if err != nil {
		return err
	}
	defer record.Release()
	for _, best := range a.Best {
		s.screen.blocks.often[best]++
	}
	s.screen.add(record)
	return nil
}

// Finish implements sink. The screen is printed with the files, after the notes.
func (s *screenSink) Finish(context.Context) ([]finisher, error) {
	return []finisher{func() (*atomicfile.File, error) { return nil, s.screen.finish() }}, nil
}

// Discard implements sink.
func (s *screenSink) Discard() {}

// openTable opens the table, or the screen of a terminal.
func (j opening) openTable(ctx context.Context, path string) (sink, error) {
	fields, err := j.fields()
	if err != nil {
		return nil, err
	}
	format, err := tableFormat(path, j.opt.format)
	if err != nil {
		return nil, err
	}
	if path == "-" && !format.Text() && stdio.Terminal(j.std.Out) {
		return nil, binaryTerminal(format)
	}
	to := recorder{arrow.NewSchema(fields, nil), j.opt.fit.Keep, j.layout, j.opt.digits}
	if j.opt.onScreen(path, j.std) {
		names, scales := j.screenColumns(fields)
		shown := openScreen(j.std.Out, j.opt.digits, names, scales)
		shown.blocks = j.screenBlocks(len(fields))
		return &screenSink{to, shown}, nil
	}
	metadata, err := j.fileMetadata(format)
	if err != nil {
		return nil, err
	}
	table, err := createTable(ctx, path, to.schema, tabular.WriteOptions{
		Format: format, Stdout: j.std.Table(), Metadata: metadata,
		EscapeFormulas: j.opt.escape, Flush: path == "-" && j.opt.test == "-",
	})
	if kept, ok := errors.AsType[*tabular.Error](err); ok && kept.Column != "" {
		return nil, &tabular.Error{File: j.opt.test, Column: kept.Column, Msg: kept.Msg,
			Hint: "drop it from --keep"}
	}
	if err != nil {
		return nil, fault.Writing(err)
	}
	return &tableSink{to, table}, nil
}
