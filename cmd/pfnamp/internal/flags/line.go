package flags

import (
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/internal/nearest"
)

// line is a command line taken apart. Flags may stand anywhere before "--".
type line struct {
	path      []string       // names of commands, after that of the program
	commands  []*cli.Command // that may follow
	options   []option
	arguments []string
	words     []string // path and options as they are typed
	help      bool     // is asked for
}

// option is a flag on a command line.
type option struct {
	name, value string
	row         *Flag // nil if it is unknown
	valued      bool
	command     string // that it belongs to
}

// read takes the words after the program's name apart.
func read(app *cli.App, words []string) line {
	l := line{commands: app.Commands}
	for i := 0; i < len(words); i++ {
		word := words[i]
		if word == "--" {
			l.arguments = append(l.arguments, words[i+1:]...)
			break
		}
		if !strings.HasPrefix(word, "-") || word == "-" {
			next := Find(l.commands, word)
			if next == nil || len(l.arguments) > 0 {
				l.arguments = append(l.arguments, word)
				continue
			}
			l.path, l.commands = append(l.path, next.Name), next.Subcommands
			l.words = append(l.words, word)
			continue
		}
		o := option{command: strings.Join(l.path, " ")}
		o.name, o.value, o.valued = strings.Cut(strings.TrimLeft(word, "-"), "=")
		o.row = row(o.command, o.name)
		l.words = append(l.words, word)
		if o.row != nil && o.row.Kind != Switch && !o.valued && i+1 < len(words) &&
			words[i+1] != "--" && // nor another flag
			(!strings.HasPrefix(words[i+1], "--") || row(o.command, words[i+1][2:]) == nil) {
			i++
			o.value, o.valued = words[i], true
			l.words = append(l.words, o.value)
		}
		l.help = l.help || slices.Contains(cli.HelpFlag.Names(), o.name)
		l.options = append(l.options, o)
	}
	return l
}

// row is the flag of a command that has a name or a short name, nil if there is none.
func row(command, name string) *Flag {
	rows := of(command)
	i := slices.IndexFunc(rows, func(f Flag) bool { return f.Name == name || f.Short == name })
	if i < 0 || name == "" {
		return nil
	}
	return &rows[i]
}

// Find is the command of a name, nil if there is none.
func Find(commands []*cli.Command, name string) *cli.Command {
	i := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.HasName(name) })
	if i < 0 {
		return nil
	}
	return commands[i]
}

// Arrange orders a command line, which begins with the program's name, as the parser takes it:
// commands, flags, "--" and arguments. With a flag of help the command prints its help, whatever
// else the command line says. The error is one of a flag or its value.
func Arrange(app *cli.App, words []string) ([]string, error) {
	if len(words) == 0 {
		return words, nil
	}
	l := read(app, words[1:])
	switch {
	case l.help && len(l.path) > 0:
		return slices.Concat(words[:1], l.path, []string{"--help"}), nil
	case len(l.commands) > 0 && len(l.arguments) > 0: // the unknown command becomes an error
		return slices.Concat(words[:1], l.path, []string{"--", l.arguments[0]}), nil
	case slices.Contains(l.arguments, "") && l.path[0] != "complete":
		return nil, fault.Wrong("an argument is empty", "name a file, or drop the argument")
	}
	seen := map[string]bool{}
	for _, o := range l.options {
		if err := o.check(seen); err != nil {
			return nil, err
		}
	}
	return slices.Concat(words[:1], l.words, []string{"--"}, l.arguments), nil
}

// check refuses an option that its command does not take, or not like this. seen are the options
// before it.
func (o option) check(seen map[string]bool) error {
	builtin := slices.Concat(cli.HelpFlag.Names(), cli.VersionFlag.Names())
	if o.row == nil && o.command == "" && slices.Contains(builtin, o.name) {
		return nil
	}
	see := "see `" + strings.TrimSpace("pfnamp "+o.command) + " --help`"
	if o.row == nil {
		help := see
		var names []string
		for _, f := range of(o.command) {
			names = append(names, f.Name)
		}
		if near := nearest.Names(o.name, names); len(near) > 0 {
			help = "did you mean " + Dashed(near[0]) + "? " + help
		}
		var others []string
		for _, s := range all {
			for _, f := range s.flags {
				if f.Name == o.name {
					others = append(others, f.For)
				}
			}
		}
		if others != nil {
			help = "it is a flag of " + strings.Join(others, ", ") + "; " + see
		}
		return fault.Wrong("unknown flag "+Dashed(o.name), help)
	}
	f := o.row
	many := f.Kind == Columns || f.Kind == List || f.Kind == Repeated
	switch {
	case f.Kind != Switch && !o.valued:
		return &fault.Error{Kind: fault.Usage, Option: f.Name, Msg: Dashed(o.name) + " needs a value",
			Hint: "write " + Dashed(o.name) + " " + f.value()}
	case seen[f.Name] && !many:
		return fault.Option(f.Name, "is given twice", "")
	}
	seen[f.Name] = true
	if !o.valued {
		return nil
	}
	if form := f.form(o.value); form != "" {
		return &fault.Error{Kind: fault.Usage, Option: f.Name, Hint: form + "; " + see,
			Msg: fmt.Sprintf("invalid value %q for flag %s", o.value, Dashed(o.name))}
	}
	return nil
}

// forms say what a value looks like.
var forms = map[Kind]string{
	Switch: "write true or false, or nothing",
	Whole:  "write a whole number",
	Seed:   "write a whole number from 0",
	Number: "write a number",
	Time:   "write a time with a unit, such as 500ms, 2s or 1m",
}

// form says what the value of a flag looks like, if it does not look like that.
func (f Flag) form(value string) string {
	var set flag.FlagSet
	if f.cli().Apply(&set) == nil && set.Set(f.Name, value) != nil {
		return forms[f.Kind]
	}
	return ""
}
