package run

import (
	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
)

// Refuse is the error of the first of the flags that is given, nil for none. Without a hint it says
// to drop the flag.
func Refuse(c *cli.Context, why, hint string, flags ...string) error {
	for _, name := range flags {
		if c.IsSet(name) {
			if hint == "" {
				hint = "drop --" + name
			}
			return fault.Option(name, ""+why, hint)
		}
	}
	return nil
}

// IsState refuses a saved state where a command reads a table.
func IsState(path, hint string) error {
	return fault.Wrong(path+" is a saved state, not a table", hint)
}
