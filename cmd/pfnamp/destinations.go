package main

import (
	"errors"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/tabular"
)

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
