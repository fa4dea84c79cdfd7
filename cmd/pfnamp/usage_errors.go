package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/tabular"
)

// refuse is the error of the first of the flags that is given, nil for none. Without a hint it says
// to drop the flag.
func refuse(c *cli.Context, why, hint string, flags ...string) error {
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

// outside reports a number that is not in the range of a flag.
func outside(flag string, value, least, most any) error {
	return fault.Wrong(fmt.Sprintf("%s %v is not between %v and %v", flag, value, least, most), "")
}

// wrongCount reports that a command has too few or too many arguments.
func wrongCount(c *cli.Context, want string) error {
	name := c.Command.HelpName
	return fault.Wrong(fmt.Sprintf("%s needs %s; %d given", strings.TrimPrefix(name, "pfnamp "), want,
		c.NArg()), "see `"+name+" --help`")
}

// isState refuses a saved state where a command reads a table.
func isState(path, hint string) error {
	return fault.Wrong(path+" is a saved state, not a table", hint)
}

// noStandardOutput reports a second output that would go where the table goes.
func noStandardOutput(flag string) error {
	return fault.Wrong(flag+" -: standard output is for the table", "name a file: "+flag+" FILE")
}

// binaryTerminal refuses to write bytes that a terminal would take for commands.
func binaryTerminal(format tabular.Format) error {
	return fault.Wrong("refusing to write binary "+format.String()+" data to a terminal",
		"name a file with -o, or pipe the output")
}
