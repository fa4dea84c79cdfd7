package main

import (
	"context"
	"errors"
	"io"
	"slices"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/internal/atomicfile"
	"github.com/pfnamp/pfnamp/tabular"
)

// finisher completes an output but for its name, and returns its file: nil where it has none, as
// standard output.
type finisher func() (*atomicfile.File, error)

// commitTogether makes the outputs of a run appear, in this order, or none of them. What cannot be
// finished discards itself; after an error the caller discards what was not asked to be finished.
func commitTogether(outputs ...finisher) error {
	var files []*atomicfile.File
	for _, finish := range outputs {
		file, err := finish()
		if err != nil {
			for _, f := range files {
				err = errors.Join(err, f.Abort())
			}
			return fault.Writing(err)
		}
		if file != nil {
			files = append(files, file)
		}
	}
	err := atomicfile.Commit(files...)
	if failed, ok := errors.AsType[*atomicfile.Error](err); ok {
		err = &tabular.Error{File: failed.Path, Msg: "cannot be written", Err: failed.Err}
	}
	return fault.Writing(err)
}

// outputs are those of a run in the making. They appear together, or none does.
type outputs struct {
	finish []finisher
	tables []*tabular.Writer // to discard
}

// document adds a file that write fills when all outputs are committed.
func (o *outputs) document(ctx context.Context, path string, write func(io.Writer) error) {
	o.finish = append(o.finish, documentAt(ctx, path, write))
}

// documentAt is the finisher of a file that write fills.
func documentAt(ctx context.Context, path string, write func(io.Writer) error) finisher {
	return func() (*atomicfile.File, error) {
		file, err := createFile(ctx, path)
		if err != nil {
			return nil, fault.Unwritable(path, err)
		}
		if err = write(file); err == nil {
			err = file.Finish()
		}
		if err != nil {
			return nil, fault.Unwritable(path, errors.Join(err, file.Abort()))
		}
		return file, nil
	}
}

// tableView is a table of results: what a file or standard output takes of it, and how a terminal
// shows it.
type tableView struct {
	schema   *arrow.Schema
	scales   []scale
	blocks   blocks
	metadata func(tabular.Format) ([][2]string, error) // nil for none
	flush    bool                                      // every record at once
}

// table opens the table of results, or the screen of a terminal.
func (o *outputs) table(
	ctx context.Context, to places, std stdio.Streams, shown tableView,
) (*resultTable, error) {
	format, err := tableFormat(to.table, to.format)
	if err != nil {
		return nil, err
	}
	if to.onScreen(std) {
		var names []string
		for _, field := range shown.schema.Fields() {
			names = append(names, field.Name)
		}
		s := openScreen(std.Out, to.digits, names, shown.scales)
		s.blocks = shown.blocks
		o.finish = append(o.finish, func() (*atomicfile.File, error) { return nil, s.finish() })
		return &resultTable{schema: shown.schema, digits: to.digits, screen: s}, nil
	}
	if to.table == "-" && !format.Text() && stdio.Terminal(std.Out) {
		return nil, binaryTerminal(format)
	}
	var metadata [][2]string
	if shown.metadata != nil {
		if metadata, err = shown.metadata(format); err != nil {
			return nil, err
		}
	}
	return o.file(ctx, to.table, shown.schema, to.digits, tabular.WriteOptions{Format: format,
		Stdout: std.Table(), Metadata: metadata, EscapeFormulas: to.escape, Flush: shown.flush})
}

// file opens a table.
func (o *outputs) file(
	ctx context.Context, path string, schema *arrow.Schema, digits int, opt tabular.WriteOptions,
) (*resultTable, error) {
	w, err := stdio.UnlessStopped(ctx, func() (*tabular.Writer, error) {
		return tabular.Create(path, schema, opt)
	}, func(w *tabular.Writer) { w.Abort() })
	if err != nil {
		return nil, fault.Writing(err)
	}
	o.finish, o.tables = append(o.finish, w.Finish), append(o.tables, w)
	return &resultTable{schema: schema, digits: digits, file: w}, nil
}

// commit makes all outputs appear.
func (o *outputs) commit() error { return commitTogether(o.finish...) }

// discard removes what was not committed.
func (o *outputs) discard() {
	for _, w := range o.tables {
		w.Abort()
	}
}

// resultTable takes the records of a table: one of file and screen is nil.
type resultTable struct {
	schema *arrow.Schema
	digits int
	file   *tabular.Writer
	screen *screen
}

// write writes rows by their columns.
func (t *resultTable) write(columns []arrow.Array) error {
	record := array.NewRecordBatch(t.schema, columns, int64(columns[0].Len()))
	if t.screen != nil {
		t.screen.add(record)
		return nil
	}
	return fault.Writing(t.file.Write(record))
}

// round writes rows whose numbers are all computed, with the digits that are asked for.
func (t *resultTable) round(record arrow.RecordBatch) error {
	return t.write(rounded(record.Columns(), t.digits))
}

// rounded are columns with numbers rounded to so many significant digits; 0 leaves them. Rounding
// keeps the order of numbers, so that intervals hold their points as before.
func rounded(columns []arrow.Array, digits int) []arrow.Array {
	if digits == 0 {
		return columns
	}
	columns = slices.Clone(columns)
	for k, column := range columns {
		floats, ok := column.(*array.Float64)
		if !ok {
			continue
		}
		b := array.NewFloat64Builder(memory.DefaultAllocator)
		for i := range floats.Len() {
			if floats.IsNull(i) {
				b.AppendNull()
				continue
			}
			text := strconv.FormatFloat(floats.Value(i), 'e', digits-1, 64)
			v, _ := strconv.ParseFloat(text, 64) // beyond the largest number, infinity, as it should
			b.Append(v)
		}
		columns[k] = b.NewArray()
	}
	return columns
}

// createFile is atomicfile.Create, which waits for a reader of a named pipe.
func createFile(ctx context.Context, path string) (*atomicfile.File, error) {
	return stdio.UnlessStopped(ctx, func() (*atomicfile.File, error) {
		return atomicfile.Create(path)
	}, func(f *atomicfile.File) { f.Abort() })
}

// roundedRecord is a record whose numbers are all computed, with so many digits.
func roundedRecord(record arrow.RecordBatch, digits int) arrow.RecordBatch {
	return array.NewRecordBatch(record.Schema(), rounded(record.Columns(), digits), record.NumRows())
}
