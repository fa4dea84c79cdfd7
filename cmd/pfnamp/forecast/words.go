package forecast

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/words"
	"github.com/pfnamp/pfnamp/forecast"
	"github.com/pfnamp/pfnamp/report"
	"github.com/pfnamp/pfnamp/tabular"
)

// seriesFailure words the refusal of a table of series, with a remedy.
func (j *forecastJob) seriesFailure(table *tabular.Table, err error) error {
	wrong := &tabular.Error{File: j.From.Train, Column: j.columns.Time}
	of := ""
	if s, ok := errors.AsType[*forecast.SeriesError](err); ok && s.Name != "" {
		of = "of " + strconv.Quote(s.Name) + " "
	}
	switch e := errors.Unwrap(err); {
	case e == forecast.ErrNoValue:
		wrong.Column, wrong.Msg = j.columns.Target, "no row "+of+"has a value"
		wrong.Hint = "name another column with --target, or remove these rows"
		return wrong
	case e == forecast.ErrFewTimes:
		wrong.Msg = "the rows " + of + "have fewer than two different times"
		wrong.Hint = "name another column of times: --time COLUMN"
		return wrong
	}
	if e, ok := errors.AsType[*forecast.TimeError](err); ok {
		return fault.Wrong(fmt.Sprintf("%s: %s", j.From.Train, e.Error()),
			"name the column of times with --time: "+strings.Join(table.Names(), ", "))
	}
	if e, ok := errors.AsType[*forecast.TextError](err); ok {
		wrong.Column, wrong.Msg = e.Column, strconv.Quote(e.Text)+" is not a time"
		wrong.Hint = "write times like 2024-01-31, 2024-01-31T12:00:00, 2024-01 or 2024Q1, or as numbers"
		return wrong
	}
	if e, ok := errors.AsType[*forecast.TwiceError](err); ok {
		return j.twice(e, err, of)
	}
	if e, ok := errors.AsType[*forecast.IrregularError](err); ok {
		wrong.Msg = fmt.Sprintf("the times %shave no regular step: with a step of one %s, only %d of "+
			"%d steps have a row", of, e.Step.Name(), e.Rows, e.Steps)
		if !math.IsNaN(e.Time) {
			wrong.Msg = fmt.Sprintf("the times %sdo not follow a step of one %s: one time is between two "+
				"steps", of, e.Step.Name())
		}
		wrong.Hint = "write one row for every month, day or hour: round the times, or sum rows"
		if j.columns.Series == "" {
			wrong.Hint += "\nif the table holds several series, name their column: --series COLUMN"
		}
		return wrong
	}
	return err
}

func (j *forecastJob) twice(e *forecast.TwiceError, err error, of string) error {
	wrong := &tabular.Error{File: j.From.Train, Column: j.columns.Time}
	first, second := e.Rows[0], e.Rows[1]
	if s, ok := errors.AsType[*forecast.SeriesError](err); ok {
		first, second = s.Rows[first], s.Rows[second]
	}
	wrong.Row = int64(second + 1)
	wrong.Msg = fmt.Sprintf("row %d %shas the same time: a series has one row for each step", first+1,
		of)
	wrong.Hint = "sum or average the rows of each time"
	if j.columns.Series == "" {
		wrong.Hint = "if the table holds several series, name their column: --series COLUMN\n" +
			"otherwise sum or average the rows of each time"
	}
	return wrong
}

// shownSteps is how many missing steps a note names.
const shownSteps = 3

func (j *forecastJob) noteSeries() {
	t := j.table
	for i, s := range t.Series {
		name, last := j.named(i), len(s.Values)-1
		season := "no season"
		if s.Season > 1 {
			season = fmt.Sprintf("a season of %d", s.Season)
		}
		if len(t.Series) == 1 {
			j.Notef("%s: one row for each %s, %s to %s, %s", name, s.Step.Name(),
				t.Clock.Text(s.Time(0)), t.Clock.Text(s.Time(last)), season)
		}
		missing := s.Missing()
		if len(missing) > 0 {
			j.Warnf("%s: %d of %d steps have no value (%s): pfnamp forecasts without them", name,
				len(missing), last+1, j.moments(s, missing))
		}
		if last+1 > forecast.MostHistory {
			j.Warnf("%s: pfnamp reads only the last %d of %d steps", name, forecast.MostHistory, last+1)
		}
	}
	if len(t.Unused) > 0 {
		j.Warnf("%s not used, because their future is unknown: %s",
			words.Count(len(t.Unused), "column"),
			strings.Join(t.Unused, ", "))
	}
}

// moments lists the times of steps, the first three.
func (j *forecastJob) moments(s *forecast.Series, steps []int) string {
	var times []string
	for _, at := range steps[:min(shownSteps, len(steps))] {
		times = append(times, j.table.Clock.Text(s.Time(at)))
	}
	if len(steps) > shownSteps {
		times = append(times, "...")
	}
	return strings.Join(times, ", ")
}

// named is a series as notes name it: the target, with the series if there are several.
func (j *forecastJob) named(series int) string {
	name := strconv.Quote(j.table.Columns.Target)
	if of := j.table.Names[series]; of != "" {
		name += " of " + strconv.Quote(of)
	}
	return name
}

func (j *forecastJob) noteForecasts() {
	for i, f := range j.all {
		s := j.table.Series[i]
		if len(f.Unusual) > 0 {
			j.Warnf("%s: %s (%s): pfnamp reads values nearer to the others there", j.named(i),
				words.Count(len(f.Unusual), "unusual value"), j.moments(s, f.Unusual))
		}
		if f.Shift > 0 {
			j.Warnf("%s: the level shifts at %s: pfnamp forecasts from the level since then", j.named(i),
				j.table.Clock.Text(s.Time(f.Shift)))
		}
		if o := float64(f.Origins); j.question.Level > o/(o+1) {
			j.Warnf("%s: %d earlier dates cannot show errors of the level %g: the tail of Student's t "+
				"distribution widens the intervals", j.named(i), f.Origins, j.question.Level)
		}
		if f.RMSE > f.Naive {
			j.Warnf("%s: the seasonal naive forecast is better (RMSE %s) than pfnamp (%s)", j.named(i),
				report.Number(f.Naive), report.Number(f.RMSE))
		}
	}
	j.Notef("next values with %s intervals, and errors of forecasts from earlier dates:",
		report.Level(j.question.Level))
	var lines strings.Builder
	_ = output.PrintTable(&lines, j.seriesTable()) // into memory
	for line := range strings.Lines(lines.String()) {
		j.Notef("%s", strings.TrimRight(line, " \n"))
	}
}
