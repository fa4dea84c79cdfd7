package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/reading"
	"github.com/pfnamp/pfnamp/tabular"
	"github.com/pfnamp/pfnamp/warning"
)

// missingFlag says how rows of TEST are answered that lack cells.
func missingFlag() cli.Flag {
	return &cli.StringFlag{Name: "missing", Category: "Estimates", Value: string(reading.Auto),
		Usage: "`WAY` to read missing cells of TEST: average over values that they may hold, " +
			"native (as the model does) or auto"}
}

const allowMissingColumns = "allow-missing-columns"

func missingColumnsFlag() cli.Flag {
	return &cli.BoolFlag{Name: allowMissingColumns, Category: tableCategory, DisableDefaultText: true,
		Usage: "read features that TEST lacks as missing, instead of refusing TEST"}
}

// allowNew is the flag that accepts columns of TEST with mostly unknown categories.
const allowNew = "allow-new"

func allowNewFlag() cli.Flag {
	return &cli.BoolFlag{Name: allowNew, Category: tableCategory, DisableDefaultText: true,
		Usage: "predict although TRAIN lacks most categories of a column of TEST"}
}

// leastNew is the smallest number of cells with unknown categories that can refuse TEST.
const leastNew = 5

// refuseNew refuses TEST if most cells of a column have categories that TRAIN lacks. New ones are
// to be expected where TRAIN has fewer than five rows for a category, as of names.
func (c *counters) refuseNew() error {
	for _, w := range c.cells {
		u, ok := w.(warning.UnseenCategories)
		if !ok || c.allowNew || u.Cells < leastNew || 2*int64(u.Cells) <= c.rows ||
			slices.ContainsFunc(c.schema.Columns, func(of tabular.Column) bool {
				return of.Name == u.Column && 5*len(of.Categories) > c.fitted.Context().Rows()
			}) {
			continue
		}
		listed := make([]string, len(u.Values))
		for i, v := range u.Values {
			listed[i] = quote(v.Text)
		}
		return &tabular.Error{File: c.test, Line: u.Values[0].Line, Row: u.Values[0].Row,
			Column: u.Column, Msg: fmt.Sprintf("%d of %s have a category that %s does not have: %s",
				u.Cells, count(int(c.rows), "row"), u.File, strings.Join(listed, ", ")),
			Hint: "write the categories as in TRAIN; or add --" + allowNew + " to read them as unknown"}
	}
	return nil
}

// parseMissing reads --missing.
func parseMissing(c *cli.Context) (reading.Missing, error) {
	way := reading.Missing(c.String("missing"))
	if !slices.Contains(reading.Ways(), way) {
		return way, notOneOf("--missing", string(way), "auto", "average", "native")
	}
	return way, nil
}
