// Package forecast has the command `pfnamp forecast`.
package forecast

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/engine"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/run"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/words"
	"github.com/pfnamp/pfnamp/forecast"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

const forecastHelp = `TABLE has one row for every month, day, hour or other step, with a column of times and the
column to forecast. The result has one row for every step of the horizon:

   forecast       the expected value
   pi_lo, pi_hi   90 % predictive interval of the value

pfnamp learns the width of the intervals from its errors: it also forecasts from up to 16
earlier dates, where it knows what followed. It reports these errors beside those of the
seasonal naive forecast, which repeats the last season. There is no credible interval,
because past values cannot show whether it covers.

Times are dates, times, months such as 2024-01, quarters such as 2024Q1, or numbers. pfnamp
finds a column of dates by itself. A missing step is a missing value. If the table holds
several series, --series COLUMN names the series of each row.

EXAMPLES
   pfnamp forecast sales.csv -y sales
   pfnamp forecast sales.csv -y sales --time month --horizon 24 -o forecast.parquet
   pfnamp forecast sales.csv -y sales --series shop -o forecast.csv --plot forecast.png
   pfnamp forecast sales.csv -y sales -o report.html`

// forecastJob is one run of `pfnamp forecast`. Its methods are its stages, in the order in which
// run calls them.
type forecastJob struct {
	run.Job
	columns  forecast.Columns
	question forecast.Options
	to       output.Places

	table *forecast.Table
	all   []*forecast.Forecast // by series
}

// Command is `pfnamp forecast`.
func Command() *cli.Command {
	j := new(forecastJob)
	return j.Command(&cli.Command{
		Name:        "forecast",
		Usage:       "forecast time series, with intervals learned from earlier forecasts",
		ArgsUsage:   "TABLE",
		Description: forecastHelp + "\n\n" + fault.ExitHelp,
	}, j.parse, j.run)
}

func (j *forecastJob) parse(c *cli.Context) (err error) {
	j.columns = forecast.Columns{Time: run.OneColumn(c, "time"), Target: j.From.Fit.Target,
		Series: run.OneColumn(c, "series"), Season: c.Int("season"), Dates: j.From.Fit.Dates}
	j.question = forecast.Options{Horizon: c.Int("horizon"), Level: c.Float64("level"),
		Origins: c.Int("origins"), Values: j.From.Fit.Values}
	j.From.Running.Refit = true // the network reads many times
	if j.From.Model == "" {
		j.From.Task = models.RegressionTask
	}
	table := c.Args().First()
	if pfnamp.IsState(table) {
		return run.IsState(table, "name the table: pfnamp forecast TABLE --target y")
	}
	if err := j.From.ParseTrain(table); err != nil {
		return err
	}
	if err := j.check(); err != nil {
		return err
	}
	if j.to, err = output.Parse(c); err != nil {
		return err
	}
	return j.to.Settle(table)
}

// check refuses a column that is named twice.
func (j *forecastJob) check() error {
	seen := map[string]string{}
	for _, pair := range [][2]string{{"--target", j.columns.Target}, {"--time", j.columns.Time},
		{"--series", j.columns.Series}} {
		if other := seen[pair[1]]; pair[1] != "" && other != "" {
			return fault.Wrong(fmt.Sprintf("%s and %s name the same column %q", other, pair[0],
				pair[1]), "")
		}
		seen[pair[1]] = pair[0]
	}
	return nil
}

func (j *forecastJob) run(ctx context.Context) error {
	defer j.Close()
	lap := j.Clock.Lap
	return j.Steps(ctx, j.to.Try, j.LoadBundle,
		j.Doing("reading "+filepath.Base(j.From.Train), j.read), lap("read"),
		j.Doing("loading the model", j.OpenModel), lap("model"),
		j.forecast, lap("forecast"), j.write, lap("write"), j.tellResult)
}

func (j *forecastJob) read(ctx context.Context) error {
	read := j.From.Read
	read.Names = []string{j.columns.Target}
	table, err := j.ReadTable(ctx, j.From.Train, read)
	if err != nil {
		return err
	}
	j.table, err = forecast.Read(table, j.columns)
	if j.table != nil {
		j.columns = j.table.Columns
	}
	if err != nil {
		return j.seriesFailure(table, err)
	}
	for _, name := range []string{j.columns.Time, j.columns.Series} {
		if j.to.Table != "" && slices.Contains(forecast.Computed, name) {
			return fault.Wrong(fmt.Sprintf("output column %q exists twice", name),
				fmt.Sprintf("rename the column %q of %s", name, j.From.Train))
		}
	}
	for _, note := range table.Notes {
		j.Warnf("%s: %s", j.From.Train, note)
	}
	j.noteSeries()
	if series, short := j.table.Check(j.question.Horizon); short != nil {
		return j.shortFailure(series, short)
	}
	return nil
}

func (j *forecastJob) forecast(ctx context.Context) error {
	progress := j.Telling()
	progress.Doing, progress.Unit, progress.Total = "", "forecasts", -1
	progress.Begin()
	defer progress.Finish()
	network := forecast.Of(j.Model)
	before := 0 // forecasts of the series that are done
	for i, s := range j.table.Series {
		question := j.question
		question.Progress = func(made, all int) {
			progress.Total = int64(before + all*(len(j.table.Series)-i))
			progress.Count(int64(before + made))
			if made == all {
				before += all
			}
		}
		f, err := s.Forecast(ctx, network, question)
		if input, ok := errors.AsType[*pfn.InputError](err); ok && j.From.Model != "" {
			return fault.Option("model", j.From.Model+" cannot forecast: "+input.Msg,
				"drop --model, or name one for regression of `pfnamp models list`")
		}
		if err != nil {
			return engine.MemoryFailure(err, "", 1)
		}
		j.all = append(j.all, f)
	}
	return nil
}

// shortFailure refuses the shortest series.
func (j *forecastJob) shortFailure(series int, short *forecast.ShortError) error {
	s := j.table.Series[series]
	unit, _, _ := strings.Cut(s.Step.Name(), " of ") // "step" of "step of 0.5"
	horizon := words.Count(short.Horizon, unit)
	why := fmt.Sprintf("the history is shorter than two seasons of %d: ", s.Season)
	wrong := &tabular.Error{File: j.From.Train, Msg: fmt.Sprintf("a horizon of %s needs %s of "+
		"history of %s; there are %d, too few to learn how far to trust the forecast",
		horizon, words.Count(short.Least, unit), j.named(series), short.Values)}
	if short.Values >= short.Least {
		why, wrong.Msg = "", "a horizon of "+horizon
		if short.Most == 0 {
			wrong.Msg = fmt.Sprintf("a season of %d", s.Season)
		}
		wrong.Msg += fmt.Sprintf(" is too long: pfnamp reads only the last %s of %s",
			words.Count(forecast.MostHistory, unit), j.named(series))
	}
	switch {
	case short.Most > 0:
		wrong.Hint = fmt.Sprintf("use at most --horizon %d", short.Most)
	case short.Seasonless > 0:
		wrong.Hint = fmt.Sprintf("%suse --season 1 --horizon %d", why,
			min(short.Horizon, short.Seasonless))
	default:
		wrong.Hint = "add earlier rows"
	}
	if len(j.table.Series) > 1 {
		wrong.Hint += ", or remove the rows of this series"
	}
	return wrong
}
