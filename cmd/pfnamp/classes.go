package main

import (
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
