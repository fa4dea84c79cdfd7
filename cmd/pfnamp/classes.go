package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp"
)

// parseNumbers notes the flags that matter if the model is a classifier: those about numbers, and
// those with another default for it.
func (o *predictOptions) parseNumbers(c *cli.Context) error {
	for _, name := range []string{
		"functional", "ppd", "posterior", "preset", "rho",
	} {
		if c.IsSet(name) {
			o.numbers = append(o.numbers, name)
		}
	}
	return nil
}

// checkTask refuses what cannot be asked of the model, and leaves the defaults of a classifier to
// the question. It does so again when the target has chosen the model.
func (j *predictJob) checkTask(context.Context) error {
	if j.bundle == nil { // the target decides
		return nil
	}
	o, m := &j.opt, j.bundle.Manifest
	direct := slices.Contains(o.question.Posteriors, pfnamp.Direct)
	if !j.classifier() {
		if direct {
			return pfnamp.CheckDirect(m)
		}
		return nil
	}
	refused := func(what, hint string) error {
		return &usageError{hint: hint, msg: fmt.Sprintf(
			"%s does not apply to classes, and model %s is a classifier", what, m.Name)}
	}
	given := func(name string) bool { return slices.Contains(o.numbers, name) }
	if given("functional") {
		return refused("--functional", "drop it: the probability of every class is written")
	}
	if given("ppd") {
		return refused("--ppd", "drop it: the columns p=LABEL are the distribution of the label, and "+
			"--samples 100 draws from it")
	}
	if direct && m.ClassPosterior == nil {
		return refused("--posterior direct", "the posteriors are limit (default) and paper")
	}
	o.question.Functionals, o.question.Label = nil, nil
	if !given("rho") {
		o.question.Rho = 0
	}
	return nil
}

// checkJointClasses refuses joint draws of more than two classes.
func (j *predictJob) checkJointClasses() error {
	labels := j.schema.Labels
	if labels == nil || len(labels.Texts) <= 2 || j.opt.joint.draws == "" {
		return nil
	}
	return &usageError{msg: fmt.Sprintf("--joint couples rows class by class, so that the draws of "+
		"%d classes would not have the sum 1", len(labels.Texts)),
		hint: "--summary has averages of every class and their differences"}
}

// maxListedLabels is how many labels a note lists.
const maxListedLabels = 10

// labelCounts says how many rows every label has.
func labelCounts(labels []string, counts []int) string {
	var parts []string
	for k, text := range labels[:min(len(counts), maxListedLabels)] {
		parts = append(parts, fmt.Sprintf("%s %d", text, counts[k]))
	}
	if more := len(counts) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	what := "classes"
	if len(counts) == 1 {
		what = "class"
	}
	return fmt.Sprintf("%d %s (%s)", len(counts), what, strings.Join(parts, ", "))
}
