// Package flags has the flags of the program: one table, which the parser, the checks of values and
// of combinations, help, completion and the manual page read.
package flags

import (
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/tabular"
)

// Kind is what a flag takes.
type Kind int

// The kinds of values.
const (
	Text     Kind = iota
	Word          // one of Values
	Words         // of Values, separated by commas
	Switch        // nothing
	Whole         // a whole number from Least
	Seed          // a whole number of 64 bits
	Number        // a number that is Valid
	Time          // a time with a unit, not negative
	File          // its name, which is not empty
	Output        // a file or folder that is written
	Column        // its name, quoted as in a list or not
	Columns       // a list of names
	List          // texts, separated by commas
	Repeated      // a text; the flag may come several times
)

// Flag is a row of the table. A name has several rows if commands mean different things by it.
type Flag struct {
	Name, Short string
	Kind        Kind
	For         string // commands that take it, separated by commas
	Usage       string // with the name of the value between backquotes
	Default     any    // nil for the zero value
	DefaultText string // in help
	Env         string // variable with its value
	Values      []string
	Files       bool // completion offers files

	Option tabular.Option // that hints name by this flag
	Sets   string         // its value there

	Least, Most int                // of whole numbers; 0 is no limit above
	Valid       func(float64) bool // which numbers it takes
	Wrong       string             // what is wrong with the others
	Hint        string             // the remedy for a value out of range
	Hidden      bool

	heading string
}

// section is a part of the table, under a heading of help.
type section struct {
	heading string
	flags   []Flag
}

// all is the table.
var all = []section{estimates, posterior, together, explained, series, choice, checks, splits,
	files, model, server, limits, plain}

// of lists the rows of a command, such as "models show", in the order of the table.
func of(command string) (rows []Flag) {
	for _, s := range all {
		for _, f := range s.flags {
			if slices.Contains(strings.Split(f.For, ", "), command) {
				f.heading = s.heading
				rows = append(rows, f)
			}
		}
	}
	return rows
}

// cli is the flag as the parser takes it.
func (f Flag) cli() cli.Flag {
	var aliases, env []string
	if f.Short != "" {
		aliases = []string{f.Short}
	}
	if f.Env != "" {
		env = []string{f.Env}
	}
	switch f.Kind {
	case Switch:
		return &cli.BoolFlag{Name: f.Name, Aliases: aliases, Category: f.heading, Usage: f.Usage,
			DisableDefaultText: true, Hidden: f.Hidden}
	case Whole:
		n, _ := f.Default.(int)
		return &cli.IntFlag{Name: f.Name, Category: f.heading, Usage: f.Usage, Value: n,
			DefaultText: f.DefaultText, EnvVars: env}
	case Seed:
		n, _ := f.Default.(uint64)
		return &cli.Uint64Flag{Name: f.Name, Category: f.heading, Usage: f.Usage, Value: n}
	case Number:
		x, _ := f.Default.(float64)
		return &cli.Float64Flag{Name: f.Name, Category: f.heading, Usage: f.Usage, Value: x,
			DefaultText: f.DefaultText}
	case Time:
		d, _ := f.Default.(time.Duration)
		return &cli.DurationFlag{Name: f.Name, Category: f.heading, Usage: f.Usage, Value: d}
	case Columns, List, Repeated:
		texts, _ := f.Default.([]string)
		return &cli.StringSliceFlag{Name: f.Name, Aliases: aliases, Category: f.heading, Usage: f.Usage,
			Value: cli.NewStringSlice(texts...), DefaultText: f.DefaultText, EnvVars: env}
	}
	text, _ := f.Default.(string)
	return &cli.StringFlag{Name: f.Name, Aliases: aliases, Category: f.heading, Usage: f.Usage,
		Value: text, DefaultText: f.DefaultText, EnvVars: env}
}

// value is what help calls the value, such as COLUMN.
func (f Flag) value() string {
	if parts := strings.SplitN(f.Usage, "`", 3); len(parts) == 3 && f.Kind != Switch {
		return parts[1]
	}
	return ""
}

// Dashed is a flag as it is typed.
func Dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}
