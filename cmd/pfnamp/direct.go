package main

import (
	"context"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/pfn"
)

// directPosterior is the --posterior that reads the credible interval of the median from the
// network's second output, without chains.
const directPosterior = "direct"

// checkDirect refuses what the direct posterior cannot answer and what only chains have.
func (o *predictOptions) checkDirect(c *cli.Context) error {
	if !slices.Equal(o.functionals, []amp.Functional{amp.Quantile{Level: 0.5}}) {
		return &usageError{
			msg:  "--posterior direct knows the median only",
			hint: "ask for it alone, --functional median, or use --posterior paper or limit",
		}
	}
	for _, name := range []string{"chains", "steps", "rho", "beta", "preset", "mcse"} {
		if c.IsSet(name) {
			return &usageError{
				msg:  "--" + name + " is about chains, and --posterior direct draws none",
				hint: "drop one of the two",
			}
		}
	}
	return nil
}

// posteriorName is the --posterior in force.
func (o *predictOptions) posteriorName() string {
	if o.direct {
		return directPosterior
	}
	return o.posterior.String()
}

// checkBundle refuses a bundle that lacks the output which is asked for.
func (j *predictJob) checkBundle(context.Context) error {
	m := j.bundle.Manifest
	if j.opt.direct && m.Direct == nil {
		return &pfn.NoDirectError{Model: m.Name + " " + m.Version}
	}
	return nil
}

// summarizeDirect reads the credible interval of every row's median from its posterior. The point
// estimate is the median of the predictive distribution, as with every posterior.
func summarizeDirect(ppds []pfn.PPD, medians []*pfn.Quantiles, opt predictOptions) *result {
	r := newResult(ppds, opt.level)
	estimates := make([]amp.Estimate, len(ppds))
	tail := (1 - opt.level) / 2
	for i, median := range medians {
		lo, hi := median.Quantile(tail), median.Quantile(1-tail)
		if opt.interval == amp.HighestDensity {
			lo, hi = median.Shortest(opt.level)
		}
		estimates[i] = amp.Estimate{Point: ppds[i].Quantile(0.5), Lo: lo, Hi: hi}
	}
	r.estimates, r.posteriors = [][]amp.Estimate{estimates}, directPosteriors(medians)
	return r
}
