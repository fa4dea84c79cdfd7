package flags

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/internal/nearest"
)

// Prepare gives commands below a path, such as "models", the flags of the table and its checks. A
// command of commands prints its help.
func Prepare(path string, commands []*cli.Command) {
	for _, c := range commands {
		name := strings.TrimSpace(path + " " + c.Name)
		c.Flags, c.Before, c.HideHelpCommand = Of(name), check, true
		c.OnUsageError = func(c *cli.Context, err error, _ bool) error { // of a variable's value
			return fault.Wrong(err.Error(), "see `"+c.Command.HelpName+" --help`")
		}
		if c.Subcommands != nil {
			c.Action = func(c *cli.Context) error {
				if c.NArg() == 0 {
					return cli.ShowSubcommandHelp(c)
				}
				return Unknown("pfnamp "+name, c.Args().First(), c.Command.Subcommands)
			}
			Prepare(name, c.Subcommands)
		}
	}
}

// Unknown reports a command that the program, or a command of it, does not have.
func Unknown(parent, name string, commands []*cli.Command) error {
	var known []string
	for _, command := range commands {
		if !command.Hidden {
			known = append(known, command.Name)
		}
	}
	hint := "the commands are " + strings.Join(known, ", ")
	if near := nearest.Names(name, known); len(near) > 0 {
		hint = "did you mean " + near[0] + "? " + hint
	}
	return fault.Wrong(fmt.Sprintf("%s has no command %q", parent, name), hint)
}

// AtMost refuses more arguments than a command reads, which are otherwise ignored in silence.
func AtMost(c *cli.Context, n int) error {
	if c.NArg() <= n {
		return nil
	}
	return fault.Wrong(fmt.Sprintf("%s takes no argument %q", c.Command.HelpName, c.Args().Get(n)),
		"see `"+c.Command.HelpName+" --help`")
}

// Exactly refuses another number of arguments, and says what is wanted, such as "one argument,
// TRAIN".
func Exactly(c *cli.Context, n int, wanted string) error {
	if c.NArg() == n {
		return nil
	}
	name := c.Command.HelpName
	return fault.Wrong(fmt.Sprintf("%s needs %s; %d given", strings.TrimPrefix(name, "pfnamp "),
		wanted, c.NArg()), "see `"+name+" --help`")
}
