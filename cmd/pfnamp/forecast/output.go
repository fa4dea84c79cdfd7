package forecast

import (
	"context"
	"io"
	"time"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/run"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/words"
	"github.com/pfnamp/pfnamp/report"
)

// write makes all outputs appear, and says what was done.
func (j *forecastJob) write(ctx context.Context) error {
	var outputs output.Files
	defer outputs.Discard()
	j.noteForecasts()
	if j.to.Plot != "" {
		outputs.Document(ctx, j.to.Plot, func(w io.Writer) error {
			return j.chart().Write(w, output.PictureFormat(j.to.Plot))
		})
	}
	if j.to.Page != "" {
		outputs.Document(ctx, j.to.Page, j.page().Write)
	}
	if j.to.Table != "" {
		if err := j.writeTable(ctx, &outputs); err != nil {
			return err
		}
	}
	if err := outputs.Commit(); err != nil {
		return err
	}
	j.Notef("%s in %.2f s -> %s", words.Count(len(j.all), "forecast"), time.Since(j.Start).Seconds(),
		output.Named(j.to.Written()))
	return nil
}

// writeTable writes the forecasts as a table, or shows them on a terminal.
func (j *forecastJob) writeTable(ctx context.Context, outputs *output.Files) error {
	record := j.table.Record(j.all)
	shown := output.View{Schema: record.Schema()}
	names := map[string]bool{}
	for _, field := range record.Schema().Fields() {
		if names[field.Name] {
			return run.ColumnFailure(&pfnamp.ColumnError{Name: field.Name})
		}
		names[field.Name] = true
		kind := output.AsItIs
		if field.Type.ID() == arrow.FLOAT64 && field.Name != j.table.Columns.Time {
			kind = output.OfTarget
		}
		shown.Scales = append(shown.Scales, kind)
	}
	table, err := outputs.Table(ctx, j.to, j.Std, shown)
	if err != nil {
		return err
	}
	return table.Round(record)
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
	if size := j.to.Size; size != [2]int{} {
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
		Name: report.Level(j.question.Level) + " predictive interval"}
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
