package main

import (
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/reading"
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

func allowNewFlag(category string) cli.Flag {
	return &cli.BoolFlag{Name: allowNew, Category: category, DisableDefaultText: true,
		Usage: "read most categories of a column as unknown, instead of refusing the rows"}
}

// parseMissing reads --missing.
func parseMissing(c *cli.Context) (reading.Missing, error) {
	way := reading.Missing(c.String("missing"))
	if !slices.Contains(reading.Ways(), way) {
		return way, notOneOf("--missing", string(way), "auto", "average", "native")
	}
	return way, nil
}
