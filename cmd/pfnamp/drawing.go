package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pfnamp/pfnamp"
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
}

// maxDrawn is the number of rows that a figure draws its own from.
const maxDrawn = 20000

// openDrawing checks the destination before anything is computed.
func (j *predictJob) openDrawing(ctx context.Context, path string) (*drawing, error) {
	format := pictureFormat(path) // known, see checkOutputs
	figure := report.Figure{Asked: asked(j.opt.question, j.layout, j.opt.fit.Target)}
	figure.Width, figure.Height = j.opt.plotSize[0], j.opt.plotSize[1]
	file, err := createFile(ctx, path)
	if err != nil {
		return nil, outputFailure(fmt.Errorf("%s: cannot be written: %w", path, err))
	}
	return &drawing{path: path, figure: figure, format: format, file: file,
		rows: report.Sample{Most: maxDrawn, Seed: j.opt.question.Seed}}, nil
}

// add appends the rows of one batch, with the labels that it has itself.
func (d *drawing) add(batch *tabular.Batch, a *pfnamp.Answer, labels []float64) {
	for i := range a.Rows() {
		row := answeredRow(a, i)
		row.At, row.Label = batch.First+int64(i)+1, labels[i]
		d.rows.Add(row)
	}
}

// finish writes the figure, which then lacks nothing but its name.
func (d *drawing) finish() (*atomicfile.File, error) {
	d.figure.Rows, d.figure.All = d.rows.Rows(), d.rows.All()
	if err := d.figure.Write(d.file, d.format); err != nil {
		return nil, fmt.Errorf("drawing %s: %w", d.path, atomicfile.Cause(err))
	}
	if err := d.file.Finish(); err != nil {
		return nil, fmt.Errorf("%s: cannot be written: %w", d.path, err)
	}
	return d.file, nil
}

// dropEmptyFigure gives up a figure without rows where another output says that there are none. A figure
// alone of no rows is an error.
func (o *output) dropEmptyFigure(test string) error {
	if o.drawing == nil || o.drawing.rows.All() > 0 {
		return nil
	}
	if o.table == nil && o.report == nil && o.screen == nil {
		return &tabular.Error{File: test, Msg: "there is no row to draw",
			Hint: "write a table instead, such as -o out.csv"}
	}
	err := o.drawing.file.Abort()
	o.drawing = nil
	return outputFailure(err)
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
	wrong := &usageError{msg: "--plot-size " + quote(text) + " is not WIDTHxHEIGHT in pixels, from " +
		fmt.Sprintf("%d to %d", leastPixels, mostPixels), hint: "for example --plot-size 1200x700"}
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
