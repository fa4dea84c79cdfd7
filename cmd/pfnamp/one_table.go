package main

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/tabular"
)

// oneTable reports whether a single table, of a single sheet, holds the rows to learn from and
// those to predict.
func oneTable(c *cli.Context) bool { return c.NArg() == 1 && !c.IsSet("test-sheet") }

// tablesOf returns TRAIN and TEST of a command line; they are the same where one file holds both.
func tablesOf(c *cli.Context) (train, test string, err error) {
	train, test = c.Args().Get(0), c.Args().Get(1)
	if c.NArg() == 1 {
		test = train
	}
	switch {
	case c.NArg() == 1 && pfnamp.IsState(train):
		return "", "", fault.Wrong(train+" is a saved state, and TEST is missing",
			"name the rows to predict: pfnamp predict STATE TEST")
	case c.NArg() == 0:
		return "", "", fault.Wrong(
			"predict needs TRAIN and TEST, or one TABLE in which some rows lack the target; "+"0 given",
			"see `pfnamp predict --help`")
	case c.NArg() > 2 && slices.Contains(c.Args().Tail(), "-"):
		return "", "", fault.Wrong("standard input cannot be one of several tables", "name files only")
	case train == "-" && test == "-" && !oneTable(c):
		return "", "", fault.Wrong("TRAIN and TEST cannot both be standard input",
			"for one table in which some rows lack the target: pfnamp predict -")
	}
	return train, test, nil
}

// part returns the rows of the one table that have the target, for learning, and keeps the other
// rows for prediction.
func (j *contextJob) part(train *tabular.Table) (*tabular.Table, error) {
	if !j.from.one {
		return train, nil
	}
	target := j.from.fit.Target
	labelled, rest, err := train.Partition(target)
	if err != nil {
		return nil, err
	}
	wrong := &tabular.Error{File: train.File, Column: target}
	switch {
	case rest.Rows == 0:
		wrong.Msg = fmt.Sprintf("no row lacks the target: all %s have a value",
			count(int(train.Rows), "row"))
		wrong.Hint = "name the rows to predict: pfnamp predict TRAIN TEST\n" +
			"if a text stands for a missing value, name it: --na '?'"
		return nil, wrong
	case labelled.Rows == 0:
		_, err := train.Labelled(target)
		return nil, err
	}
	j.rest = rest
	j.notef("%s: %s with a value of %q to learn from, %s to predict", train.File,
		count(int(labelled.Rows), "row"), target, count(int(rest.Rows), "row"))
	return labelled, nil
}
