package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// flagsFirst reorders a command line so that flags may stand anywhere, as
// users expect: the flag parser stops at the first positional argument.
// Everything after "--" stays positional. With a flag of help the command
// prints its help, whatever else the command line says.
func flagsFirst(app *cli.App, args []string) []string {
	if len(args) == 0 {
		return args
	}
	out, path := []string{args[0]}, []string{args[0]} // path: of the command
	help := false
	flags, commands := app.Flags, app.Commands
	i := 1
	for i < len(args) {
		if n := flagWidth(flags, args[i:]); n > 0 {
			help = help || asksForHelp(flags, args[i:i+n])
			out = append(out, args[i:i+n]...)
			i += n
			continue
		}
		command := findCommand(commands, args[i])
		if command == nil {
			break
		}
		out, path = append(out, args[i]), append(path, args[i])
		flags, commands = command.Flags, command.Subcommands
		i++
	}
	front, rest := splitFlags(flags, args[i:])
	help = help || asksForHelp(flags, front)
	switch {
	case help && len(path) > 1:
		return append(path, "--help")
	case help && len(rest) > 0: // the unknown command becomes an error
		return append(path, "--", rest[0])
	}
	return slices.Concat(out, front, []string{"--"}, rest)
}

// asksForHelp tells whether one of some flags is that for help.
func asksForHelp(flags []cli.Flag, given []string) bool {
	for len(given) > 0 {
		if slices.Contains(cli.HelpFlag.Names(), strings.TrimLeft(given[0], "-")) {
			return true
		}
		given = given[flagWidth(flags, given):]
	}
	return false
}

// splitFlags parts args into flags with their values and positional arguments.
func splitFlags(flags []cli.Flag, args []string) (front, rest []string) {
	for i := 0; i < len(args); {
		if args[i] == "--" {
			rest = append(rest, args[i+1:]...)
			break
		}
		if n := flagWidth(flags, args[i:]); n > 0 {
			front = append(front, args[i:i+n]...)
			i += n
			continue
		}
		rest = append(rest, args[i])
		i++
	}
	return front, rest
}

// flagWidth is the number of arguments that the flag at the start of args
// takes, itself included; 0 when args does not start with a flag.
func flagWidth(flags []cli.Flag, args []string) int {
	arg := args[0]
	if arg == "-" || arg == "--" || !strings.HasPrefix(arg, "-") {
		return 0
	}
	flag := findFlag(flags, arg)
	if _, ok := flag.(*cli.BoolFlag); ok || flag == nil || strings.Contains(arg, "=") {
		return 1
	}
	return min(2, len(args))
}

// repeatedFlag is the name of a flag that takes one value but is given twice
// on a command line that flagsFirst has put in order, or empty.
func repeatedFlag(app *cli.App, args []string) string {
	flags, commands := app.Flags, app.Commands
	given := map[string]bool{}
	for i := 1; i < len(args) && args[i] != "--"; i++ {
		if n := flagWidth(flags, args[i:]); n > 0 {
			name := canonicalName(flags, args[i])
			if given[name] {
				return name
			}
			given[name] = name != ""
			i += n - 1
		} else if command := findCommand(commands, args[i]); command != nil {
			flags, commands = command.Flags, command.Subcommands
		}
	}
	return ""
}

// flagWithoutValue is the flag that ends a command line, or stands before "--", though it takes a
// value; or empty. The command line is one that flagsFirst has put in order.
func flagWithoutValue(app *cli.App, args []string) string {
	flags, commands := app.Flags, app.Commands
	for i := 1; i < len(args) && args[i] != "--"; i++ {
		if n := flagWidth(flags, args[i:]); n == 2 && args[i+1] == "--" {
			return args[i]
		} else if n > 0 {
			i += n - 1
		} else if command := findCommand(commands, args[i]); command != nil {
			flags, commands = command.Flags, command.Subcommands
		}
	}
	return ""
}

// canonicalName is the first name of the flag that an argument gives; empty
// for flags that may be given many times, and for unknown ones.
func canonicalName(flags []cli.Flag, arg string) string {
	flag := findFlag(flags, arg)
	if _, many := flag.(*cli.StringSliceFlag); many || flag == nil {
		return ""
	}
	return flag.Names()[0]
}

// findFlag is the flag that an argument gives, with or without "=value"; nil
// if it is unknown.
func findFlag(flags []cli.Flag, arg string) cli.Flag {
	name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	for _, flag := range flags {
		if slices.Contains(flag.Names(), name) {
			return flag
		}
	}
	return nil
}

func findCommand(commands []*cli.Command, name string) *cli.Command {
	for _, command := range commands {
		if command.HasName(name) {
			return command
		}
	}
	return nil
}
