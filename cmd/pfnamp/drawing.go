package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/internal/atomicfile"
	"github.com/pfnamp/pfnamp/report"
	"github.com/pfnamp/pfnamp/tabular"
)

// drawing is a figure in the making and the file that it goes to.
type drawing struct {
	path   string
	figure report.Figure // without rows
	rows   report.Sample
	format string
	file   *atomicfile.File
	labels *testLabels
	words  wording
	test   string   // name of TEST
	keep   []string // the first kept column, if there is one
	beside bool     // another output says so if there is no row
}

// maxDrawn is the number of rows that a figure draws its own from.
const maxDrawn = 20000

// openDrawing checks the destination before anything is computed.
func (j opening) openDrawing(ctx context.Context, path string) (sink, error) {
	format := pictureFormat(path) // known, see checkOutputs
	figure := report.Figure{Asked: asked(j.opt.question, j.layout, j.opt.fit.Target)}
	figure.Width, figure.Height = j.opt.plotSize[0], j.opt.plotSize[1]
	keep := j.opt.fit.Keep[:min(1, len(j.opt.fit.Keep))]
	figure.Kept = strings.Join(keep, "")
	file, err := createFile(ctx, path)
	if err != nil {
		return nil, fault.Unwritable(path, err)
	}
	return &drawing{path: path, figure: figure, format: format, file: file, labels: j.labels,
		words: j.words(),
		test:  j.opt.test, keep: keep, beside: j.opt.plot != "",
		rows: report.Sample{Most: maxDrawn, Seed: j.opt.question.Seed}}, nil
}

// Add implements sink.
func (d *drawing) Add(_ context.Context, batch *tabular.Batch, a *pfnamp.Answer) error {
	labels, _ := d.labels.of(batch, a)
	kept := keptCells(batch, d.keep)
	for i := range a.Rows() {
		row := answeredRow(d.words, a, i)
		row.At, row.Label = batch.First+int64(i)+1, labels[i]
		for _, cell := range kept {
			row.Kept = append(row.Kept, cell(i))
		}
		d.rows.Add(row)
	}
	return nil
}

// Finish implements sink. A figure without rows is given up where another output says that there
// are none, and is an error alone.
func (d *drawing) Finish(context.Context) ([]finisher, error) {
	switch {
	case d.rows.All() > 0:
		return []finisher{d.finish}, nil
	case d.beside:
		return nil, fault.Writing(d.file.Abort())
	}
	return nil, &tabular.Error{File: d.test, Msg: "the table has no row to draw",
		Hint: "write a table instead: -o out.csv"}
}

// Discard implements sink.
func (d *drawing) Discard() { d.file.Abort() }

// finish writes the figure, which then lacks nothing but its name.
func (d *drawing) finish() (*atomicfile.File, error) {
	d.figure.Rows, d.figure.All = d.rows.Rows(), d.rows.All()
	if err := d.figure.Write(d.file, d.format); err != nil {
		return nil, fmt.Errorf("drawing %s: %w", d.path, atomicfile.Cause(err))
	}
	if err := d.file.Finish(); err != nil {
		return nil, fault.Unwritable(d.path, err)
	}
	return d.file, nil
}

// pictureFormat is png or svg where the name says so, else empty.
func pictureFormat(path string) string {
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".png", ".svg":
		return ext[1:]
	}
	return ""
}

// Pixels that a figure may have on a side.
const leastPixels, mostPixels = 300, 10000

// parsePlotSize reads --plot-size, such as 1200x700; "" leaves the size to the figure.
func parsePlotSize(text string) (size [2]int, err error) {
	if text == "" {
		return size, nil
	}
	wrong := fault.Option("plot-size", quote(text)+" is not WIDTHxHEIGHT in pixels, each "+
		fmt.Sprintf("%d to %d", leastPixels, mostPixels), "for example --plot-size 1200x700")

	parts := strings.Split(text, "x")
	if len(parts) != 2 {
		return size, wrong
	}
	for i, part := range parts {
		if size[i], err = strconv.Atoi(part); err != nil || size[i] < leastPixels ||
			size[i] > mostPixels {
			return size, wrong
		}
	}
	return size, nil
}
