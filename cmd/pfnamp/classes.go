package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
)

// parseNumbers notes the flags that matter if the model is a classifier: those about numbers or
// about rows together, and those with another default for it.
func (o *predictOptions) parseNumbers(c *cli.Context) error {
	for _, name := range []string{
		"functional", "plot", "joint", "draws", "summary", "group-by", "contrast", "bands", "length",
		"predictive", "posterior", "preset", "rho",
	} {
		if c.IsSet(name) {
			o.numbers = append(o.numbers, name)
		}
	}
	return nil
}

// checkTask refuses what cannot be asked of the model, and leaves the defaults of a classifier to
// the question.
func (j *predictJob) checkTask(context.Context) error {
	o, m := &j.opt, j.bundle.Manifest
	direct := slices.Contains(append(o.question.Also, o.question.Posterior), pfnamp.Direct)
	if !j.classifier() {
		if direct {
			return directFailure(pfnamp.CheckDirect(m, o.question.Functionals))
		}
		return nil
	}
	refused := func(what, hint string) error {
		return &usageError{hint: hint, msg: fmt.Sprintf(
			"%s cannot be had of classes, and model %s is a classifier", what, m.Name)}
	}
	given := func(name string) bool { return slices.Contains(o.numbers, name) }
	if given("functional") {
		return refused("--functional", "drop it: the probability of every class is written")
	}
	for _, name := range o.numbers {
		switch name {
		case "posterior", "preset", "rho":
		default:
			return refused("--"+name, "drop it, or use a model for regression")
		}
	}
	switch {
	case pictureFormat(o.out) != "":
		return refused("the figure "+o.out, "write a table, such as -o out.csv")
	case direct && m.ClassPosterior == nil:
		return refused("--posterior direct", "the posteriors are limit (default) and paper")
	}
	o.question.Functionals = nil
	if !given("rho") {
		o.question.Rho = 0
	}
	return nil
}

// directFailure words the refusal of functionals that a network's own posterior does not know.
func directFailure(err error) error {
	if _, ok := errors.AsType[*amp.FunctionalError](err); ok {
		return &usageError{
			msg:  "--posterior direct knows the median only",
			hint: "ask for it alone, --functional median, or use --posterior paper or limit",
		}
	}
	return err
}

// maxListedLabels is how many labels a note lists.
const maxListedLabels = 10

// labelCounts says how many rows every label has.
func labelCounts(t pfnamp.TargetSummary) string {
	var parts []string
	for k, text := range t.Labels.Texts[:min(len(t.Counts), maxListedLabels)] {
		parts = append(parts, fmt.Sprintf("%s %d", text, t.Counts[k]))
	}
	if more := len(t.Counts) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	what := "classes"
	if len(t.Counts) == 1 {
		what = "class"
	}
	return fmt.Sprintf("%d %s (%s)", len(t.Counts), what, strings.Join(parts, ", "))
}
