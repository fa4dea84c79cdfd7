package forecast

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/run"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/self"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/report"
)

func (j *forecastJob) write(ctx context.Context) error {
	j.noteForecasts()
	found := output.Result{Record: j.table.Record(j.all), Chart: j.chart(), Page: j.page}
	found.Scale = func(_ int, name string) output.Scale {
		if name == j.table.Columns.Time {
			return output.AsItIs
		}
		return output.OfTarget
	}
	if err := found.Write(ctx, j.to, j.Std); err != nil {
		return err
	}
	j.Notef("%d series in %.2f s -> %s", len(j.all), time.Since(j.Start).Seconds(),
		output.Named(j.to.Written()))
	return nil
}

// mostPanels is how many series a figure shows.
const mostPanels = 12

func (j *forecastJob) chart() report.Chart {
	n := min(len(j.all), mostPanels)
	across := 1 + min(1, n/3)
	chart := report.Chart{Alt: "history and forecast in time", Width: 20 * float64(across),
		Height: 10 * float64((n+across-1)/across)}
	panels := make([]report.Panel, (n+across-1)/across*across)
	for i := range n {
		panels[i] = j.panel(i)
	}
	chart.Panels = slices.Collect(slices.Chunk(panels, across))
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
		if i == n && n > first { // the line begins at the last value
			last := len(history.X) - 1
			values.X, values.Y = append(values.X, history.X[last]), append(values.Y, history.Y[last])
		}
		values.X, values.Y = append(values.X, at), append(values.Y, point.Value)
		band.X = append(band.X, at)
		band.Lo, band.Hi = append(band.Lo, point.Lo), append(band.Hi, point.Hi)
	}
	p.Series = []report.Series{band, values, history}
	return p
}

func (j *forecastJob) page() report.Page {
	level := report.Level(j.question.Level)
	page := report.Page{Title: fmt.Sprintf("Forecast of %s: %s", j.table.Columns.Target,
		filepath.Base(j.From.Train))}
	if len(j.all) > 1 {
		page.Sections = []report.Section{{Title: "Series", Table: j.seriesTable(), Text: []string{
			"Next values with their " + level + " intervals, and errors of earlier forecasts of all " +
				"horizons (root mean square errors, RMSE), beside those of repeating the last season."}}}
	} else {
		page.Verdict = []string{fmt.Sprintf("Forecasts from %d earlier dates miss by %s (root mean "+
			"square error, RMSE). Baseline: %s misses by %s. The %s intervals of the forecasts "+
			"contain %.0f %% of the values that followed.", j.all[0].Origins, report.Number(j.all[0].RMSE),
			repeating(j.table.Series[0]), report.Number(j.all[0].Naive), level, 100*j.all[0].Covered)}
	}
	page.Sections = append(page.Sections, report.Section{Title: "History and forecast",
		Chart: j.chart(), Text: []string{"The interval contains a future value with probability " +
			level + ", if the future is like the past. Its width comes from the errors of earlier " +
			"forecasts."}})
	for i := range j.all {
		page.Sections = append(page.Sections, j.steps(i))
	}
	m := j.Bundle.Manifest
	return page.With(j.Said, [][2]string{{"table", j.From.Train}, {"model", m.Name + " " + m.Version},
		{"level", level}, {"most earlier dates", strconv.Itoa(j.question.Origins)}})
}

// seriesTable has a row for every series: its next value, and the errors of earlier forecasts.
func (j *forecastJob) seriesTable() *report.Table {
	t := &report.Table{Names: 2, Header: []string{cmp.Or(j.table.Columns.Series, "series"),
		j.table.Columns.Time, "forecast", "from", "to", "season", "RMSE", "seasonal naive", "inside"}}
	for i, f := range j.all {
		next, number := f.Points[0], report.Number
		t.Rows = append(t.Rows, []string{cmp.Or(j.table.Names[i], j.table.Columns.Target),
			j.table.Clock.Text(next.Time),
			number(next.Value), number(next.Lo), number(next.Hi), strconv.Itoa(j.table.Series[i].Season),
			number(f.RMSE), number(f.Naive), fmt.Sprintf("%.0f %%", 100*f.Covered)})
	}
	return t
}

