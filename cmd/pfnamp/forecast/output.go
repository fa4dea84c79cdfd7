package forecast

import (
	"context"
	"time"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/run"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/words"
	"github.com/pfnamp/pfnamp/report"
)

// write makes all outputs appear, and says what was done.
func (j *forecastJob) write(ctx context.Context) error {
	j.noteForecasts()
	found := output.Result{Record: j.table.Record(j.all), Chart: j.chart(), Page: j.page}
	found.Scale = func(_ int, name string) output.Scale {
		if name == j.table.Columns.Time {
			return output.AsItIs
		}
		return output.OfTarget
	}
	var names []string
	for _, field := range found.Record.Schema().Fields() {
		names = append(names, field.Name)
	}
	if err := pfnamp.CheckColumns(names); err != nil && j.to.Table != "" {
		return run.ColumnFailure(err)
	}
	if err := found.Write(ctx, j.to, j.Std); err != nil {
		return err
	}
	j.Notef("%s in %.2f s -> %s", words.Count(len(j.all), "forecast"), time.Since(j.Start).Seconds(),
		output.Named(j.to.Written()))
	return nil
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
