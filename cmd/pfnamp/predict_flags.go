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
			Usage: "`KIND` of predictive interval: ppd, or conformal, with a guarantee; of labels sets"},
		setFlag(category),
		&cli.StringFlag{Name: "conformal-by", Category: category,
			Usage: "keep the promise of --predictive conformal by `class|missing|COLUMN`: label, cells " +
				"that are missing, or value"},
		missingFlag(),
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
			Usage: "`FILE` for the result as one JSON object, written last"},
		&cli.StringFlag{Name: "plot", Category: category,
			Usage: "also draw the rows, sorted by prediction, to `FILE` (.png or .svg)"},
		plotSizeFlag(category),
		&cli.StringFlag{Name: "report", Category: category,
			Usage: "also write a page about rows, widths and calibration to `FILE` (.html)"},
	}
	flags = append(append(flags, fileSinkFlags()...), append(columnFlags(), subsampleFlag())...)
	return append(flags,
		toFlag(category),
		&cli.StringFlag{Name: "test-sheet", Category: category, DefaultText: "that of --sheet",
			Usage: "`NAME` of the sheet of TEST, which may be in the same workbook as TRAIN"},
		missingColumnsFlag(),
		&cli.StringFlag{Name: "shard", Category: category,
			Usage: "predict part `I/N` of the rows of TEST only, I from 1 to N"},
		&cli.BoolFlag{Name: "keep-going", Category: category, DisableDefaultText: true,
			Usage: "of several TESTs, leave out those that are refused, and end with exit status 5"},
		digitsFlag(category),
		escapeFlag(category),
		&cli.StringFlag{Name: "prefix", Category: category,
			Usage: "`TEXT` put before the names of the computed columns"},
		&cli.StringFlag{Name: "names", Category: category, Value: plainNames,
			Usage: "`WAY` of naming the " +
				"computed columns: plain, as q0.9_lo, or sql, as q0_9_lo, which needs no quotes"},
		&cli.IntFlag{Name: "batch", Category: category, Value: tabular.DefaultBatchRows,
			Usage: "`ROWS` of TEST in memory at a time; no effect on the results"},
	)
}

// columnFlags say how tables are read and what their columns are for.
func columnFlags() []cli.Flag {
	const category = tableCategory
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "keep", Category: category,
			Usage: "`COLUMNS` of TEST to pass through unchanged, or all; features too unless ignored"},
		&cli.StringSliceFlag{Name: "ignore", Category: category,
			Usage: "`COLUMNS` not used as features; 'a,\"b,c\"' names one that holds a comma"},
		&cli.StringSliceFlag{Name: "categorical", Category: category,
			Usage: "numeric `COLUMNS` whose values are labels"},
		&cli.StringSliceFlag{Name: "numeric", Category: category,
			Usage: "`COLUMNS` that must hold numbers"},
		&cli.StringFlag{Name: "dates", Category: category, Value: "calendar",
			Usage: "`WAY` that dates are read: calendar adds month, weekday and hour, number does not"},
		&cli.StringFlag{Name: "target-values", Category: category, Value: "auto",
			Usage: "`VALUES` that a target of numbers can take: any, whole, LO:HI or whole,LO:HI"},
		&cli.BoolFlag{Name: "strict", Category: category, DisableDefaultText: true,
			Usage: "refuse TRAIN if rows of it lack the target, instead of leaving these rows out"},
		&cli.StringSliceFlag{Name: "na", Category: category,
			DefaultText: strings.Trim(strings.Join(tabular.DefaultNA(), ","), ","),
			Usage:       "`TEXTS` that mean missing, besides the empty cell and instead of the default"},
		&cli.StringFlag{Name: "delimiter", Category: category,
			DefaultText: "detected", Usage: "`CHARACTER` between the cells of text tables"},
		&cli.StringFlag{Name: "decimal", Category: category, DefaultText: "told by every column",
			Usage: "`SIGN` before the fraction of numbers in text tables: . or ,"},
		&cli.StringFlag{Name: "encoding", Category: category, DefaultText: "UTF-8, or by byte order mark",
			Usage: "`NAME` of the encoding of text tables: utf-8, utf-16, windows-1252, latin1"},
		&cli.StringFlag{Name: "sheet", Category: category, DefaultText: "the only visible one",
			Usage: "`NAME` of the sheet of workbooks"},
		&cli.IntFlag{Name: "header-row", Category: category, DefaultText: "the first that is not empty",
			Usage: "`NUMBER` of the line or row that names the columns, of TRAIN and TEST alike"},
		&cli.StringFlag{Name: "from", Category: category, Value: "auto",
			Usage: "`FORMAT` of TRAIN and TEST: " + strings.Join(formatNames(tabular.Format.Read), ", ")},
		&cli.BoolFlag{Name: "require-eos", Category: category, DisableDefaultText: true,
			Usage: "refuse an Arrow stream without its end marker, which may have been cut off"},
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
			Usage: "`FILE` to write the state to"},
		&cli.BoolFlag{Name: "half", Category: tableCategory, DisableDefaultText: true,
			Usage: "half the size, by numbers of half precision: predictions differ a little"},
	}
	flags = append(append(flags, featureFlags()...), subsampleFlag(),
		&cli.Uint64Flag{Name: "seed", Category: tableCategory, Value: 1,
			Usage: "`SEED` of --subsample"},
	)
	return append(append(flags, modelFlags()...), messageFlags()...)
}

