package fault

import (
	"strings"

	"github.com/pfnamp/pfnamp/tabular"
)

// Words speak of columns and files as a shell takes them, and of no option: flags are a command's.
var Words = tabular.Words{
	Option: func(tabular.Option) string { return "" },
	Column: Listed,
	Word:   Shell,
}

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
