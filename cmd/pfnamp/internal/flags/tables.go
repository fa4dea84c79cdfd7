package flags

import (
	"strings"

	"github.com/pfnamp/pfnamp/tabular"
)

// Commands that take the same flags.
const (
	one    = "predict, fit, explain, check, next, evaluate" // that read labelled rows
	reads  = one + ", forecast"
	tabled = "predict, explain, forecast, next" // whose result is a table
	second = "predict, check, next"             // that read a table after TRAIN, called TEST in help
)

var (
	readable = tabular.FormatNames(tabular.Format.Read)
	writable = tabular.FormatNames(tabular.Format.Written)
)

// files are those that are about tables and other files.
var files = section{"Files and columns", []Flag{
	{Name: "output", Short: "o", Kind: Output, For: tabled, Default: "-",
		Usage: "write to `FILE`: " + strings.Join(tabular.Extensions(tabular.Format.Written), " ") +
			", a .png or .svg figure, or a .html report"},
	{Name: "output", Short: "o", Kind: Output, For: "fit", Usage: "write the state to `FILE`"},
	{Name: "output", Short: "o", Kind: Output, For: "check",
		Usage: "also write a report to `FILE` (.html)"},
	{Name: "output", Short: "o", Kind: Output, For: "evaluate",
		Usage: "write results, figures and the report to `FOLDER`"},
	{Name: "half", Kind: Switch, For: "fit",
		Usage: "halve the size with numbers of 16 bits; predictions change a little"},
	{Name: "summary-json", Kind: Output, For: "predict",
		Usage: "also write the result as one JSON object to `FILE`, after all other outputs"},
	{Name: "plot", Kind: Output, For: "predict, forecast",
		Usage: "also draw the rows, sorted by prediction, to `FILE` (.png or .svg)"},
	{Name: "plot", Kind: Output, For: "explain",
		Usage: "also draw the effects to `FILE` (.png or .svg)"},
	{Name: "plot-size", Kind: Text, For: "predict, explain, forecast", DefaultText: "760x420",
		Usage: "`WIDTHxHEIGHT` of the figure in pixels"},
	{Name: "report", Kind: Output, For: "predict, forecast",
		Usage: "also write a report about rows, widths and calibration to `FILE` (.html)"},
	{Name: "report", Kind: Output, For: "explain",
		Usage: "also write a report with answer, figure and table to `FILE` (.html)"},
	{Name: "samples-file", Kind: Output, For: "predict",
		Usage: "write the --samples to `FILE` instead, one line per row of TEST and draw"},
	{Name: "to", Kind: Text, For: tabled, Default: "auto",
		Usage:  "`FORMAT` of the output: " + strings.Join(writable, ", "),
		Values: append([]string{"auto"}, writable...)},
	{Name: "digits", Kind: Whole, For: tabled, Least: 1, Most: MaxDigits,
		DefaultText: "all; on a terminal 4",
		Usage:       "round computed numbers to `NUMBER` significant digits"},
	{Name: "escape-formulas", Kind: Switch, For: tabled,
		Usage: "put ' before texts in CSV that a spreadsheet would run as formulas"},
	{Name: "keep", Kind: Columns, For: "predict",
		Usage: "copy `COLUMNS` of TEST to the output, or all; they stay features unless ignored"},
	{Name: "ignore", Option: tabular.OptionIgnore, Kind: Columns, For: one,
		Usage: "do not use `COLUMNS` as features; quote a name that holds a comma: 'a,\"b,c\"'"},
	{Name: "categorical", Option: tabular.OptionCategorical, Kind: Columns, For: one,
		Usage: "read the numbers of `COLUMNS` as categories"},
	{Name: "numeric", Option: tabular.OptionNumeric, Kind: Columns, For: one,
		Usage: "refuse a cell of `COLUMNS` that is not a number"},
	{Name: "keep-feature", Option: tabular.OptionKeepFeature, Kind: Columns, For: one,
		Usage: "use `COLUMNS` as features even if they look like identifiers"},
	{Name: "dates", Option: tabular.OptionDates, Kind: Word, For: reads, Default: "calendar",
		Usage: "`WAY` to read dates: calendar adds month, weekday and hour, number does not; dmy, mdy " +
			"or ymd is the order of day, month and year",
		Values: []string{"calendar", "number", "dmy", "mdy", "ymd"}},
	{Name: "target-values", Kind: Text, For: reads, Default: "auto",
		Usage:  "`VALUES` that a numeric target can take: any, whole, LO:HI or whole,LO:HI",
		Values: []string{"auto", "any", "whole"}},
	{Name: "strict", Option: tabular.OptionStrict, Kind: Switch, For: one,
		Usage: "refuse what is only noted otherwise: rows without the target or repeated, cells and " +
			"columns that may not be what they seem"},
	{Name: "repeated", Option: tabular.OptionRepeated, Sets: "keep", Kind: Word, For: one,
		Default: "once",
		Usage:   "count rows that are there several times `HOW`: once, or keep all of them",
		Values:  []string{"once", "keep"}},
	{Name: "subsample", Kind: Text, For: "predict, fit, explain, check, next",
		DefaultText: "as many as the model reads",
		Usage: "read at most `ROWS` of TRAIN, drawn at random with --seed; none: refuse a TRAIN that " +
			"is too large"},
	{Name: "na", Option: tabular.OptionNA, Kind: List, For: reads,
		DefaultText: strings.Trim(strings.Join(tabular.DefaultNA(), ","), ","),
		Usage:       "read `TEXTS` as missing, instead of the default; an empty cell is always missing"},
	{Name: "delimiter", Option: tabular.OptionDelimiter, Kind: Text, For: reads,
		DefaultText: "detected", Usage: "`CHARACTER` between cells of text tables",
		Values: []string{"tab", ";", "|"}},
	{Name: "decimal", Option: tabular.OptionDecimal, Kind: Word, For: reads,
		DefaultText: "detected by column", Values: []string{".", ","},
		Usage: "`SIGN` before the fraction of a number in text tables: . or ,"},
	{Name: "test-decimal", Option: tabular.OptionDecimal, Kind: Word, For: second,
		DefaultText: "that of TRAIN", Values: []string{".", ","},
		Usage: "`SIGN` before the fraction of a number in TEST where TRAIN has the other one"},
	{Name: "encoding", Option: tabular.OptionEncoding, Kind: Text, For: reads,
		DefaultText: "UTF-8, or by byte order mark",
		Usage:       "`ENCODING` of text tables: utf-16, windows-1252, windows-1250, gbk, ...",
		Values: []string{"utf-8", "utf-16", "windows-1250", "windows-1251", "windows-1252", "gbk",
			"shift_jis"}},
	{Name: "sheet", Option: tabular.OptionSheet, Kind: Text, For: reads,
		DefaultText: "the only visible one", Usage: "read the sheet `NAME` of a workbook"},
	{Name: "test-sheet", Option: tabular.OptionSheet, Kind: Text, For: second,
		DefaultText: "as --sheet",
		Usage:       "read TEST from the sheet `NAME`, of the same workbook as TRAIN or another one"},
	{Name: "header-row", Option: tabular.OptionHeaderRow, Kind: Whole, For: reads, Least: 1,
		DefaultText: "the first that is not empty",
		Usage:       "read the names of columns from row `NUMBER` of TRAIN and TEST"},
	{Name: "test-header-row", Option: tabular.OptionHeaderRow, Kind: Whole, For: second, Least: 1,
		DefaultText: "as --header-row", Usage: "read the names of columns of TEST from its row `NUMBER`"},
	{Name: "from", Option: tabular.OptionFormat, Kind: Text, For: reads, Default: "auto",
		Usage:  "`FORMAT` of TRAIN and TEST: " + strings.Join(readable, ", "),
		Values: append([]string{"auto"}, readable...)},
	{Name: "require-eos", Option: tabular.OptionRequireEOS, Kind: Switch, For: one,
		Usage: "refuse an Arrow stream without its end marker, which may be cut off"},
	{Name: "allow-missing-columns", Kind: Switch, For: "predict",
		Usage: "read features that TEST lacks as unknown, instead of refusing TEST"},
	{Name: "shard", Kind: Text, For: "predict",
		Usage: "predict only part `I/N` of the rows of TEST, I from 1 to N"},
	{Name: "keep-going", Kind: Switch, For: "predict",
		Usage: "skip tables that are refused, and exit with status 5 (several TESTs)"},
	{Name: "prefix", Kind: Text, For: "predict",
		Usage: "begin the names of computed columns with `TEXT`"},
	{Name: "names", Kind: Word, For: "predict", Default: "plain",
		Usage: "`STYLE` of the names of computed columns: plain such as q0.9_lo, or sql such as " +
			"q0_9_lo, which needs no quotes", Values: []string{"plain", "sql"}},
	{Name: "batch", Kind: Whole, For: "predict", Least: 1, Default: tabular.DefaultBatchRows,
		Hint:  "drop --batch: results stay the same",
		Usage: "hold `ROWS` of TEST in memory at a time; results stay the same"},
}}

// MaxDigits is how many significant digits tell every float64 from all others.
const MaxDigits = 17
