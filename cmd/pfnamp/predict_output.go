package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/internal/atomicfile"
	"github.com/pfnamp/pfnamp/tabular"
)

// checkKinds refuses names of a picture, a page or a table that do not fit what they are to hold.
func checkKinds(out, plot, report string, format tabular.Format) error {
	if plot != "" && pictureFormat(plot) == "" {
		return fault.Option("plot", quote(plot)+" does not end in .png or .svg", "")
	}
	if report != "" && !isPage(report) {
		return fault.Option("report", quote(report)+" does not end in .html", "")
	}
	if pictureFormat(out) != "" || isPage(out) {
		return nil
	}
	_, err := tableFormat(out, format)
	return err
}

// places are the files of the table, the figure and the page, "" for none: -o may name any of them.
func (o *predictOptions) places() (table, plot, page string, err error) {
	table, plot, page = o.out, o.plot, o.report
	switch {
	case pictureFormat(table) != "":
		if plot != "" || o.format != tabular.Auto {
			err = fault.Wrong("-o "+table+" is a figure", "drop --plot and --to")
		}
		return "", table, page, err
	case isPage(table):
		if page != "" || o.format != tabular.Auto {
			err = fault.Wrong("-o "+table+" is a report", "drop --report and --to")
		}
		return "", plot, table, err
	}
	return table, plot, page, nil
}

// createTable is tabular.Create, which waits for a reader of a named pipe.
func createTable(
	ctx context.Context, path string, schema *arrow.Schema, opt tabular.WriteOptions,
) (*tabular.Writer, error) {
	return stdio.UnlessStopped(ctx, func() (*tabular.Writer, error) {
		return tabular.Create(path, schema, opt)
	}, func(w *tabular.Writer) { w.Abort() })
}

// createFile is atomicfile.Create, likewise.
func createFile(ctx context.Context, path string) (*atomicfile.File, error) {
	return stdio.UnlessStopped(ctx, func() (*atomicfile.File, error) {
		return atomicfile.Create(path)
	}, func(f *atomicfile.File) { f.Abort() })
}

// tableFormat is the format asked for, else the one that the name tells, else CSV. It refuses
// a name that tells another format, or one that is not known.
func tableFormat(path string, asked tabular.Format) (tabular.Format, error) {
	told := tabular.FormatOf(path)
	if !told.Written() {
		told = tabular.Auto
	}
	switch {
	case asked != tabular.Auto && told != tabular.Auto && asked != told:
		return asked, fault.Wrong("-o "+path+" does not have the extension of --to "+asked.String(), "")
	case asked == tabular.Auto && (pictureFormat(path) != "" || isPage(path)):
		return told, fault.Wrong("-o "+path+": the result is a table only",
			"end the name in "+either(tabular.Extensions(tabular.Format.Written), "or"))
	case asked == tabular.Auto && told == tabular.Auto && filepath.Ext(path) != "":
		return told, fault.Wrong("-o "+path+": the extension names no format",
			"end the name in "+either(outputNames(), "or")+", or add --to FORMAT")
	case asked == tabular.Auto && told == tabular.Auto:
		asked = tabular.CSV
	}
	return writtenFormat("-o", path, asked)
}

// columnFailure words the refusal of a column that comes twice; nil stays nil.
func columnFailure(err error) error {
	if twice, ok := errors.AsType[*pfnamp.ColumnError](err); ok {
		return fault.Wrong(fmt.Sprintf("output column %q exists twice", twice.Name),
			"rename computed columns with --prefix, or drop one of the two columns")
	}
	return err
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

// tabled reports whether a table of answers is asked for, not only a figure or a report.
func (o *predictOptions) tabled() bool {
	table, _, _, _ := o.places()
	return table != ""
}

// onScreen tells whether a terminal shows the table instead of path.
func (o *predictOptions) onScreen(path string, std stdio.Streams) bool {
	return path == "-" && o.format == tabular.Auto && stdio.Terminal(std.Out)
}
