// Package explain has the command `pfnamp explain`: effects, treatments, importance.
package explain

import (
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/run"
)

const explainHelp = `Shows what drives the prediction. A STATE of pfnamp fit can replace TRAIN. By default
explain sets every column in turn to one value after the other in all rows of TRAIN, and
averages the predictions (partial dependence).

OUTPUT COLUMNS, for the functional mean and the level 0.9:
   column, value             the column, and the value that all rows get
   rows                      rows of TRAIN with this value, or nearest to it
   support                   share of changed rows that are near a row of TRAIN:
                             below 0.5 the model extrapolates
   averaged                  number of rows in each average
   mean, mean_lo, mean_hi    average prediction and its 90 % credible interval
   mean_band_lo, _band_hi    band that holds at all values of the column at once
   mean_error                error of averaging a part of the rows only

Effects are what the model expects of rows with these values. They are not causal: a
column may stand in for another one that the table lacks.

--treatment COLUMN compares the two values of a column: the average label of all rows under
each value, adjusted for the other columns, and corrected where the model errs in one of the
groups. The table has both averages and three differences: adjusted, by the model alone, and
not adjusted. A note warns where the two groups have no comparable rows. --group-by COLUMN
adds the adjusted difference among the rows with each value of another column.

` + importanceHelp + `

EXAMPLES
   pfnamp explain train.csv -y price
   pfnamp explain train.csv -y price --importance -o importance.csv --plot importance.svg
   pfnamp explain train.csv -y price --effect area,town -f 'mean,p>500' -o effects.parquet
   pfnamp explain train.csv -y price --effect area:age -o surface.png
   pfnamp explain train.csv -y price --treatment airco
   pfnamp explain price.state -o report.html`

// explainJob is one run of `pfnamp explain`: it reads a table and asks a question as predict does,
// of rows of TRAIN itself. Its methods are its stages, in the order in which run calls them.
type explainJob struct {
	run.AskJob
	to     output.Places
	length float64 // see joint.Couple

	effects   []string // columns, or pairs a:b; nil for every column
	points    int      // values of a column of numbers
	treatment string   // column with two values, "" for none
	groupBy   string   // column in whose groups the treatment is compared too, "" for none

	importance bool
	correlated float64 // see explain.ImportanceOptions

	asks  explanation
	found finding
}

// Command is `pfnamp explain`.
func Command() *cli.Command {
	j := new(explainJob)
	return j.Command(&cli.Command{
		Name:        "explain",
		Usage:       "show what drives the prediction: effects of columns, with credible bands",
		ArgsUsage:   "TRAIN|STATE",
		Description: explainHelp + "\n\n" + fault.ExitHelp,
	}, j.parse, j.run)
}

func (j *explainJob) parse(c *cli.Context) (err error) {
	if err := run.Each(c, j.From.ParseSource, j.ParseAsk, j.From.RefuseDivision); err != nil {
		return err
	}
	j.length, j.points = c.Float64("length"), c.Int("points")
	j.importance, j.correlated = c.Bool("importance"), c.Float64("correlated")
	if j.effects, err = run.List(c, "effect"); err != nil {
		return err
	}
	if j.treatment, j.groupBy = run.OneColumn(c, "treatment"), run.OneColumn(c,
		"group-by"); j.treatment != "" {
		j.From.Running.Contexts = 2
	}
	if j.groupBy != "" && j.groupBy == j.treatment {
		return fault.Option("group-by", strconv.Quote(j.groupBy)+" is the --treatment itself",
			"name another column, or drop --group-by")
	}
	j.From.SkipUnused()
	if j.to, err = output.Parse(c); err != nil {
		return err
	}
	return j.to.Settle(j.From.Train)
}
