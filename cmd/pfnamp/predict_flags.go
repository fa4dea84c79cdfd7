package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/tabular"
)

// predictFlags lists the flags in the order that --help shows them.
func predictFlags() []cli.Flag {
	var flags []cli.Flag
	for _, group := range [][]cli.Flag{
		questionFlags(), tableFlags(), checkFlagsOfPredict(), jointFlags(), posteriorFlags(),
		modelFlags(),
		messageFlags(),
	} {
		flags = append(flags, group...)
	}
	return flags
}

func questionFlags() []cli.Flag {
	const category = "Estimates"
	flags := []cli.Flag{
		targetFlag(category),
		taskFlag(category),
		functionalFlag(category),
		levelFlag(category),
		intervalFlag(category),
		&cli.StringFlag{Name: "predictive", Category: category, Value: string(pfnamp.PPDInterval),
			Usage: "`KIND` of predictive interval: ppd (from the model) or conformal (coverage is " +
				"guaranteed; sets of classes)"},
		setFlag(category),
		&cli.StringFlag{Name: "conformal-by", Category: category,
			Usage: "hold the conformal coverage in every group by `class|missing|COLUMN`: class, " +
				"pattern of missing cells, or value of the column"},
		missingFlag(),
		allowNewFlag(category),
	}
	return slices.Concat(flags, labelFlags(category), append(divideFlags(category), weightsFlag(
		category)))
}

// tableCategory is the heading of the flags on files and columns.
const tableCategory = "Files and columns"

func tableFlags() []cli.Flag {
	const category = tableCategory
	flags := []cli.Flag{
		outputFlag(category),
		&cli.StringFlag{Name: "summary-json", Category: category,
			Usage: "also write the result as one JSON object to `FILE`, after all other outputs"},
		&cli.StringFlag{Name: "plot", Category: category,
			Usage: "also draw the rows, sorted by prediction, to `FILE` (.png or .svg)"},
		plotSizeFlag(category),
		&cli.StringFlag{Name: "report", Category: category,
			Usage: "also write a report about rows, widths and calibration to `FILE` (.html)"},
	}
	flags = append(append(flags, fileSinkFlags()...), append(columnFlags(), subsampleFlag())...)
	return append(flags,
		toFlag(category),
		&cli.StringFlag{Name: "test-sheet", Category: category, DefaultText: "as --sheet",
			Usage: "read TEST from the sheet `NAME`, of the same workbook as TRAIN or another one"},
		missingColumnsFlag(),
		&cli.StringFlag{Name: "shard", Category: category,
			Usage: "predict only part `I/N` of the rows of TEST, I from 1 to N"},
		&cli.BoolFlag{Name: "keep-going", Category: category, DisableDefaultText: true,
			Usage: "skip tables that are refused, and exit with status 5 (several TESTs)"},
		digitsFlag(category),
		escapeFlag(category),
		&cli.StringFlag{Name: "prefix", Category: category,
			Usage: "begin the names of computed columns with `TEXT`"},
		&cli.StringFlag{Name: "names", Category: category, Value: plainNames,
			Usage: "`STYLE` of the names of computed columns: plain (q0.9_lo) or sql (q0_9_lo, which " +
				"needs no quotes)"},
		&cli.IntFlag{Name: "batch", Category: category, Value: tabular.DefaultBatchRows,
			Usage: "hold `ROWS` of TEST in memory at a time; results stay the same"},
	)
}

