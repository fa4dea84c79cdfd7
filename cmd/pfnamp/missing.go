package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/reading"
	"github.com/pfnamp/pfnamp/tabular"
)

// missingFlag says how rows of TEST are answered that lack cells.
func missingFlag() cli.Flag {
	return &cli.StringFlag{Name: "missing", Category: "Estimates", Value: string(reading.Auto),
		Usage: "`WAY` to read missing cells of TEST: average over what they may hold, " +
			"native as the model does, or auto"}
}

const allowMissingColumns = "allow-missing-columns"

func missingColumnsFlag() cli.Flag {
	return &cli.BoolFlag{Name: allowMissingColumns, Category: tableCategory, DisableDefaultText: true,
		Usage: "TEST may lack features of TRAIN: all their cells are missing"}
}

// parseMissing reads --missing.
func parseMissing(c *cli.Context) (reading.Missing, error) {
	way := reading.Missing(c.String("missing"))
	if !slices.Contains(reading.Ways(), way) {
		return way, &usageError{msg: fmt.Sprintf("--missing %q is not one of auto, average, native", way)}
	}
	return way, nil
}

// absentFeatures lists the features that TEST lacks.
func (j *predictJob) absentFeatures() []string {
	has := j.queries.Names()
	return slices.DeleteFunc(j.schema.FeatureNames(), func(name string) bool {
		return slices.Contains(has, name)
	})
}

// addColumns adds the columns of folders to TEST and, if they may be missing, empty ones in the
// place of features.
func (j *predictJob) addColumns() {
	j.queries.Add(j.constants...)
	if !j.opt.missingColumns {
		return
	}
	for _, name := range j.absentFeatures() {
		empty := tabular.Constant{Name: name}
		j.queries.Add(empty)
		j.constants = append(j.constants, empty) // which --keep all does not mean
	}
}

// columnsRemedy adds to the error about features that TEST lacks how to predict without them.
func (j *predictJob) columnsRemedy(err error) error {
	e, ok := errors.AsType[*tabular.Error](err)
	if !ok || j.opt.missingColumns || len(j.absentFeatures()) == 0 {
		return err
	}
	return &tabular.Error{File: e.File, Column: e.Column, Msg: e.Msg,
		Hint: e.HintWith(flagWords) + "; --" + allowMissingColumns + " takes all their cells as missing"}
}
