package main

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
	"github.com/pfnamp/pfnamp/tabular"
)

// places are the outputs of a command, as its flags name them: paths, "-" for standard output, ""
// for none.
type places struct {
	out               string // of --output, which is one of the next three once settled
	table, plot, page string
	json              string         // of --summary-json
	beside            []flagged      // further tables
	format            tabular.Format // of the table
	size              [2]int         // pixels of the figure, 0 for what suits it
	digits            int            // significant ones of computed numbers, 0 for all
	escape            bool           // texts in CSV that look like formulas
}

// flagged is a path and the flag that names it.
type flagged struct{ flag, path string }

// placesOf reads the flags about outputs, as far as a command has them.
func placesOf(c *cli.Context) (p places, err error) {
	p = places{out: standardOutput(c.String("output")), plot: c.String("plot"),
		page: c.String("report"), json: c.String("summary-json"), digits: c.Int("digits"),
		escape: c.Bool("escape-formulas")}
	if p.json == "-" {
		return p, fault.Option("summary-json", "-: it writes only files",
			"use --json for standard output")
	}
	if p.size, err = parsePlotSize(c.String("plot-size")); err != nil {
		return p, err
	}
	p.format, err = parseWritten(c)
	return p, err
}

// settle decides whether --output is a table, a figure or a page. It refuses names that do not fit,
// that two outputs have, or that one of the inputs has.
func (p *places) settle(inputs ...string) error {
	if err := p.checkDistinct(inputs...); err != nil {
		return err
	}
	switch {
	case pictureFormat(p.out) != "":
		if p.plot != "" || p.format != tabular.Auto {
			return fault.Wrong("-o "+p.out+" is a figure", "drop --plot and --to")
		}
		p.plot = p.out
	case isPage(p.out):
		if p.page != "" || p.format != tabular.Auto {
			return fault.Wrong("-o "+p.out+" is a report", "drop --report and --to")
		}
		p.page = p.out
	default:
		p.table = p.out
	}
	if p.plot != "" && pictureFormat(p.plot) == "" {
		return fault.Option("plot", quote(p.plot)+" does not end in .png or .svg", "")
	}
	if p.page != "" && !isPage(p.page) {
		return fault.Option("report", quote(p.page)+" does not end in .html", "")
	}
	return p.checkTables()
}

// settleTable is settle for a command whose --output is a table.
func (p *places) settleTable(inputs ...string) error {
	if err := p.checkDistinct(inputs...); err != nil {
		return err
	}
	p.table = p.out
	return p.checkTables()
}

// checkDistinct refuses a name that two outputs have, or an output and an input.
func (p *places) checkDistinct(inputs ...string) error {
	paths := []string{p.out, p.plot, p.page, p.json}
	for _, b := range p.beside {
		paths = append(paths, b.path)
	}
	for i, path := range paths {
		if err := checkDistinct(path, inputs...); err != nil {
			return err
		}
		for _, other := range paths[:i] {
			if path == "" || path == "-" || other == "" || other == "-" {
				continue
			}
			if same, err := tabular.SameFile(path, other); err != nil || same {
				return fault.Wrong("two outputs have the name "+path, "give every output its own name")
			}
		}
	}
	return nil
}

// checkTables refuses names of tables that tell no format in which tables are written.
func (p *places) checkTables() error {
	if p.table != "" {
		if _, err := tableFormat(p.table, p.format); err != nil {
			return err
		}
	}
	for _, b := range p.beside {
		if b.path == "-" {
			return noStandardOutput(b.flag)
		}
		if _, err := writtenFormat(b.flag, b.path, tabular.Auto); err != nil {
			return err
		}
	}
	return nil
}

// files lists what is written but for standard output.
func (p *places) files() []string {
	return slices.DeleteFunc(append(p.written(), p.json), func(path string) bool {
		return path == "" || path == "-"
	})
}

// written lists the outputs but that of --summary-json.
func (p *places) written() []string {
	paths := []string{p.out}
	for _, path := range []string{p.plot, p.page} {
		if path != p.out {
			paths = append(paths, path)
		}
	}
	for _, b := range p.beside {
		paths = append(paths, b.path)
	}
	return slices.DeleteFunc(paths, func(path string) bool { return path == "" })
}

// try opens every file that will be written and gives it up, so that a wrong path costs nothing. A
// device or a named pipe is opened only once.
func (p *places) try(ctx context.Context) error {
	for _, path := range p.files() {
		if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
			continue
		}
		file, err := createFile(ctx, path)
		if err != nil {
			return fault.Unwritable(path, err)
		}
		if err := file.Abort(); err != nil {
			return fault.Writing(err)
		}
	}
	return nil
}

// onScreen tells whether a terminal shows the table.
func (p *places) onScreen(std stdio.Streams) bool {
	return p.table == "-" && p.format == tabular.Auto && stdio.Terminal(std.Out)
}

// named lists outputs in words.
func named(paths []string) string {
	names := slices.Clone(paths)
	for i, name := range names {
		if name == "-" {
			names[i] = "standard output"
		}
	}
	return strings.Join(names, ", ")
}

// checkDistinct refuses to write over a table that is read.
func checkDistinct(path string, inputs ...string) error {
	if path == "" || path == "-" {
		return nil
	}
	for _, input := range inputs {
		same, err := tabular.SameFile(path, input)
		if err != nil {
			return err
		}
		if same {
			return fault.Wrong("the output "+path+" is the input "+input, "use another name for the output")
		}
	}
	return nil
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

// pictureFormat is png or svg where the name says so, else empty.
func pictureFormat(path string) string {
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".png", ".svg":
		return ext[1:]
	}
	return ""
}

// isPage tells whether a name is that of a report.
func isPage(path string) bool {
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
	wrong := fault.Option("plot-size", quote(text)+" is not WIDTHxHEIGHT in pixels, each "+
		fmt.Sprintf("%d to %d", leastPixels, mostPixels), "for example --plot-size 1200x700")
	parts := strings.Split(text, "x")
	if len(parts) != 2 {
		return size, wrong
	}
	for i, part := range parts {
		if size[i], err = strconv.Atoi(part); err != nil || size[i] < leastPixels ||
			size[i] > mostPixels {
			return size, wrong
		}
	}
	return size, nil
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

// tableFormat is the format asked for, else the one that the name tells, else CSV. It refuses
// a name that tells another format, or one that is not known.
func tableFormat(path string, asked tabular.Format) (tabular.Format, error) {
	told := tabular.FormatOf(path)
	if !told.Written() {
		told = tabular.Auto
	}
	written := tabular.Extensions(tabular.Format.Written)
	switch {
	case asked != tabular.Auto && told != tabular.Auto && asked != told:
		return asked, fault.Wrong("-o "+path+" does not have the extension of --to "+asked.String(), "")
	case asked == tabular.Auto && (pictureFormat(path) != "" || isPage(path)):
		return told, fault.Wrong("-o "+path+": the result is a table only",
			"end the name in "+either(written, "or"))
	case asked == tabular.Auto && told == tabular.Auto && filepath.Ext(path) != "":
		return told, fault.Wrong("-o "+path+": the extension names no format",
			"end the name in "+either(append(written, ".png", ".svg", ".html"), "or")+
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

// formatNames lists the names of formats that have a property, as --from and --to take them.
func formatNames(has func(tabular.Format) bool) (names []string) {
	for _, format := range tabular.Formats() {
		if has(format) {
			names = append(names, format.String())
		}
	}
	return names
}

// either lists texts, the last two with a word between, such as "or".
func either(list []string, word string) string {
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " " + word + " " + list[last]
}