// columnFlags say how tables are read and what their columns are for.
func columnFlags() []cli.Flag {
	const category = tableCategory
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "keep", Category: category,
			Usage: "copy `COLUMNS` of TEST to the output, or all; they stay features unless ignored"},
		&cli.StringSliceFlag{Name: "ignore", Category: category,
			Usage: "do not use `COLUMNS` as features; quote a name that holds a comma: 'a,\"b,c\"'"},
		&cli.StringSliceFlag{Name: "categorical", Category: category,
			Usage: "read the numbers of `COLUMNS` as categories"},
		&cli.StringSliceFlag{Name: "numeric", Category: category,
			Usage: "refuse a cell of `COLUMNS` that is not a number"},
		&cli.StringSliceFlag{Name: "keep-feature", Category: category,
			Usage: "use `COLUMNS` as features even if they look like identifiers"},
		&cli.StringFlag{Name: "dates", Category: category, Value: "calendar",
			Usage: "`WAY` to read dates: calendar adds month, weekday and hour, number does not; dmy, mdy " +
				"or ymd is the order of day, month and year"},
		&cli.StringFlag{Name: "target-values", Category: category, Value: "auto",
			Usage: "`VALUES` that a numeric target can take: any, whole, LO:HI or whole,LO:HI"},
		&cli.BoolFlag{Name: "strict", Category: category, DisableDefaultText: true,
			Usage: "refuse what is only noted otherwise: rows without the target or repeated, cells " +
				"and columns that may not be what they seem"},
		&cli.StringFlag{Name: "repeated", Category: category, Value: "once",
			Usage: "count rows that are there several times `HOW`: once, or keep all of them"},
		&cli.StringSliceFlag{Name: "na", Category: category,
			DefaultText: strings.Trim(strings.Join(tabular.DefaultNA(), ","), ","),
			Usage: "read `TEXTS` as missing, instead of the default; an empty cell is always " +
				"missing"},
		&cli.StringFlag{Name: "delimiter", Category: category,
			DefaultText: "detected", Usage: "`CHARACTER` between cells of text tables"},
		&cli.StringFlag{Name: "decimal", Category: category, DefaultText: "detected by column",
			Usage: "`SIGN` before the fraction of a number in text tables: . or ,"},
		&cli.StringFlag{Name: "encoding", Category: category, DefaultText: "UTF-8, or by byte order mark",
			Usage: "`ENCODING` of text tables: utf-8, utf-16, windows-1252, latin1"},
		&cli.StringFlag{Name: "sheet", Category: category, DefaultText: "the only visible one",
			Usage: "read the sheet `NAME` of a workbook"},
		&cli.IntFlag{Name: "header-row", Category: category, DefaultText: "the first that is not empty",
			Usage: "read the names of columns from row `NUMBER` of TRAIN and TEST"},
		&cli.StringFlag{Name: "from", Category: category, Value: "auto",
			Usage: "`FORMAT` of TRAIN and TEST: " + strings.Join(formatNames(tabular.Format.Read), ", ")},
		&cli.BoolFlag{Name: "require-eos", Category: category, DisableDefaultText: true,
			Usage: "refuse an Arrow stream without its end marker, which may be cut off"},
	}
}

// featureFlags are columnFlags where no column is kept.
func featureFlags() []cli.Flag {
	return slices.DeleteFunc(columnFlags(), func(f cli.Flag) bool {
		return f.Names()[0] == "keep"
	})
}

// fitFlags lists the flags of fit in the order that --help shows them.
func fitFlags() []cli.Flag {
	flags := []cli.Flag{
		targetFlag(tableCategory),
		taskFlag(tableCategory),
		&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Category: tableCategory,
			Usage: "write the state to `FILE`"},
		&cli.BoolFlag{Name: "half", Category: tableCategory, DisableDefaultText: true,
			Usage: "halve the size with numbers of 16 bits; predictions change a little"},
	}
	flags = append(append(flags, featureFlags()...), subsampleFlag(),
		&cli.Uint64Flag{Name: "seed", Category: tableCategory, Value: 1,
			Usage: "`SEED` of --subsample"},
	)
	return append(append(flags, modelFlags()...), messageFlags()...)
}

func subsampleFlag() cli.Flag {
	return &cli.StringFlag{Name: "subsample", Category: tableCategory,
		DefaultText: "as many as the model reads",
		Usage: "read at most `ROWS` of TRAIN, drawn at random with --seed; none: refuse a TRAIN that " +
			"is too large"}
}

func targetFlag(category string) cli.Flag {
	return &cli.StringFlag{Name: "target", Aliases: []string{"y"}, Category: category,
		Usage: "predict this `COLUMN` of TRAIN"}
}

func messageFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, DisableDefaultText: true,
			Usage: "print no notes"},
		&cli.BoolFlag{Name: "json", DisableDefaultText: true,
			Usage: "print the result or the error as one JSON object, and no notes"},
	}
}

func posteriorFlags() []cli.Flag {
	return slices.Insert(chainFlags(amp.DefaultChains), 6, cli.Flag(&cli.BoolFlag{Name: "mcse",
		Category: posteriorCategory, DisableDefaultText: true,
		Usage: "add the Monte Carlo standard error of every credible limit (first posterior only)"}))
}

// posteriorCategory is the heading of the flags on posteriors.
const posteriorCategory = "Posterior"

