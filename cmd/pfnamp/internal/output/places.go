// Package output has what commands write: where, in which formats, together or not at all; tables
// on a terminal.
package output

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/words"
	"github.com/pfnamp/pfnamp/tabular"
)

// Places are the outputs of a command, as its flags name them: paths, "-" for standard output, ""
// for none.
type Places struct {
	Out               string // of --output, which is one of the next three once settled
	Table, Plot, Page string
	JSON              string         // of --summary-json
	Beside            []Flagged      // further tables
	Format            tabular.Format // of the table
	Size              [2]int         // pixels of the figure, 0 for what suits it
	Digits            int            // significant ones of computed numbers, 0 for all
	Escape            bool           // texts in CSV that look like formulas

	TableOnly bool // the command writes neither figures nor pages
	terminal  bool // is standard output
}

// Flagged is a path and the flag that names it.
type Flagged struct{ Flag, Path string }

// Parse reads the flags about outputs, as far as a command has them.
func Parse(c *cli.Context) (p Places, err error) {
	p = Places{Out: c.String("output"), Plot: c.String("plot"),
		Page: c.String("report"), JSON: c.String("summary-json"), Digits: c.Int("digits"),
		Escape: c.Bool("escape-formulas"), terminal: stdio.Terminal(c.App.Writer)}
	if slices.Contains(stdoutNames, p.Out) {
		p.Out = "-"
	}
	if p.JSON == "-" {
		return p, fault.Option("summary-json", "-: it writes only files",
			"use --json for standard output")
	}
	if p.Size, err = parsePlotSize(c.String("plot-size")); err != nil {
		return p, err
	}
	p.Format, err = parseWritten(c)
	return p, err
}

// Settle decides whether --output is a table, a figure or a page. It refuses names that do not fit,
// that two outputs have, or that one of the inputs has.
func (p *Places) Settle(inputs ...string) error {
	if err := p.checkDistinct(inputs...); err != nil {
		return err
	}
	switch {
	case !p.TableOnly && PictureFormat(p.Out) != "":
		if p.Plot != "" || p.Format != tabular.Auto {
			return fault.Wrong("-o "+p.Out+" is a figure", "drop --plot and --to")
		}
		p.Plot = p.Out
	case !p.TableOnly && IsPage(p.Out):
		if p.Page != "" || p.Format != tabular.Auto {
			return fault.Wrong("-o "+p.Out+" is a report", "drop --report and --to")
		}
		p.Page = p.Out
	default:
		p.Table = p.Out
	}
	if p.Plot != "" && PictureFormat(p.Plot) == "" {
		return fault.Option("plot", strconv.Quote(p.Plot)+" does not end in .png or .svg", "")
	}
	if p.Page != "" && !IsPage(p.Page) {
		return fault.Option("report", strconv.Quote(p.Page)+" does not end in .html", "")
	}
	return p.checkTables()
}

// checkDistinct refuses a name that two outputs have, or an output and an input.
func (p *Places) checkDistinct(inputs ...string) error {
	paths := []string{p.Out, p.Plot, p.Page, p.JSON}
	for _, b := range p.Beside {
		paths = append(paths, b.Path)
	}
	for i, path := range paths {
		if err := CheckDistinct(path, inputs...); err != nil {
			return err
		}
		for _, other := range paths[:i] {
			if tabular.SameFile(path, other) {
				return fault.Wrong("two outputs have the name "+path, "give every output its own name")
			}
		}
	}
	return nil
}

// checkTables refuses names of tables that tell no format in which tables are written, and bytes
// that a terminal would take for commands.
func (p *Places) checkTables() error {
	if p.Table != "" {
		format, err := p.tableFormat()
		if err != nil {
			return err
		}
		if p.Table == "-" && p.terminal && !format.Text() {
			return fault.Wrong("refusing to write binary "+format.String()+" data to a terminal",
				"name a file with -o, or pipe the output")
		}
	}
	for _, b := range p.Beside {
		if b.Path == "-" {
			return fault.Wrong(b.Flag+" -: standard output is for the table", "name a file: "+b.Flag+" FILE")
		}
		if _, err := writtenFormat(b.Flag, b.Path, tabular.Auto); err != nil {
			return err
		}
	}
	return nil
}

// Written lists the outputs but that of --summary-json.
func (p *Places) Written() []string {
	paths := []string{p.Out}
	for _, path := range []string{p.Plot, p.Page} {
		if path != p.Out {
			paths = append(paths, path)
		}
	}
	for _, b := range p.Beside {
		paths = append(paths, b.Path)
	}
	return slices.DeleteFunc(paths, func(path string) bool { return path == "" })
}

