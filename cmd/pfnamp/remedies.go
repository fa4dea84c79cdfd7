package main

import (
	"strings"

	"github.com/pfnamp/pfnamp/tabular"
)

// optionFlags are the flags behind the options that hints and notes on tables
// name.
var optionFlags = map[tabular.Option]string{
	tabular.OptionFormat:      "--from",
	tabular.OptionDelimiter:   "--delimiter",
	tabular.OptionNA:          "--na",
	tabular.OptionDecimal:     "--decimal",
	tabular.OptionEncoding:    "--encoding",
	tabular.OptionSheet:       "--sheet",
	tabular.OptionHeaderRow:   "--header-row",
	tabular.OptionRequireEOS:  "--require-eos",
	tabular.OptionIgnore:      "--ignore",
	tabular.OptionCategorical: "--categorical",
	tabular.OptionNumeric:     "--numeric",
	tabular.OptionDates:       "--dates",
	tabular.OptionKeepFeature: "--keep-feature",
	tabular.OptionRepeated:    "--repeated keep",
	tabular.OptionAllowNew:    "--" + allowNew,
	tabular.OptionStrict:      "--strict",
}

// flagWords speak of options by their flags, and of columns and files as a shell takes them.
var flagWords = tabular.Words{
	Option: func(o tabular.Option) string { return optionFlags[o] },
	Column: listed,
	Word:   shell,
}

// listed is a name as a part of a flag's list, quoted for the shell where it must be.
func listed(name string) string { return shell(item(name)) }

// item is a name as a part of a flag's list.
func item(name string) string {
	if strings.ContainsAny(name, "\",\n\r") || strings.HasPrefix(name, " ") {
		return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
	}
	return name
}

// shell quotes a text for a POSIX shell where it is not plain.
func shell(text string) string {
	plain := func(r rune) bool {
		return r >= 0x80 || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' ||
			strings.ContainsRune("_-./,:=+@%", r)
	}
	if text != "" && !strings.ContainsFunc(text, func(r rune) bool { return !plain(r) }) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// tableHint says what the user can do about a table that was refused.
func tableHint(e *tabular.Error) string {
	const classifier = "for classes, add --task classification"
	switch e.Fault {
	case tabular.TargetType:
		return "store the target as numbers, such as 0 and 1; " + classifier
	case tabular.TargetCells:
		return "write a finite number in every row; " + classifier +
			"; or write two classes as 0 and 1 and ask for p>0.5"
	case tabular.TargetLabels:
		return "to predict numbers, add --task regression; to read the numbers as labels, add " +
			"--categorical " + listed(e.Column)
	}
	return e.HintWith(flagWords)
}
