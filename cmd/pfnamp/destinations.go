package main

import (
	"errors"
	"regexp"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/tabular"
)

// destinationFlags name files or folders that are written.
var destinationFlags = []string{"output", "plot", "report", "summary-json", "joint", "summary",
	"bands", "junit", "samples-file"}

// address is the scheme of an address of the web or of a store.
var address = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]+://`)

// refuseAddresses lets no command write to an address: it has no way to do so, however often tried.
func refuseAddresses(c *cli.Context) error {
	for _, name := range destinationFlags {
		if path := c.String(name); c.IsSet(name) && address.MatchString(path) {
			return fault.Option(name, ""+path+" is an address; pfnamp writes only files",
				"name a file, and upload it afterwards")
		}
	}
	return nil
}

// checkDestinations gives all commands this check.
func checkDestinations(commands []*cli.Command) {
	for _, command := range commands {
		command.Before = refuseAddresses
		checkDestinations(command.Subcommands)
	}
}

// stdoutNames are names of standard output among devices. Opened by name, a file that standard
// output was sent to would be replaced, or written from its beginning.
var stdoutNames = []string{"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}

// standardOutput is "-" for names of standard output, and other paths as they are.
func standardOutput(path string) string {
	if slices.Contains(stdoutNames, path) {
		return "-"
	}
	return path
}

// parseWritten reads --to.
func parseWritten(c *cli.Context) (tabular.Format, error) {
	hint := "the formats are " + either(formatNames(tabular.Format.Written), "and")
	format, err := tabular.ParseFormat(c.String("to"))
	if err != nil {
		return format, fault.Option("to", ": "+err.Error(), hint)
	}
	if format != tabular.Auto && !format.Written() {
		return format, fault.Option("to", ": pfnamp cannot write "+format.String(), hint)
	}
	return format, nil
}

// writtenFormat is tabular.WriteFormat, which refuses the value of a flag.
func writtenFormat(flag, path string, asked tabular.Format) (tabular.Format, error) {
	format, err := tabular.WriteFormat(path, asked)
	if wrong, ok := errors.AsType[*tabular.Error](err); ok {
		return format, fault.Wrong(flag+" "+path+": "+wrong.Msg, fault.TableHint(wrong))
	}
	return format, err
}
