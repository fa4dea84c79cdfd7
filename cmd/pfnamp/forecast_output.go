package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/internal/atomicfile"
	"github.com/pfnamp/pfnamp/report"
	"github.com/pfnamp/pfnamp/tabular"
)

// write makes all outputs appear, and says what was done.
func (j *forecastJob) write(ctx context.Context) error {
	j.noteForecasts()
	table, plot, page := j.opt.out, j.opt.plot, j.opt.report
	switch {
	case pictureFormat(table) != "" && plot == "":
		table, plot = "", table
	case isPage(table) && page == "":
		table, page = "", table
	case pictureFormat(table) != "" || isPage(table):
		return fault.Wrong("-o "+table+" is not a table", "drop --plot or --report")
	}
	var files []finisher
	if plot != "" {
		files = append(files, j.drawn(ctx, plot, func(f *atomicfile.File) error {
			return j.chart().Write(f, pictureFormat(plot))
		}))
	}
	if page != "" {
		files = append(files, j.drawn(ctx, page, func(f *atomicfile.File) error {
			return j.page().Write(f)
		}))
	}
	if table != "" {
		finish, err := j.writeTable(ctx, table)
		if err != nil {
			return err
		}
		files = append(files, finish)
	}
	if err := commitTogether(files...); err != nil {
		return err
	}
	j.notef("%s in %.2f s -> %s", count(len(j.all), "forecast"), time.Since(j.start).Seconds(),
		strings.Join(j.outputs(), ", "))
	return nil
}

// outputs lists what was written.
func (j *forecastJob) outputs() []string {
	paths := slices.DeleteFunc([]string{j.opt.out, j.opt.plot, j.opt.report},
		func(path string) bool { return path == "" })
	for i, path := range paths {
		if path == "-" {
			paths[i] = "standard output"
		}
	}
	return paths
}

// drawn writes a file that is no table.
func (j *forecastJob) drawn(
	ctx context.Context, path string, write func(*atomicfile.File) error,
) finisher {
	return func() (*atomicfile.File, error) {
		file, err := createFile(ctx, path)
		if err == nil {
			err = write(file)
		}
		if err == nil {
			err = file.Finish()
		}
		if err != nil {
			if file != nil {
				file.Abort()
			}
			return nil, fault.Unwritable(path, err)
		}
		return file, nil
	}
}

// writeTable writes the forecasts as a table, or shows them on a terminal.
func (j *forecastJob) writeTable(ctx context.Context, path string) (finisher, error) {
	record := j.table.Record(j.all)
	defer record.Release()
	columns := slices.Clone(record.Columns())
	rounded(columns, j.opt.digits)
	made := array.NewRecordBatch(record.Schema(), columns, record.NumRows())
	defer made.Release()
	names := map[string]bool{}
	for _, field := range record.Schema().Fields() {
		if names[field.Name] {
			return nil, columnFailure(&pfnamp.ColumnError{Name: field.Name})
		}
		names[field.Name] = true
	}
	if path == "-" && j.opt.format == tabular.Auto && stdio.Terminal(j.std.Out) {
		shown := openScreen(j.std.Out, j.opt.digits, nil, nil)
		for _, field := range record.Schema().Fields() {
			kind := asItIs
			if field.Type.ID() == arrow.FLOAT64 && field.Name != j.table.Columns.Time {
				kind = ofTarget
			}
			shown.names, shown.scales = append(shown.names, field.Name), append(shown.scales, kind)
		}
		shown.add(made)
		return func() (*atomicfile.File, error) { return nil, shown.finish() }, nil
	}
	format, err := tableFormat(path, j.opt.format)
	if err != nil {
		return nil, err
	}
	table, err := createTable(ctx, path, record.Schema(), tabular.WriteOptions{Format: format,
		Stdout: j.std.Table()})
	if err != nil {
		return nil, fault.Writing(err)
	}
	if err := table.Write(made); err != nil {
		table.Abort()
		return nil, fault.Writing(err)
	}
	return table.Finish, nil
}

// mostPanels is how many series a figure shows.
const mostPanels = 12

// chart draws history and forecast of every series in time.
func (j *forecastJob) chart() report.Chart {
	n := min(len(j.all), mostPanels)
	across := 1
	if n > 2 {
		across = 2
	}
	chart := report.Chart{Alt: "history and forecast in time", Width: 20 * float64(across),
		Height: 10 * float64((n+across-1)/across)}
	if size := j.opt.plotSize; size != [2]int{} {
		chart.Width, chart.Height = float64(size[0])/96*2.54, float64(size[1])/96*2.54
	}
	for i := 0; i < n; i += across {
		row := make([]report.Panel, across)
		for k := range row {
			if i+k < n {
				row[k] = j.panel(i + k)
			}
		}
		chart.Panels = append(chart.Panels, row)
	}
	return chart
}

// shownSeasons bounds the history in a figure, so that the forecast can be seen.
const shownSeasons, leastShown = 6, 60

// panel draws one series. Times that are numbers, such as 1949.25, have an axis of numbers: as
// names they would be hard to read.
func (j *forecastJob) panel(series int) report.Panel {
	s, f := j.table.Series[series], j.all[series]
	n := len(s.Values)
	first := max(0, n-max(shownSeasons*s.Season, leastShown, 3*len(f.Points)))
	p := report.Panel{Title: j.table.Names[series], X: j.table.Columns.Time, Y: j.table.Columns.Target}
	band := report.Series{Mark: report.Band,
		Name: report.Level(j.opt.question.Level) + " predictive interval"}
	values := report.Series{Name: "forecast", Mark: report.Line}
	history := report.Series{Name: "history", Mark: report.Line, Ink: true}
	for i := first; i < n+len(f.Points); i++ {
		at := s.Time(i)
		if j.table.Clock.Calendar() {
			at = float64(i - first)
			p.Names = append(p.Names, j.table.Clock.Text(s.Time(i)))
		}
		if i < n {
			history.X, history.Y = append(history.X, at), append(history.Y, s.Values[i])
			continue
		}
		point := f.Points[i-n]
		values.X, values.Y = append(values.X, at), append(values.Y, point.Value)
		band.X = append(band.X, at)
		band.Lo, band.Hi = append(band.Lo, point.Lo), append(band.Hi, point.Hi)
	}
	p.Series = []report.Series{band, values, history}
	return p
}