// Try opens every file that will be written and gives it up, so that a wrong path costs nothing. A
// device or a named pipe is opened only once.
func (p *Places) Try(ctx context.Context) error {
	for _, path := range append(p.Written(), p.JSON) {
		info, err := os.Stat(path)
		if path == "" || path == "-" || err == nil && !info.Mode().IsRegular() && !info.IsDir() {
			continue
		}
		file, err := stdio.Create(ctx, path)
		if err != nil {
			return fault.Unwritable(path, err)
		}
		if err := file.Abort(); err != nil {
			return fault.Writing(err)
		}
	}
	return nil
}

// OnScreen tells whether a terminal shows the table.
func (p *Places) OnScreen() bool {
	return p.Table == "-" && p.Format == tabular.Auto && p.terminal
}

// Named lists outputs in words.
func Named(paths []string) string {
	names := slices.Clone(paths)
	for i, name := range names {
		if name == "-" {
			names[i] = "standard output"
		}
	}
	return strings.Join(names, ", ")
}

// CheckDistinct refuses to write over a table that is read.
func CheckDistinct(path string, inputs ...string) error {
	for _, input := range inputs {
		if tabular.SameFile(path, input) {
			return fault.Wrong("the output "+path+" is the input "+input, "use another name for the output")
		}
	}
	return nil
}

// stdoutNames are names of standard output among devices. Opened by name, a file that standard
// output was sent to would be replaced, or written from its beginning.
var stdoutNames = []string{"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}

// PictureFormat is png or svg where the name says so, else empty.
func PictureFormat(path string) string {
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".png", ".svg":
		return ext[1:]
	}
	return ""
}

// IsPage tells whether a name is that of a report.
func IsPage(path string) bool {
	ext := strings.ToLower(filepath.Ext(path))
	return ext == ".html" || ext == ".htm"
}

// Pixels that a figure may have on a side.
const leastPixels, mostPixels = 300, 10000

// parsePlotSize reads --plot-size, such as 1200x700; "" leaves the size to the figure.
func parsePlotSize(text string) (size [2]int, err error) {
	if text == "" {
		return size, nil
	}
	_, err = fmt.Sscanf(text, "%dx%d", &size[0], &size[1])
	least, most := min(size[0], size[1]), max(size[0], size[1])
	if err != nil || fmt.Sprintf("%dx%d", size[0], size[1]) != text || least < leastPixels ||
		most > mostPixels {
		err = fault.Option("plot-size", fmt.Sprintf("%q is not WIDTHxHEIGHT in pixels, each %d to %d",
			text, leastPixels, mostPixels), "for example --plot-size 1200x700")
	}
	return size, err
}

func parseWritten(c *cli.Context) (tabular.Format, error) {
	hint := "the formats are " + words.Either(tabular.FormatNames(tabular.Format.Written), "and")
	format, err := tabular.ParseFormat(c.String("to"))
	if err != nil {
		return format, fault.Option("to", ": "+err.Error(), hint)
	}
	if format != tabular.Auto && !format.Written() {
		return format, fault.Option("to", ": pfnamp cannot write "+format.String(), hint)
	}
	return format, nil
}

// tableFormat is the format asked for, else the one that the name tells, else CSV. It refuses
// a name that tells another format, or one that is not known.
func (p *Places) tableFormat() (tabular.Format, error) {
	path, asked, told := p.Table, p.Format, tabular.FormatOf(p.Table)
	if !told.Written() {
		told = tabular.Auto
	}
	written := tabular.Extensions(tabular.Format.Written)
	switch {
	case asked != tabular.Auto && told != tabular.Auto && asked != told:
		return asked, fault.Wrong("-o "+path+" does not have the extension of --to "+asked.String(), "")
	case asked == tabular.Auto && (PictureFormat(path) != "" || IsPage(path)):
		return told, fault.Wrong("-o "+path+": the result is a table only",
			"end the name in "+words.Either(written, "or"))
	case asked == tabular.Auto && told == tabular.Auto && filepath.Ext(path) != "":
		return told, fault.Wrong("-o "+path+": the extension names no format",
			"end the name in "+words.Either(append(written, ".png", ".svg", ".html"), "or")+
				", or add --to FORMAT")
	case asked == tabular.Auto && told == tabular.Auto:
		asked = tabular.CSV
	}
	return writtenFormat("-o", path, asked)
}

// writtenFormat is tabular.WriteFormat, which refuses the value of a flag.
func writtenFormat(flag, path string, asked tabular.Format) (tabular.Format, error) {
	format, err := tabular.WriteFormat(path, asked)
	if wrong, ok := errors.AsType[*tabular.Error](err); ok {
		return format, fault.Wrong(flag+" "+path+": "+wrong.Msg, fault.TableHint(wrong))
	}
	return format, err
}
