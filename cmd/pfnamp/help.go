package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/internal/nearest"
)

// helpCommand is --help for people who type `pfnamp help predict`.
func helpCommand() *cli.Command {
	return &cli.Command{
		Name:      "help",
		Usage:     "print the help of the program or of a command",
		ArgsUsage: "[COMMAND...]",
		Action: func(c *cli.Context) error {
			path, commands := "pfnamp", c.App.Commands
			var found *cli.Command
			for _, name := range c.Args().Slice() {
				found = findCommand(commands, name)
				if found == nil {
					return unknownCommand(path, name, commands)
				}
				path, commands = path+" "+name, found.Subcommands
			}
			if found == nil {
				return cli.ShowAppHelp(c)
			}
			return c.App.RunContext(c.Context, append(strings.Fields(path), "--help"))
		},
	}
}

// setUsageError gives all commands the errors of this program.
func setUsageError(commands []*cli.Command) {
	for _, command := range commands {
		command.OnUsageError, command.HideHelpCommand = wrongUsage, true
		setUsageError(command.Subcommands)
	}
}

// wrongUsage words an error of the flag parser.
func wrongUsage(c *cli.Context, err error, _ bool) error {
	msg, hint := err.Error(), "see `"+c.Command.HelpName+" --help`"
	if name, ok := strings.CutPrefix(msg, "flag provided but not defined: -"); ok {
		msg = "unknown flag " + dashed(name)
		if near := nearest.Names(name, flagNames(c.Command.Flags)); len(near) > 0 {
			hint = "did you mean " + dashed(near[0]) + "? " + hint
		}
	}
	if before, name, ok := strings.Cut(msg, " for flag -"); ok {
		name, rest, _ := strings.Cut(name, ":")
		msg = before + " for flag " + dashed(name)
		if rest != "" {
			msg += ":" + rest
		}
		if kind := valueOf(c.Command.Flags, name); kind != "" && rest == " parse error" {
			msg, hint = before+" for flag "+dashed(name), kind+"; "+hint
		}
	}
	return fault.Wrong(msg, hint)
}

// valueOf says what the value of a flag looks like, where that is not plain.
func valueOf(flags []cli.Flag, name string) string {
	for _, flag := range flags {
		if !slices.Contains(flag.Names(), name) {
			continue
		}
		switch flag.(type) {
		case *cli.DurationFlag:
			return "write a time with a unit, such as 500ms, 2s or 1m"
		case *cli.IntFlag, *cli.Int64Flag:
			return "write a whole number"
		case *cli.UintFlag, *cli.Uint64Flag:
			return "write a whole number from 0"
		case *cli.Float64Flag:
			return "write a number"
		}
	}
	return ""
}

// dashed is a flag as it is typed.
func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// flagNames lists the long names of flags that help shows.
func flagNames(flags []cli.Flag) []string {
	var names []string
	for _, flag := range flags {
		if shown, ok := flag.(cli.VisibleFlag); ok && shown.IsVisible() {
			names = append(names, flag.Names()[0])
		}
	}
	return names
}

// noCommand runs when the first argument is no known command.
func noCommand(c *cli.Context) error {
	if c.NArg() == 0 {
		return cli.ShowAppHelp(c)
	}
	return unknownCommand("pfnamp", c.Args().First(), c.App.Commands)
}

func unknownCommand(parent, name string, commands []*cli.Command) error {
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
