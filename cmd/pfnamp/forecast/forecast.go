// Package forecast has the command `pfnamp forecast`.
package forecast

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/run"
	"github.com/pfnamp/pfnamp/forecast"
	"github.com/pfnamp/pfnamp/models"
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
