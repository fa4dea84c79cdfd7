package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/internal/atomicfile"
	"github.com/pfnamp/pfnamp/report"
)

// drawing is a figure in the making and the file that it goes to.
type drawing struct {
	path   string
	drawn  int // which functional
	figure report.Figure
	format string
	file   *atomicfile.File
}

// openDrawing checks the destination before anything is computed.
func openDrawing(ctx context.Context, path string, opt predictOptions) (*drawing, error) {
	format := pictureFormat(path) // known, see checkOutputs
	functionals := opt.question.Functionals
	drawn := slices.IndexFunc(functionals, onTargetScale)
	if drawn < 0 {
		return nil, &usageError{
			msg:  "a figure shows a mean or a quantile, and none is asked for",
			hint: "add one: --functional " + shell("mean,"+functionals[0].String()),
		}
	}
	figure := report.Figure{
		Functional: functionals[drawn].String(), Target: opt.fit.Target, Level: opt.question.Level,
		Posterior: string(opt.question.Posterior),
	}
	if also := opt.question.Also; len(also) > 0 {
		figure.Other = string(also[0])
	}
	file, err := createFile(ctx, path)
	if err != nil {
		return nil, outputFailure(fmt.Errorf("%s: cannot be written: %w", path, err))
	}
	return &drawing{path: path, drawn: drawn, figure: figure, format: format, file: file}, nil
}

// onTargetScale tells whether a functional has the unit of the target, as the
// predictive interval that is drawn beside it.
func onTargetScale(f amp.Functional) bool {
	_, event := f.(amp.Probability)
	return !event
}

// add appends the rows of one batch.
func (d *drawing) add(a *pfnamp.Answer) {
	for row, e := range a.Estimates[d.drawn] {
		drawn := report.Row{Point: e.Point, Lo: e.Lo, Hi: e.Hi,
			LabelLo: a.Predictive[row].Lo, LabelHi: a.Predictive[row].Hi}
		if d.figure.Other != "" {
			other := a.Also[0][d.drawn][row]
			drawn.Other = [2]float64{other.Lo, other.Hi}
		}
		d.figure.Rows = append(d.figure.Rows, drawn)
	}
}

// finish writes the figure, which then lacks nothing but its name.
func (d *drawing) finish() (*atomicfile.File, error) {
	if err := d.figure.Write(d.file, d.format); err != nil {
		return nil, fmt.Errorf("drawing %s: %w", d.path, atomicfile.Cause(err))
	}
	if err := d.file.Finish(); err != nil {
		return nil, fmt.Errorf("%s: cannot be written: %w", d.path, err)
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
