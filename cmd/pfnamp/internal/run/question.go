package run

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/reading"
)

// ParseAsk reads the flags that say what to ask, as far as a command has them.
func (j *AskJob) ParseAsk(c *cli.Context) (err error) {
	q := &j.Question
	*q = pfnamp.Question{
		Level: c.Float64("level"), Errors: c.Bool("mcse"), Beta: c.Float64("beta"),
		Chains: c.Int("chains"), Steps: c.Int("steps"), Rho: cmp.Or(c.Float64("rho"), amp.Independence),
		Seed: c.Uint64("seed"), Workers: c.Int("workers"), AllowNew: c.Bool("allow-new"),
		Missing: reading.Missing(c.String("missing")), Samples: c.Int("samples"),
		Predictive:  cmp.Or(pfnamp.Predictive(c.String("predictive")), pfnamp.PPDInterval),
		ConformalBy: OneColumn(c, "conformal-by"),
	}
	asked := strings.Join(c.StringSlice("functional"), ",")
	if q.Functionals, err = amp.ParseFunctionals(asked); err != nil {
		return fault.Option("functional", err.Error(), "")
	}
	if c.IsSet("ppd") {
		if q.Label, err = amp.ParseStatistics(strings.Join(c.StringSlice("ppd"), ",")); err != nil {
			return fault.Option("ppd", err.Error(), "")
		}
	}
	if q.Interval, err = amp.ParseIntervalKind(c.String("interval")); err != nil {
		return err
	}
	if err := j.parsePosterior(c); err != nil {
		return err
	}
	for _, name := range []string{"functional", "ppd", "rho"} {
		if c.IsSet(name) {
			j.Given = append(j.Given, name)
		}
	}
	j.From.Fit.ConformalBy = q.ConformalBy
	if q.Predictive == pfnamp.ConformalInterval {
		if j.From.Saved {
			return conformalFailure(pfnamp.ErrNoTable, j.From.Train)
		}
		j.From.Running.Contexts = 1 + pfnamp.DefaultFolds
	}
	return nil
}

// parsePosterior reads which posteriors the credible intervals are of; --preset fixes posterior and
// chains.
func (j *AskJob) parsePosterior(c *cli.Context) error {
	q, asked := &j.Question, c.String("posterior")
	for name := range strings.SplitSeq(asked, ",") {
		q.Posteriors = append(q.Posteriors, pfnamp.Posterior(strings.TrimSpace(name)))
	}
	for _, name := range []string{"chains", "steps", "rho", "beta"} {
		if c.IsSet(name) {
			j.chainFlags = append(j.chainFlags, "--"+name)
		}
	}
	if !c.IsSet("preset") {
		return nil
	}
	if c.IsSet("posterior") && asked != string(pfnamp.Paper) {
		return fault.Option("preset", "paper means --posterior paper, not --posterior "+asked,
			"drop one of the two")
	}
	q.Posteriors = []pfnamp.Posterior{pfnamp.Paper}
	q.Chains, q.Steps = amp.PaperChains, amp.DefaultSteps
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

// PosteriorHelp lists the posteriors with their meaning.
func PosteriorHelp() string {
	var lines strings.Builder
	for _, form := range amp.PosteriorForms() {
		fmt.Fprintf(&lines, "   %-9s %s\n", form.Name,
			strings.ReplaceAll(form.Meaning, "\n", "\n"+strings.Repeat(" ", 13)))
	}
	return lines.String()
}

// FormHelp lists functionals or statistics with their meaning, a line each.
func FormHelp(forms []amp.Form) string {
	var lines strings.Builder
	for _, form := range forms {
		fmt.Fprintf(&lines, "   %-26s %s\n", strings.Join(form.Texts, "  "), form.Meaning)
	}
	return lines.String()
}
