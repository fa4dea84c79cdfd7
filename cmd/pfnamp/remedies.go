package main

import "github.com/pfnamp/pfnamp/tabular"

// optionFlags are the flags behind the options that hints and notes on tables
// name.
var optionFlags = map[tabular.Option]string{
	tabular.OptionFormat:      "--from",
	tabular.OptionDelimiter:   "--delimiter",
	tabular.OptionNA:          "--na",
	tabular.OptionIgnore:      "--ignore",
	tabular.OptionCategorical: "--categorical",
	tabular.OptionNumeric:     "--numeric",
}

func optionFlag(o tabular.Option) string { return optionFlags[o] }

// tableHint says what the user can do about a table that was refused.
func tableHint(e *tabular.Error) string {
	const classifier = "a classifier takes labels (--model tabicl-classifier, see docs/models.md)"
	switch e.Fault {
	case tabular.TargetType:
		return "store the target as numbers, such as 0 and 1; " + classifier
	case tabular.TargetCells:
		return "the target must be a finite number in every row (regression); " + classifier +
			"; or write two classes as 0 and 1 and ask for p>0.5"
	case tabular.TargetLabels:
		return "predict numbers with a model for regression, such as the embedded one; " +
			"--categorical " + e.Column + " takes them as labels"
	}
	return e.HintWith(optionFlag)
}
