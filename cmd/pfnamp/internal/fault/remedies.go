package fault

import (
	"strings"

	"github.com/pfnamp/pfnamp/tabular"
)

// OptionFlags are the flags behind the options that hints and notes on tables
// name.
var OptionFlags = map[tabular.Option]string{
	tabular.OptionFormat:      "--from",
	tabular.OptionDelimiter:   "--delimiter",
	tabular.OptionNA:          "--na",
	tabular.OptionDecimal:     "--decimal",
	tabular.OptionEncoding:    "--encoding",
	tabular.OptionMaxBytes:    "--memory",
	tabular.OptionSheet:       "--sheet",
	tabular.OptionHeaderRow:   "--header-row",
	tabular.OptionRequireEOS:  "--require-eos",
	tabular.OptionIgnore:      "--ignore",
	tabular.OptionCategorical: "--categorical",
	tabular.OptionNumeric:     "--numeric",
	tabular.OptionDates:       "--dates",
	tabular.OptionKeepFeature: "--keep-feature",
	tabular.OptionGroup:       "--group",
	tabular.OptionRepeated:    "--repeated keep",
	tabular.OptionAllowNew:    "--allow-new",
	tabular.OptionStrict:      "--strict",
}

// Words speak of options by their flags, and of columns and files as a shell takes them.
var Words = tabular.Words{
	Option: func(o tabular.Option) string { return OptionFlags[o] },
	Column: Listed,
	Word:   Shell,
}

// TestWords are Words about TEST, which has flags of its own.
var TestWords = tabular.Words{Option: func(o tabular.Option) string {
	if o == tabular.OptionSheet || o == tabular.OptionHeaderRow || o == tabular.OptionDecimal {
		return strings.Replace(OptionFlags[o], "--", "--test-", 1)
	}
	return OptionFlags[o]
}, Column: Listed, Word: Shell}

// Listed is a name as a part of a flag's list, quoted for the shell where it must be.
func Listed(name string) string { return Shell(Item(name)) }

// Item is a name as a part of a flag's list.
func Item(name string) string {
	if strings.ContainsAny(name, "\",\n\r") || strings.HasPrefix(name, " ") {
		return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
	}
	return name
}

// Shell quotes a text for a POSIX shell where it is not plain.
func Shell(text string) string {
	plain := func(r rune) bool {
		return r >= 0x80 || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' ||
			strings.ContainsRune("_-./,:=+@%", r)
	}
	if text != "" && !strings.ContainsFunc(text, func(r rune) bool { return !plain(r) }) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// TableHint says what the user can do about a table that was refused.
func TableHint(e *tabular.Error) string {
	const classifier = "for classes, add --task classification"
	switch e.Fault {
	case tabular.TargetType:
		return "store the target as numbers, such as 0 and 1; " + classifier
	case tabular.TargetCells:
		return "write a finite number in every row; " + classifier +
			"; or write two classes as 0 and 1 and ask for p>0.5"
	case tabular.TargetLabels:
		return "to predict numbers, add --task regression; to read the numbers as labels, add " +
			"--categorical " + Listed(e.Column)
	}
	return e.HintWith(Words)
}
