package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/pfnamp/pfnamp/internal/atomicfile"
	"github.com/pfnamp/pfnamp/report"
)

// drawing is a figure in the making and the file that it goes to.
type drawing struct {
	path   string
	figure report.Figure
	format string
	file   *atomicfile.File
}

// openDrawing checks the destination before anything is computed.
func openDrawing(path string, figure report.Figure) (*drawing, error) {
	format := pictureFormat(path)
	if format == "" {
		return nil, &usageError{msg: "--plot " + quote(path) + " is neither .png nor .svg"}
	}
	file, err := atomicfile.Create(path)
	if err != nil {
		return nil, outputFailure(fmt.Errorf("%s: cannot be written: %w", path, err))
	}
	return &drawing{path: path, figure: figure, format: format, file: file}, nil
}

// add appends the rows of one batch, by the first functional.
func (d *drawing) add(r *result) {
	for row, e := range r.estimates[0] {
		d.figure.Rows = append(d.figure.Rows, report.Row{
			Point: e.Point, Lo: e.Lo, Hi: e.Hi,
			LabelLo: r.labelLo[row], LabelHi: r.labelHi[row],
		})
	}
}

// draw writes the figure to the temporary file.
func (d *drawing) draw() error {
	if err := d.figure.Write(d.file, d.format); err != nil {
		return fmt.Errorf("drawing %s: %w", d.path, atomicfile.Cause(err))
	}
	return nil
}

// commit makes the figure appear.
func (d *drawing) commit() error {
	if err := d.file.Commit(); err != nil {
		return fmt.Errorf("%s: cannot be written: %w", d.path, err)
	}
	return nil
}

// pictureFormat is png or svg where the name says so, else empty.
func pictureFormat(path string) string {
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".png", ".svg":
		return ext[1:]
	}
	return ""
}
