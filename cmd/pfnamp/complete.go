package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// filesToo is the last line of completions where a file may stand as well.
const filesToo = ":files"

// completeCommand is what the scripts of `pfnamp completion` ask: the words of a command line, the
// last one being typed.
func completeCommand(std stdio.Streams) *cli.Command {
	return &cli.Command{
		Name: "complete", Hidden: true, SkipFlagParsing: true,
		Action: func(c *cli.Context) error {
			words := c.Args().Slice()
			if len(words) > 0 && words[0] == "--" {
				words = words[1:]
			}
			if found := completions(newApp(std), words); len(found) > 0 {
				return writeLines(std.Out, found...)
			}
			return nil
		},
	}
}

// completions lists what the last of the words after the program's name may become.
func completions(app *cli.App, words []string) []string {
	if len(words) == 0 {
		return nil
	}
	line := lineOf(app, words[:len(words)-1])
	current := words[len(words)-1]
	var found []string
	files := false
	name, value, joined := strings.Cut(current, "=")
	switch {
	case line.flag != nil:
		found, files = line.values(line.flag, current)
	case joined && strings.HasPrefix(current, "-"):
		if flag := findFlag(line.flags, name); flag != nil {
			found, files = line.values(flag, value)
			for i := range found {
				found[i] = name + "=" + found[i]
			}
		}
	case strings.HasPrefix(current, "-"):
		found = typedFlags(line.flags)
	case len(line.commands) > 0 && len(line.arguments) == 0:
		for _, c := range line.commands {
			if !c.Hidden {
				found = append(found, c.Name)
			}
		}
	default:
		found, files = line.positional()
	}
	found = slices.DeleteFunc(found, func(s string) bool {
		return !strings.HasPrefix(s, current) || strings.ContainsAny(s, "\n\r")
	})
	if files {
		found = append(found, filesToo)
	}
	return found
}

// typedFlags lists flags as they are typed.
func typedFlags(flags []cli.Flag) []string {
	var names []string
	for _, flag := range flags {
		for _, name := range flag.Names() {
			names = append(names, dashed(name))
		}
	}
	return append(names, "--help")
}

// commandLine is what the words before the one that is typed say.
type commandLine struct {
	path      string // of the command, such as "models show"
	flags     []cli.Flag
	commands  []*cli.Command
	arguments []string
	flag      cli.Flag // that waits for its value, or nil
}

// lineOf reads words as flagsFirst does.
func lineOf(app *cli.App, words []string) commandLine {
	line := commandLine{flags: app.Flags, commands: app.Commands}
	for i := 0; i < len(words); i++ {
		if strings.HasPrefix(words[i], "-") && words[i] != "-" {
			flag := findFlag(line.flags, words[i])
			_, single := flag.(*cli.BoolFlag)
			if flag == nil || single || strings.Contains(words[i], "=") {
				continue
			}
			if i++; i == len(words) {
				line.flag = flag
			}
			continue
		}
		if command := findCommand(line.commands, words[i]); command != nil && len(line.arguments) == 0 {
			line.path = strings.TrimSpace(line.path + " " + command.Name)
			line.flags, line.commands = command.Flags, command.Subcommands
			continue
		}
		line.arguments = append(line.arguments, words[i])
	}
	return line
}

// positional lists what an argument may be, and whether a file.
func (l commandLine) positional() (found []string, files bool) {
	switch l.path {
	case "models show", "models verify", "models diff":
		return modelNames(), true
	case "completion":
		return []string{"bash", "fish", "zsh"}, false
	case "help":
		return []string{"doctor", "evaluate", "explain", "fit", "models", "parts", "predict", "serve"},
			false
	case "predict", "explain", "fit", "evaluate", "serve", "models import", "models list",
		"parts verify":
		return nil, true
	}
	return nil, false
}

// fixedValues are the values of flags that have a few.
var fixedValues = map[string][]string{
	"interval":   {"equal-tailed", "hpd"},
	"missing":    {"auto", "average", "native"},
	"names":      {plainNames, sqlNames},
	"predictive": {"ppd", "conformal"},
	"precision":  pfn.Precisions(),
	"preset":     {"paper"},
	"task":       {"auto", "classification", "regression"},
	"device":     pfn.Devices(),
	"from":       append([]string{"auto"}, formatNames(tabular.Format.Read)...),
	"decimal":    {".", ","},
	"encoding":   {"utf-8", "utf-16", "windows-1252", "latin1"},
	"to":         append([]string{"auto"}, formatNames(tabular.Format.Written)...),
	"delimiter":  {"tab", ";", "|"},
	"time-limit": {"none", "30m", "2h"},
}

// values lists what the value of a flag may be, and whether a file.
func (l commandLine) values(flag cli.Flag, typed string) (found []string, files bool) {
	switch name := flag.Names()[0]; name {
	case "target", "group", "time":
		return l.columns(), false
	case "effect", "keep", "ignore", "categorical", "numeric", "group-by", "conformal-by":
		return listValues(l.columns(), typed), false
	case "functional":
		return listValues(commonFunctionals(), typed),
			false
	case "ppd":
		return listValues(commonStatistics(), typed), false
	case "posterior":
		return listValues(posteriorNames(), typed), false
	case "model":
		return modelNames(), true
	case "output", "plot", "joint", "summary", "junit", "on", "ort-lib", "report",
		"baseline",
		"summary-json", "merge":
		return nil, true
	default:
		return fixedValues[name], namesFile(name)
	}
}

// listValues puts what was typed of a list before each value that may come next.
func listValues(values []string, typed string) []string {
	before := typed[:strings.LastIndexByte(typed, ',')+1]
	given := strings.Split(before, ",")
	var found []string
	for _, v := range values {
		if v = fault.Item(v); !slices.Contains(given, v) {
			found = append(found, before+v)
		}
	}
	return found
}

// columns lists the columns of the first argument, if that is a table.
func (l commandLine) columns() []string {
	if len(l.arguments) == 0 || l.arguments[0] == "-" {
		return nil
	}
	r, err := tabular.Open(l.arguments[0], tabular.ReadOptions{})
	if err != nil {
		return nil
	}
	defer r.Close()
	return r.Names()
}

// modelNames lists what --model takes beside folders.
func modelNames() []string {
	listings, home, _ := installed("") // what cannot be listed is not offered
	var names []string
	for _, l := range listings {
		names = append(names, modelArgument(l, home))
	}
	return names
}
