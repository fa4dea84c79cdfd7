// Package help has the commands that tell of the program itself: help, the manual page, completion.
package help

import (
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/flags"
)

// Program is what these commands tell of.
type Program struct {
	App     func() *cli.App
	Models  func() []string // names that --model takes
	Version string
}

// Commands returns the commands; the last one is what the scripts of completion ask.
func (p Program) Commands() []*cli.Command {
	return []*cli.Command{
		{
			Name:      "help", // --help for people who type `pfnamp help predict`
			Usage:     "print the help of the program or of a command",
			ArgsUsage: "[COMMAND...]",
			Action:    p.help,
		},
		{
			Name:      "completion",
			Usage:     "print the completion script of a shell",
			ArgsUsage: "bash|zsh|fish",
			Description: `bash:  source <(pfnamp completion bash)
zsh:   source <(pfnamp completion zsh)
fish:  pfnamp completion fish | source`,
			Action: p.completion,
		},
		{
			Name:        "man",
			Usage:       "print the manual page",
			Description: "pfnamp man | man -l -\npfnamp man > ~/.local/share/man/man1/pfnamp.1",
			Action: func(c *cli.Context) error {
				_, err := io.WriteString(c.App.Writer, p.page())
				return err
			},
		},
		{Name: "complete", Hidden: true, SkipFlagParsing: true, Action: p.complete},
	}
}

func (p Program) help(c *cli.Context) error {
	path, commands := "pfnamp", c.App.Commands
	for _, name := range c.Args().Slice() {
		found := flags.Find(commands, name)
		if found == nil {
			return flags.Unknown(path, name, commands)
		}
		path, commands = path+" "+name, found.Subcommands
	}
	if c.NArg() == 0 {
		return cli.ShowAppHelp(c)
	}
	return c.App.RunContext(c.Context, append(strings.Fields(path), "--help"))
}

func (p Program) completion(c *cli.Context) error {
	script := scripts[c.Args().First()]
	if script == "" {
		return fault.Wrong("there is no completion script for the shell \""+c.Args().First()+"\"",
			"the shells are bash, zsh and fish")
	}
	_, err := io.WriteString(c.App.Writer, script)
	return err
}

// complete prints what the last word of a command line may become.
func (p Program) complete(c *cli.Context) error {
	words := c.Args().Slice()
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	for _, found := range flags.Completions(p.App(), words, p.Models) {
		if _, err := io.WriteString(c.App.Writer, found+"\n"); err != nil {
			return err
		}
	}
	return nil
}
