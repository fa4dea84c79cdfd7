package main

import (
	"errors"
	"fmt"
	"math"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/joint"
	"github.com/pfnamp/pfnamp/tabular"
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

// defaultJointDraws is that of --draws.
const defaultJointDraws = 1000

// parseJoint reads the flags about several rows together.
func (o *predictOptions) parseJoint(c *cli.Context) error {
	o.joint = jointOptions{
		draws: c.String("joint"), perRow: c.Int("draws"), summary: c.String("summary"),
		groupBy: oneColumn(c, "group-by"), bands: c.Bool("bands"), length: c.Float64("length"),
	}
	if err := o.joint.checkFlags(c); err != nil {
		return err
	}
	if o.joint.bands && o.question.Interval != amp.EqualTailed {
		return fault.Option("bands", "needs --interval equal-tailed", "drop --bands or --interval")
	}
	chains := o.question.Draws()
	if !c.IsSet("draws") {
		o.joint.perRow = min(o.joint.perRow, chains)
	}
	if n := o.joint.perRow; n < 1 || n > chains {
		return outside("--draws", n, 1, fmt.Sprintf("the %d chains", chains))
	}
	for _, text := range c.StringSlice("contrast") {
		made, err := joint.ParseContrast(text, o.joint.groupBy != "")
		if err != nil {
			return contrastFailure(err)
		}
		o.joint.contrasts = append(o.joint.contrasts, made)
	}
	return o.checkOutputs()
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
	return fault.Option("contrast", quote(wrong.Text)+wrong.Msg, hint)
}

// checkFlags refuses flags that need another one.
func (o jointOptions) checkFlags(c *cli.Context) error {
	for _, name := range []string{"joint", "summary", "group-by"} {
		if c.IsSet(name) && c.String(name) == "" {
			return fault.Option(name, "is empty", "drop it, or give it a value")
		}
	}
	for _, pair := range [][2]string{
		{"draws", "joint"}, {"group-by", "summary"}, {"contrast", "summary"},
	} {
		if name, file := pair[0], pair[1]; c.IsSet(name) && !c.IsSet(file) {
			return fault.Option(name, "needs --"+file, "name a file: --"+file+" "+file+".csv")
		}
	}
	if c.IsSet("length") && !o.asked() && !c.IsSet("set") {
		return fault.Option("length", "needs --joint, --summary, --bands or --set",
			"add one of them, or drop --length")
	}
	if !(o.length > 0 && o.length < math.Inf(1)) {
		return fault.Option("length", fmt.Sprintf("%g is not a positive number", o.length), "")
	}
	return nil
}

// destinations are the files to write: "" is none, "-" standard output.
func (o *predictOptions) destinations() []string {
	paths := []string{o.out, o.plot, o.report, o.joint.draws, o.joint.summary}
	return append(append(paths, o.filePaths()...), o.summaryJSON)
}

// checkOutputs refuses outputs that would overwrite each other.
func (o *predictOptions) checkOutputs() error {
	paths := o.destinations()
	for i, path := range paths {
		for _, other := range paths[:i] {
			if path == "" || other == "" || path == "-" || other == "-" {
				continue
			}
			if same, err := tabular.SameFile(path, other); err != nil || same {
				return fault.Wrong("two outputs have the name "+path, "give every output its own name")
			}
		}
	}
	return nil
}
