package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/forecast"
	"github.com/pfnamp/pfnamp/models"
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

// forecastOptions is the command line of `pfnamp forecast`, parsed.
type forecastOptions struct {
	contextOptions
	columns   forecast.Columns
	question  forecast.Options
	out, plot string
	report    string
	plotSize  [2]int
	format    tabular.Format
	digits    int
}

func forecastCommand(std stdio.Streams) *cli.Command {
	return &cli.Command{
		Name:        "forecast",
		Usage:       "forecast time series, with intervals learned from earlier forecasts",
		ArgsUsage:   "TABLE",
		Description: forecastHelp + "\n\n" + fault.ExitHelp,
		Action:      parsed(parseForecast, runForecast, std),
	}
}

// parseForecast turns flags into options and reports the first wrong one.
func parseForecast(c *cli.Context) (forecastOptions, error) {
	shared, err := parseContext(c)
	opt := forecastOptions{contextOptions: shared, out: standardOutput(c.String("output")),
		plot: c.String("plot"), report: c.String("report"), digits: c.Int("digits"),
		columns: forecast.Columns{Time: oneColumn(c, "time"), Target: shared.fit.Target,
			Series: oneColumn(c, "series"), Season: c.Int("season")},
		question: forecast.Options{Horizon: c.Int("horizon"), Level: c.Float64("level"),
			Origins: c.Int("origins"), Values: shared.fit.Values}}
	if err != nil {
		return opt, err
	}
	if opt.model == "" {
		opt.contextOptions.task = models.RegressionTask
	}
	if c.NArg() != 1 {
		return opt, wrongCount(c, "one argument, TABLE")
	}
	if pfnamp.IsState(c.Args().First()) {
		return opt, isState(c.Args().First(), "name the table: pfnamp forecast TABLE --target y")
	}
	for _, step := range []func() error{
		func() error { return opt.parseTrain(c.Args().First()) }, opt.check,
		func() (err error) { opt.plotSize, err = parsePlotSize(c.String("plot-size")); return err },
		func() (err error) { opt.format, err = parseWritten(c); return err },
	} {
		if err := step(); err != nil {
			return opt, err
		}
	}
	return opt, nil
}

// check refuses a column that is named twice.
func (o *forecastOptions) check() error {
	seen := map[string]string{}
	for _, pair := range [][2]string{{"--target", o.columns.Target}, {"--time", o.columns.Time},
		{"--series", o.columns.Series}} {
		if other := seen[pair[1]]; pair[1] != "" && other != "" {
			return fault.Wrong(fmt.Sprintf("%s and %s name the same column %q", other, pair[0], pair[1]), "")
		}
		seen[pair[1]] = pair[0]
	}
	return nil
}

// runForecast does the whole job.
func runForecast(ctx context.Context, opt forecastOptions, std stdio.Streams) error {
	job := &forecastJob{opt: opt, start: time.Now(),
		contextJob: contextJob{from: opt.contextOptions, std: std}}
	defer job.close()
	job.clock.last = job.start
	lap := job.clock.lap
	return job.steps(ctx, job.checkOutputs, job.loadBundle,
		job.doing("reading "+filepath.Base(opt.train), job.read), lap("read"),
		job.doing("loading the model", job.load), lap("model"),
		job.forecast, lap("forecast"), job.write, lap("write"), job.tell)
}
