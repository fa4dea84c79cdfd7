package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
)

// parsePosterior reads which posteriors the credible intervals are of.
func (o *predictOptions) parsePosterior(c *cli.Context) error {
	q := &o.question
	var asked []pfnamp.Posterior
	for name := range strings.SplitSeq(c.String("posterior"), ",") {
		posterior := pfnamp.Posterior(strings.TrimSpace(name))
		if !slices.Contains(amp.Posteriors(), posterior) {
			return notOneOf("--posterior", string(posterior), posteriorNames()...)
		}
		if slices.Contains(asked, posterior) {
			return fault.Option("posterior", fmt.Sprintf("lists %q twice", posterior), "")
		}
		asked = append(asked, posterior)
	}
	q.Posteriors = asked
	for _, name := range []string{"chains", "steps", "rho", "beta"} {
		if c.IsSet(name) {
			o.chainFlags = append(o.chainFlags, "--"+name)
		}
	}
	if err := o.checkDirect(c); err != nil {
		return err
	}
	return o.parsePreset(c)
}

// checkDirect refuses what only chains have where nothing draws them.
func (o *predictOptions) checkDirect(c *cli.Context) error {
	if !slices.Equal(o.question.Posteriors, []pfnamp.Posterior{pfnamp.Direct}) {
		return nil
	}
	return refuse(c, "needs chains, and --posterior direct draws none", "drop one of them",
		"chains", "steps", "rho", "beta", "preset", "mcse")
}

// posteriorNames lists the values of --posterior.
func posteriorNames() (names []string) {
	for _, form := range amp.PosteriorForms() {
		names = append(names, string(form.Name))
	}
	return names
}

// posteriorHelp lists the posteriors with their meaning.
func posteriorHelp() string {
	var lines strings.Builder
	for _, form := range amp.PosteriorForms() {
		fmt.Fprintf(&lines, "   %-8s %s\n", form.Name,
			strings.ReplaceAll(form.Meaning, "\n", "\n"+strings.Repeat(" ", 12)))
	}
	return lines.String()
}

// parsePreset reads --preset, which fixes posterior and chains.
func (o *predictOptions) parsePreset(c *cli.Context) error {
	q := &o.question
	switch preset := c.String("preset"); {
	case preset == "":
		return nil
	case preset != string(pfnamp.Paper):
		return notOneOf("--preset", preset, "paper")
	case c.IsSet("chains") || c.IsSet("steps"):
		return conflict("--preset paper", "--chains or --steps")
	case c.IsSet("posterior") && c.String("posterior") != string(pfnamp.Paper):
		return fault.Wrong(fmt.Sprintf(
			"--preset paper means --posterior paper, not --posterior %s", c.String("posterior")),
			"drop one of the two")
	}
	q.Posteriors = []pfnamp.Posterior{pfnamp.Paper}
	q.Chains, q.Steps = amp.PaperChains, amp.DefaultSteps
	return nil
}
