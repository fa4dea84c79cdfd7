package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
)

// samplesFile is the flag of the file of drawn labels, without which they are columns of the table.
const samplesFile = "samples-file"

// parseLabel reads the flags about the distribution of the label itself.
func (o *predictOptions) parseLabel(c *cli.Context) (err error) {
	q := &o.question
	q.Samples = c.Int("samples")
	if c.IsSet("ppd") {
		if q.Label, err = amp.ParseStatistics(strings.Join(c.StringSlice("ppd"), ",")); err != nil {
			return fault.Option("ppd", err.Error(), "")
		}
	}
	asked := ""
	switch {
	case q.Label != nil:
		asked = "--ppd"
	case c.IsSet("samples"):
		asked = "--samples"
	}
	switch {
	case c.IsSet("samples") && (q.Samples < 1 || q.Samples > pfnamp.MostSamples):
		return outside("--samples", q.Samples, 1, pfnamp.MostSamples)
	case o.files[samplesFile] != "" && q.Samples == 0:
		return needs(c, "--samples 100", samplesFile)
	case asked != "" && q.Predictive == pfnamp.ConformalInterval:
		return fault.Wrong(
			asked+" needs a whole distribution, and --predictive conformal has an interval of "+"one level",
			"drop --predictive conformal, or drop "+asked)
	}
	return nil
}

// labelMetadata says what was asked of the distribution of the label itself.
func labelMetadata(q pfnamp.Question) (pairs [][2]string) {
	if q.Label != nil {
		var names []string
		for _, statistic := range q.Label {
			names = append(names, statistic.String())
		}
		pairs = append(pairs, [2]string{"pfnamp.ppd", strings.Join(names, ",")})
	}
	if q.Samples > 0 {
		pairs = append(pairs, [2]string{"pfnamp.samples", strconv.Itoa(q.Samples)})
	}
	return pairs
}

// labelNote explains the columns of --ppd.
func (o *predictOptions) labelNote() string {
	q := o.question
	if q.Label == nil {
		return ""
	}
	return fmt.Sprintf("; ppd_*: the predictive distribution of a label, as %s",
		o.nameOf(fmt.Sprintf("ppd_%s", q.Label[0])))
}

// statisticHelp lists what --ppd takes besides functionals.
func statisticHelp() string {
	var lines strings.Builder
	for _, form := range amp.StatisticForms()[len(amp.Forms()):] {
		fmt.Fprintf(&lines, "   %-26s %s\n", strings.Join(form.Texts, "  "), form.Meaning)
	}
	return lines.String()
}
