package run

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/joint"
	"github.com/pfnamp/pfnamp/reading"
	"github.com/pfnamp/pfnamp/report"
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

// Asked is a question as a report or a figure names it.
func (j *AskJob) Asked() report.Asked {
	q := j.Question
	a := report.Asked{Target: j.From.Fit.Target, Level: q.Level, Functionals: j.Layout.Names,
		Posterior: string(q.Posteriors[0]), Classes: j.Layout.Classes()}
	for _, f := range q.Functionals {
		a.Events = append(a.Events, f.Unit() == amp.ProbabilityUnit)
	}
	for _, other := range q.Posteriors[1:] {
		a.Others = append(a.Others, string(other))
	}
	return a
}

// Scale is how a screen shows a computed column of numbers.
func (j *AskJob) Scale(column string) output.Scale {
	column = strings.TrimPrefix(column, j.Layout.Prefix)
	event := slices.ContainsFunc(j.Question.Functionals, func(f amp.Functional) bool {
		name := f.String()
		return f.Unit() == amp.ProbabilityUnit && (column == name || strings.HasPrefix(column, name+"_"))
	})
	of, label := strings.CutPrefix(column, "ppd_")
	switch {
	case j.Classes(), event, strings.HasSuffix(column, "_above0"), column == "support",
		label && strings.HasPrefix(of, "p"):
		return output.OfProbability
	case label && strings.HasPrefix(of, "density"):
		return output.AsItIs
	}
	return output.OfTarget
}

// ToldEffect is an average or a difference as a report tells it.
func ToldEffect(effect joint.Effect, q pfnamp.Question) report.Average {
	told := report.Average{Name: effect.Name, Rows: effect.Rows}
	for f := range effect.Points {
		e := effect.Estimate(f, q.Level, q.Interval)
		told.Estimates = append(told.Estimates, report.Estimate{Point: e.Point, Lo: e.Lo, Hi: e.Hi})
		told.Above, told.Draws = append(told.Above, effect.Above(f)), len(effect.Draws[f])
	}
	return told
}