// steps has the forecasts of a series and the errors of earlier ones, by horizon.
func (j *forecastJob) steps(series int) report.Section {
	t := &report.Table{Names: 1, Header: []string{j.table.Columns.Time, "forecast", "from", "to",
		"horizon", "earlier forecasts", "RMSE", "seasonal naive", "inside"}}
	for _, p := range j.all[series].Points {
		row := []string{j.table.Clock.Text(p.Time), report.Number(p.Value), report.Number(p.Lo),
			report.Number(p.Hi), strconv.Itoa(p.Horizon), strconv.Itoa(p.Past), "", "", ""}
		if p.Past > 0 {
			row[6], row[7] = report.Number(p.RMSE), report.Number(p.NaiveRMSE)
			row[8] = fmt.Sprintf("%.0f %%", 100*p.Covered)
		}
		t.Rows = append(t.Rows, row)
	}
	return report.Section{Title: "Forecast of " + j.named(series), Table: t, Folded: len(j.all) > 1,
		Text: []string{"The horizon is the number of steps ahead. Each earlier forecast reads only the " +
			"values before its date. Its interval comes from the errors at all other dates. Seasonal " +
			"naive repeats the last season."}}
}

// forecastResult is what `forecast --json` prints.
type forecastResult struct {
	Command string              `json:"command"`
	Version string              `json:"version"`
	Model   string              `json:"model"`
	Table   output.FileResult   `json:"table"`
	Target  string              `json:"target"`
	Time    string              `json:"time"`
	Level   float64             `json:"level"`
	Series  []seriesResult      `json:"series"`
	Outputs []output.FileResult `json:"outputs"`
	Notes   []string            `json:"notes"`
	Seconds []run.Lap           `json:"seconds"`
}

// seriesResult is what is known of one series.
type seriesResult struct {
	Name     string          `json:"name,omitempty"`
	Steps    int             `json:"steps"`
	Missing  int             `json:"missing"`
	Step     string          `json:"step"`
	Season   int             `json:"season"`
	Logs     bool            `json:"logs"`
	Origins  int             `json:"origins"`
	RMSE     float64         `json:"rmse"`
	Naive    float64         `json:"rmse_seasonal_naive"`
	Coverage float64         `json:"coverage"`
	Horizons []horizonResult `json:"horizons"`
}

// horizonResult is what earlier forecasts of one horizon have come to; null where there is none.
type horizonResult struct {
	Horizon  int             `json:"horizon"`
	Past     int             `json:"past"`
	RMSE     evaluate.Number `json:"rmse"`
	Naive    evaluate.Number `json:"rmse_seasonal_naive"`
	Coverage evaluate.Number `json:"coverage"`
}

func (j *forecastJob) tellResult(context.Context) (err error) {
	if !j.From.JSON {
		return nil
	}
	r := forecastResult{Command: "forecast", Version: self.Version(), Target: j.table.Columns.Target,
		Time: j.table.Columns.Time, Level: j.question.Level, Seconds: j.Clock.Laps,
		Model: j.Bundle.Manifest.Name + " " + j.Bundle.Manifest.Version,
		Notes: append([]string{}, j.Said...)}
	if r.Table, err = j.ReadFacts(j.From.Train); err != nil {
		return err
	}
	for i, f := range j.all {
		s := j.table.Series[i]
		one := seriesResult{Name: j.table.Names[i], Steps: len(s.Values), Missing: len(s.Missing()),
			Step: s.Step.Name(), Season: s.Season, Logs: f.Logs, Origins: f.Origins, RMSE: f.RMSE,
			Naive: f.Naive, Coverage: f.Covered}
		for _, p := range f.Points {
			one.Horizons = append(one.Horizons, horizonResult{p.Horizon, p.Past, evaluate.Number(p.RMSE),
				evaluate.Number(p.NaiveRMSE), evaluate.Number(p.Covered)})
		}
		r.Series = append(r.Series, one)
	}
	if r.Outputs, err = output.AllFacts(j.to.Written()); err != nil {
		return err
	}
	return j.Tell(r, j.to)
}