func subsampleFlag() cli.Flag {
	return &cli.IntFlag{Name: "subsample", Category: tableCategory, DefaultText: "all",
		Usage: "at most so many `ROWS` of TRAIN, drawn at random with --seed, are the context"}
}

func targetFlag(category string) cli.Flag {
	return &cli.StringFlag{Name: "target", Aliases: []string{"y"}, Category: category,
		Usage: "`COLUMN` of TRAIN to predict"}
}

func messageFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, DisableDefaultText: true,
			Usage: "no notes on standard error"},
		&cli.BoolFlag{Name: "json", DisableDefaultText: true,
			Usage: "print the result, or an error, as one JSON object instead of notes"},
	}
}

func posteriorFlags() []cli.Flag {
	return slices.Insert(chainFlags(amp.DefaultChains), 6, cli.Flag(&cli.BoolFlag{Name: "mcse",
		Category: posteriorCategory, DisableDefaultText: true,
		Usage: "write the Monte-Carlo standard error of every credible limit of the first posterior"}))
}

// posteriorCategory is the heading of the flags on posteriors.
const posteriorCategory = "Posterior"

// chainFlags are those of posteriors, with a default number of chains.
func chainFlags(chains int) []cli.Flag {
	const category = posteriorCategory
	return []cli.Flag{
		&cli.StringFlag{Name: "posterior", Category: category, Value: string(pfnamp.Auto),
			Usage: "`LIST` of posteriors: " + strings.Join(posteriorNames(), ", ") + ", see above"},
		&cli.IntFlag{Name: "chains", Category: category, Value: chains,
			Usage: "`NUMBER` of chains, shared by all rows"},
		&cli.IntFlag{Name: "steps", Category: category, Value: amp.DefaultSteps,
			Usage: "`NUMBER` of forward samples of a chain"},
		&cli.Float64Flag{Name: "rho", Category: category, Value: amp.DefaultRho,
			Usage: "`BANDWIDTH` of the copula, in [0, 1]"},
		&cli.Float64Flag{Name: "beta", Category: category,
			DefaultText: "1/2 + 2/(1.1 d + 4) for d features",
			Usage:       "`EXPONENT` of the learning rate"},
		&cli.StringFlag{Name: "preset", Category: category,
			Usage: "`NAME`: paper, 50 chains of 50 steps as in the publication"},
		&cli.Uint64Flag{Name: "seed", Category: category, Value: 1,
			Usage: "`SEED` of all that is drawn: chains, --subsample, conformal folds, joint draws"},
		&cli.IntFlag{Name: "workers", Category: category, DefaultText: "one per core",
			Usage: "`NUMBER` of goroutines; no effect on the results"},
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
			Usage: "members of a TabPFN bundle do not read a hash of the row"},
		memoryFlag(),
	}, engineFlags()...)
}

func modelFlag(category string) cli.Flag {
	return &cli.StringFlag{Name: "model", Category: category, DefaultText: "by the task",
		EnvVars: []string{"PFNAMP_MODEL"}, Usage: "`BUNDLE`: default, an imported name, or a folder"}
}

func libraryFlag(category string) cli.Flag {
	return &cli.StringFlag{Name: "ort-lib", Category: category, DefaultText: "see pfnamp doctor",
		Usage: "`FILE` of the onnxruntime shared library"}
}

func functionalFlag(category string) cli.Flag {
	return &cli.StringSliceFlag{Name: "functional", Aliases: []string{"f"}, Category: category,
		Value: cli.NewStringSlice("mean"), Usage: "`LIST` of functionals: mean, q0.9, p>150, ..."}
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
		Usage: "`FILE` to write: " + strings.Join(tabular.Extensions(tabular.Format.Written), " ") +
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
		Usage: "`NUMBER` of significant digits of computed numbers"}
}

func escapeFlag(category string) cli.Flag {
	return &cli.BoolFlag{Name: "escape-formulas", Category: category, DisableDefaultText: true,
		Usage: "put ' before texts that a spreadsheet takes for formulas, in CSV outputs"}
}
