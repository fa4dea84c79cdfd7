package output

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/internal/atomicfile"
	"github.com/pfnamp/pfnamp/report"
	"github.com/pfnamp/pfnamp/tabular"
)

// Files are those of a run in the making. They appear together, or none does.
type Files struct {
	// finish completes outputs but for their names, and returns their files: nil where one has none,
	// as standard output.
	finish []func() (*atomicfile.File, error)
	tables []*tabular.Writer // to discard
}

// Commit makes the outputs appear, in this order, or none of them. What cannot be finished discards
// itself; after an error the caller discards what was not asked to be finished.
func (o *Files) Commit() error {
	var files []*atomicfile.File
	for _, finish := range o.finish {
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

// WriteFile writes one file, which appears complete or not at all.
func WriteFile(ctx context.Context, path string, write func(io.Writer) error) error {
	var files Files
	files.Document(ctx, path, write)
	return files.Commit()
}

// Document adds a file that write fills when all outputs are committed.
func (o *Files) Document(ctx context.Context, path string, write func(io.Writer) error) {
	o.finish = append(o.finish, func() (*atomicfile.File, error) {
		file, err := stdio.Create(ctx, path)
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
	})
}

// View is a table of results: what a file or standard output takes of it, and how a terminal
// shows it.
type View struct {
	Schema   *arrow.Schema
	Scale    func(column int, name string) Scale       // of columns of numbers
	Metadata func(tabular.Format) ([][2]string, error) // nil for none
	Flush    bool                                      // every record at once
}

// Table opens the table of results, or the screen of a terminal.
func (o *Files) Table(
	ctx context.Context, to Places, std stdio.Streams, shown View,
) (*Table, error) {
	if to.OnScreen() {
		s := openScreen(std.Out, to.Digits, shown)
		o.finish = append(o.finish, func() (*atomicfile.File, error) { return nil, s.finish() })
		return &Table{Schema: shown.Schema, Digits: to.Digits, screen: s}, nil
	}
	opt := tabular.WriteOptions{Stdout: std.Table(), EscapeFormulas: to.Escape, Flush: shown.Flush}
	var err error
	if opt.Format, err = to.tableFormat(); err == nil && shown.Metadata != nil {
		opt.Metadata, err = shown.Metadata(opt.Format)
	}
	if err != nil {
		return nil, err
	}
	return o.File(ctx, to.Table, shown.Schema, to.Digits, opt)
}

// File opens a table.
func (o *Files) File(
	ctx context.Context, path string, schema *arrow.Schema, digits int, opt tabular.WriteOptions,
) (*Table, error) {
	w, err := stdio.UnlessStopped(ctx, func() (*tabular.Writer, error) {
		return tabular.Create(path, schema, opt)
	}, func(w *tabular.Writer) { w.Abort() })
	if err != nil {
		return nil, fault.Writing(err)
	}
	o.finish, o.tables = append(o.finish, w.Finish), append(o.tables, w)
	return &Table{Schema: schema, Digits: digits, file: w}, nil
}

// Discard removes what was not committed.
func (o *Files) Discard() {
	for _, w := range o.tables {
		w.Abort()
	}
}

// Table takes the records of a table: one of file and screen is nil.
type Table struct {
	Schema *arrow.Schema
	Digits int
	file   *tabular.Writer
	screen *screen
}

// Write writes rows by their columns.
func (t *Table) Write(columns []arrow.Array) error {
	record := array.NewRecordBatch(t.Schema, columns, int64(columns[0].Len()))
	if t.screen != nil {
		t.screen.add(record)
		return nil
	}
	return fault.Writing(t.file.Write(record))
}

// Round writes rows whose numbers are all computed, with the digits that are asked for.
func (t *Table) Round(record arrow.RecordBatch) error {
	return t.Write(Rounded(record.Columns(), t.Digits))
}

// Rounded are columns with numbers rounded to so many significant digits; 0 leaves them. Rounding
// keeps the order of numbers, so that intervals hold their points as before.
func Rounded(columns []arrow.Array, digits int) []arrow.Array {
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

// Result is what a command has found, as its outputs show it.
type Result struct {
	View
	Record arrow.RecordBatch // of computed numbers
	Chart  report.Chart
	Page   func() report.Page
}

// Write makes the outputs of a result appear, or none of them.
func (r Result) Write(ctx context.Context, to Places, std stdio.Streams) error {
	var files Files
	defer files.Discard()
	if to.Plot != "" {
		files.Document(ctx, to.Plot, func(w io.Writer) error {
			return r.Chart.Sized(to.Size[0], to.Size[1]).Write(w, PictureFormat(to.Plot))
		})
	}
	if to.Page != "" {
		files.Document(ctx, to.Page, r.Page().Write)
	}
	if to.Table != "" {
		r.Schema = r.Record.Schema()
		table, err := files.Table(ctx, to, std, r.View)
		if err == nil {
			err = table.Round(r.Record)
		}
		if err != nil {
			return err
		}
	}
	return files.Commit()
}

// PrintTable writes the rows of a table, aligned.
func PrintTable(out io.Writer, t *report.Table) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{t.Header}, t.Rows...) {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	return w.Flush()
}

// FileResult is a file; what is no regular file has neither size nor hash.
type FileResult struct {
	File   string `json:"file"`
	Bytes  *int64 `json:"bytes,omitempty"`
	SHA256 string `json:"sha256,omitempty"`
}

// FileFacts reads a file again for its size and hash.
func FileFacts(path string) (FileResult, error) {
	f := FileResult{File: path}
	if info, err := os.Stat(path); path == "-" || err != nil || !info.Mode().IsRegular() {
		return f, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return f, err
	}
	defer file.Close()
	hash := sha256.New()
	n, err := io.Copy(hash, file)
	f.Bytes, f.SHA256 = &n, hex.EncodeToString(hash.Sum(nil))
	return f, err
}

// AllFacts are those of several files.
func AllFacts(paths []string) ([]FileResult, error) {
	all := []FileResult{}
	for _, path := range paths {
		facts, err := FileFacts(path)
		if err != nil {
			return nil, err
		}
		all = append(all, facts)
	}
	return all, nil
}

// WriteJSON is WriteFile of a value.
func WriteJSON(ctx context.Context, path string, v any) error {
	return WriteFile(ctx, path, func(w io.Writer) error { return stdio.JSON(w, v) })
}
