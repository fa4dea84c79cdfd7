package forecast

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/words"
	"github.com/pfnamp/pfnamp/forecast"
	"github.com/pfnamp/pfnamp/report"
	"github.com/pfnamp/pfnamp/tabular"
)

// seriesFailure adds a remedy to the refusal of a table of series.
func (j *forecastJob) seriesFailure(table *tabular.Table, err error) error {
	wrong := &tabular.Error{File: j.From.Train, Column: j.columns.Time, Msg: err.Error()}
	several := ""
	if j.columns.Series == "" {
		several = "\nif the table holds several series, name their column: --series COLUMN"
	}
	var (
		untimed *forecast.TimeError
		text    *forecast.TextError
		twice   *forecast.TwiceError
		uneven  *forecast.IrregularError
	)
	switch {
	case errors.Is(err, forecast.ErrNoValue):
		wrong.Column = j.columns.Target
		wrong.Hint = "name another column with --target, or remove these rows"
	case errors.Is(err, forecast.ErrFewTimes):
		wrong.Hint = "add earlier rows, or name another column of times: --time COLUMN"
	case errors.As(err, &untimed):
		others := slices.DeleteFunc(table.Names(), func(name string) bool {
			return name == j.columns.Target
		})
		return fault.Wrong(fmt.Sprintf("%s: %s", j.From.Train, untimed.Error()),
			"name the column of times: --time COLUMN, one of "+strings.Join(others, ", "))
	case errors.As(err, &text):
		wrong.Hint = "write times like 2024-01-31, 2024-01-31T12:00:00, 2024-01 or 2024Q1, or as numbers"
	case errors.As(err, &twice):
		wrong.Row = int64(twice.Rows[1] + 1)
		wrong.Hint = strings.TrimPrefix(several+"\nsum or average the rows of each time, or write the "+
			"whole time in one column, such as 1959Q1", "\n")
	case errors.As(err, &uneven):
		wrong.Hint = "write one row for every month, day or hour: round the times, or sum rows" + several
		first, err := time.Parse("20060102", fmt.Sprintf("%.0f", uneven.Step.Start))
		if err == nil && uneven.Step.Unit == forecast.Numbers {
			wrong.Hint = "write dates with dashes: " + first.Format(time.DateOnly)
		}
	default:
		return err
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
		if missing := s.Missing(); len(missing) > 0 {
			j.Warnf("%s: %d of %d steps have no value (%s): pfnamp forecasts without them", name,
				len(missing), last+1, j.moments(s, missing))
		}
		if last+1 > forecast.MostHistory {
			j.Warnf("%s: pfnamp reads only the last %d of %d steps", name, forecast.MostHistory, last+1)
		}
	}
	if n := len(t.Short); n > 0 {
		j.Warnf("pfnamp leaves out %d of %d series, too short to learn how far to trust a forecast, "+
			"such as %q", n, n+len(t.Series), t.Short[0])
	}
	if len(t.Unused) > 0 {
		j.Warnf("other columns are not used, because their future is unknown: %s",
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

// repeating is the baseline in words: the seasonal naive forecast.
func repeating(s *forecast.Series) string {
	if s.Season > 1 {
		return "repeating the last season"
	}
	return "repeating the last value"
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
			j.Warnf("%s: the level shifts at %s: pfnamp moves the values before it to the level of "+
				"the %d values since", j.named(i), j.table.Clock.Text(s.Time(f.Shift)),
				len(s.Values)-f.Shift)
		}
		if o := float64(f.Origins); j.question.Level > o/(o+1) {
			j.Warnf("%s: the history holds forecasts from %s only, too few to learn a %s interval: the "+
				"tail of Student's t distribution widens it", j.named(i),
				words.Count(f.Origins, "earlier date"), report.Level(j.question.Level))
		}
		if f.RMSE > f.Naive {
			j.Warnf("%s: %s misses by less (RMSE %s) than pfnamp (%s)", j.named(i), repeating(s),
				report.Number(f.Naive), report.Number(f.RMSE))
		}
	}
	j.Notef("next value and its %s interval; RMSE of earlier forecasts, and of repeating the last "+
		"season (seasonal naive):", report.Level(j.question.Level))
	var lines strings.Builder
	_ = output.PrintTable(&lines, j.seriesTable()) // into memory
	for line := range strings.Lines(lines.String()) {
		j.Notef("%s", strings.TrimRight(line, " \n"))
	}
}
