package flags

import (
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/internal/nearest"
	"github.com/pfnamp/pfnamp/tabular"
)

// Prepare gives commands below a path, such as "models", the flags of the table and its checks. A
// command of commands prints its help.
func Prepare(path string, commands []*cli.Command) {
	for _, c := range commands {
		name := strings.TrimSpace(path + " " + c.Name)
		c.Before, c.HideHelpCommand = check, true
		for _, f := range of(name) {
			c.Flags = append(c.Flags, f.cli())
		}
		c.OnUsageError = func(c *cli.Context, err error, _ bool) error { // of a variable's value
			return fault.Wrong(err.Error(), "see `"+c.Command.HelpName+" --help`")
		}
		if action := c.Action; action != nil {
			c.Action = func(c *cli.Context) error { return Worded(action(c), name, false) }
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

// Worded words the hint of an error about a table by WordsOf.
func Worded(err error, command string, test bool) error {
	if e, ok := errors.AsType[*tabular.Error](err); ok {
		*e = *e.WithHint(e.HintWith(WordsOf(command, test)))
	}
	return err
}

// WordsOf are fault.Words with the flags of a command. About TEST they name its flags.
func WordsOf(command string, test bool) tabular.Words {
	words := fault.Words
	words.Option = func(o tabular.Option) (flag string) {
		for _, f := range of(command) {
			if f.Option == o && (test || !strings.HasPrefix(f.Name, "test-")) {
				flag = strings.TrimSpace("--" + f.Name + " " + f.Sets)
			}
		}
		return flag
	}
	return words
}

// visible lists the names of commands that are not hidden.
func visible(commands []*cli.Command) (names []string) {
	for _, c := range commands {
		if !c.Hidden {
			names = append(names, c.Name)
		}
	}
	return names
}

// Unknown reports a command that the program, or a command of it, does not have.
func Unknown(parent, name string, commands []*cli.Command) error {
	known := visible(commands)
	hint := "the commands are " + strings.Join(known, ", ")
	if near := nearest.Names(name, known); len(near) > 0 {
		hint = "did you mean " + near[0] + "? " + hint
	}
	return fault.Wrong(fmt.Sprintf("%s has no command %q", parent, name), hint)
}

// checkArguments refuses more arguments than ArgsUsage has words, which nobody would read, and
// fewer, unless the word is in brackets. Any number may come where it has "...".
func checkArguments(c *cli.Context) error {
	name, usage := c.Command.HelpName, c.Command.ArgsUsage
	most, hint := len(strings.Fields(usage)), "see `"+name+" --help`"
	switch {
	case c.Command.Hidden, c.Command.Subcommands != nil, strings.Contains(usage, "..."):
		return nil
	case c.NArg() > most:
		return fault.Wrong(fmt.Sprintf("%s takes no argument %q", name, c.Args().Get(most)), hint)
	case c.NArg() < most && usage[0] != '[':
		return fault.Wrong(fmt.Sprintf("%s needs %s; %d given", Command(c), usage, c.NArg()), hint)
	}
	return nil
}
