package help

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/flags"
)

// page is the manual page in roff, with the macros of man(7). It says what --help says of every
// command.
func (p Program) page() string {
	app := p.App()
	var b strings.Builder
	fmt.Fprintf(&b, ".TH PFNAMP 1 \"\" \"pfnamp %s\"\n.SH NAME\npfnamp \\- %s\n", roff(p.Version),
		roff(app.Usage))
	b.WriteString(".SH SYNOPSIS\n" + verbatim(app.UsageText))
	b.WriteString(".SH DESCRIPTION\n" + verbatim(app.Description))
	manCommands(&b, "pfnamp", app.Commands)
	return b.String()
}

// manCommands writes a section for every command that is not hidden.
func manCommands(b *strings.Builder, path string, commands []*cli.Command) {
	for _, c := range commands {
		if c.Hidden {
			continue
		}
		name := path + " " + c.Name
		fmt.Fprintf(b, ".SH %s\n%s.\n", strings.ToUpper(roff(name)), roff(c.Usage))
		b.WriteString(verbatim(strings.TrimSpace(name + " [OPTIONS] " + c.ArgsUsage)))
		// list the exit statuses once
		text := strings.TrimSpace(strings.Replace(c.Description, fault.ExitHelp, "", 1))
		if text != "" {
			b.WriteString(".PP\n" + verbatim(text))
		}
		for _, flag := range c.Flags {
			b.WriteString(manFlag(flag))
		}
		manCommands(b, name, c.Subcommands)
	}
}

func manFlag(flag cli.Flag) string {
	shown, ok := flag.(cli.DocGenerationFlag)
	if hidden, hides := flag.(cli.VisibleFlag); !ok || hides && !hidden.IsVisible() {
		return ""
	}
	value, usage := "", shown.GetUsage()
	if parts := strings.SplitN(usage, "`", 3); len(parts) == 3 {
		value, usage = parts[1], parts[0]+parts[1]+parts[2]
	}
	var names []string
	for _, name := range flag.Names() {
		names = append(names, strings.TrimSpace(flags.Dashed(name)+" "+value))
	}
	if text := shown.GetDefaultText(); text != "" && shown.TakesValue() {
		usage += " (default: " + text + ")"
	}
	return fmt.Sprintf(".TP\n.B %s\n%s\n", roff(strings.Join(names, ", ")), roff(usage))
}

// verbatim is a text whose lines stay as they are.
func verbatim(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, line := range lines {
		lines[i] = roff(line)
	}
	return ".nf\n" + strings.Join(lines, "\n") + "\n.fi\n"
}

func roff(line string) string {
	line = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(line)
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		return `\&` + line
	}
	return line
}
