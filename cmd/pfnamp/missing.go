package main

import (
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/reading"
)

const allowMissingColumns = "allow-missing-columns"

// allowNew is the flag that accepts columns of TEST with mostly unknown categories.
const allowNew = "allow-new"

// parseMissing reads --missing.
func parseMissing(c *cli.Context) (reading.Missing, error) {
	way := reading.Missing(c.String("missing"))
	if !slices.Contains(reading.Ways(), way) {
		return way, notOneOf("--missing", string(way), "auto", "average", "native")
	}
	return way, nil
}
