package predict

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/run"
	"github.com/pfnamp/pfnamp/joint"
)

// jointOptions holds the flags about several rows together.
type jointOptions struct {
	draws     string // file of joint draws, "" for none
	perRow    int    // draws written of every row
	summary   string // file of averages and contrasts, "" for none
	groupBy   string // column of TEST whose values make groups
	contrasts []joint.Contrast
	bands     bool    // simultaneous bands beside the intervals
	length    float64 // see joint.Couple
}

// asked tells whether rows are coupled at all.
func (o jointOptions) asked() bool { return o.draws != "" || o.summary != "" || o.bands }

// parseJoint reads the flags about several rows together, and settles the outputs.
func (j *predictJob) parseJoint(c *cli.Context) error {
	j.joint = jointOptions{
		draws: c.String("joint"), perRow: c.Int("draws"), summary: c.String("summary"),
		groupBy: run.OneColumn(c, "group-by"), bands: c.Bool("bands"), length: c.Float64("length"),
	}
	o := &j.joint
	chains := j.Question.Draws()
	if !c.IsSet("draws") {
		o.perRow = min(o.perRow, chains)
	}
	if n := o.perRow; n < 1 || n > chains {
		return fault.Option("draws", fmt.Sprintf("%d is not between 1 and the %d chains", n, chains), "")
	}
	for _, text := range c.StringSlice("contrast") {
		made, err := joint.ParseContrast(text, o.groupBy != "")
		if err != nil {
			return contrastFailure(err)
		}
		o.contrasts = append(o.contrasts, made)
	}
	j.Chained = o.asked() || len(j.sets) > 0
	for _, f := range []output.Flagged{{Flag: "--joint", Path: o.draws},
		{Flag: "--summary", Path: o.summary}, {Flag: "--samples-file", Path: j.samples}} {
		if f.Path != "" {
			j.to.Beside = append(j.to.Beside, f)
		}
	}
	if j.tests != nil { // -o is a folder
		return nil
	}
	return j.to.Settle(j.From.Train, j.test)
}

// contrastFailure names the flag of a contrast that is refused.
func contrastFailure(err error) error {
	wrong, ok := errors.AsType[*joint.ContrastError](err)
	if !ok {
		return err
	}
	hint := wrong.Hint
	switch wrong.Fault {
	case joint.NoDifference:
		hint = "write 'row 3 - row 7', 'row 3 - all', or with --group-by 'north - south'" +
			"\nquote a name that holds \" - \", or that is all or row 1: '\"18 - 25\" - north'"
	case joint.NoTerm:
		hint = "name rows of TEST 'row 1', 'row 2', ...; for groups add --group-by COLUMN"
	}
	return fault.Option("contrast", strconv.Quote(wrong.Text)+wrong.Msg, hint)
}