// chainFlags are those of posteriors, with a default number of chains.
func chainFlags(chains int) []cli.Flag {
	const category = posteriorCategory
	return []cli.Flag{
		&cli.StringFlag{Name: "posterior", Category: category, Value: string(pfnamp.Auto),
			Usage: "take credible intervals from a `LIST` of posteriors: " +
				strings.Join(posteriorNames(), ", ") + " (see above)"},
		&cli.IntFlag{Name: "chains", Category: category, Value: chains,
			Usage: "`NUMBER` of chains, shared by all rows"},
		&cli.IntFlag{Name: "steps", Category: category, Value: amp.DefaultSteps,
			Usage: "`NUMBER` of forward samples in a chain"},
		&cli.Float64Flag{Name: "rho", Category: category, Value: amp.DefaultRho,
			Usage: "`BANDWIDTH` of the copula, 0 to 1"},
		&cli.Float64Flag{Name: "beta", Category: category,
			DefaultText: "1/2 + 2/(1.1 d + 4) for d features",
			Usage:       "`EXPONENT` of the learning rate"},
		&cli.StringFlag{Name: "preset", Category: category,
			Usage: "`NAME` paper: 50 chains of 50 steps, as in the publication"},
		&cli.Uint64Flag{Name: "seed", Category: category, Value: 1,
			Usage: "`SEED` of all random draws: chains, --subsample, conformal folds, joint draws"},
		&cli.IntFlag{Name: "workers", Category: category, DefaultText: "one per core",
			Usage: "run `NUMBER` goroutines; results stay the same"},
	}
}

// modelCategory is the heading of the flags on the model.
const modelCategory = "Model"

func modelFlags() []cli.Flag {
	const category = modelCategory
	return append([]cli.Flag{
		modelFlag(category),
		&cli.IntFlag{Name: "members", Category: category, DefaultText: "the bundle's preset",
			Usage: "`NUMBER` of ensemble members"},
		&cli.BoolFlag{Name: "no-fingerprint", Category: category, DisableDefaultText: true,
			Usage: "give members of a TabPFN bundle no hash of the row"},
		memoryFlag(),
	}, engineFlags()...)
}

func modelFlag(category string) cli.Flag {
	return &cli.StringFlag{Name: "model", Category: category, DefaultText: "by the task",
		EnvVars: []string{"PFNAMP_MODEL"},
		Usage:   "use `BUNDLE`: default, an imported name, or a folder"}
}

func libraryFlag(category string) cli.Flag {
	return &cli.StringFlag{Name: "ort-lib", Category: category, DefaultText: "see pfnamp doctor",
		Usage: "load the onnxruntime library from `FILE`"}
}

func functionalFlag(category string) cli.Flag {
	return &cli.StringSliceFlag{Name: "functional", Aliases: []string{"f"}, Category: category,
		Value: cli.NewStringSlice("mean"),
		Usage: "estimate a `LIST` of functionals: mean, q0.9, p>150, ..."}
}

func levelFlag(category string) cli.Flag {
	return &cli.Float64Flag{Name: "level", Category: category, Value: 0.9,
		Usage: "`PROBABILITY` of all intervals"}
}

func intervalFlag(category string) cli.Flag {
	return &cli.StringFlag{Name: "interval", Category: category, Value: "equal-tailed",
		Usage: "`KIND` of credible interval: equal-tailed or hpd (shortest)"}
}

func outputFlag(category string) cli.Flag {
	return &cli.StringFlag{Name: "output", Aliases: []string{"o"}, Category: category, Value: "-",
		Usage: "write to `FILE`: " + strings.Join(tabular.Extensions(tabular.Format.Written), " ") +
			", a .png or .svg figure, or a .html report"}
}

func plotSizeFlag(category string) cli.Flag {
	return &cli.StringFlag{Name: "plot-size", Category: category, DefaultText: "760x420",
		Usage: "`WIDTHxHEIGHT` of the figure in pixels"}
}

func toFlag(category string) cli.Flag {
	return &cli.StringFlag{Name: "to", Category: category, Value: "auto",
		Usage: "`FORMAT` of the output: " + strings.Join(formatNames(tabular.Format.Written), ", ")}
}

func digitsFlag(category string) cli.Flag {
	return &cli.IntFlag{Name: "digits", Category: category, DefaultText: "all; on a terminal 4",
		Usage: "round computed numbers to `NUMBER` significant digits"}
}

func escapeFlag(category string) cli.Flag {
	return &cli.BoolFlag{Name: "escape-formulas", Category: category, DisableDefaultText: true,
		Usage: "put ' before texts in CSV that a spreadsheet would run as formulas"}
}
