package main

import (
	"context"

	"github.com/urfave/cli/v2"
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
	return j.words().check(&j.opt, j.bundle.Manifest)
}
