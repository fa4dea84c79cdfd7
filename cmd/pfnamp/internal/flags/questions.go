package flags

import (
	"fmt"
	"math"
	"strings"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/explain"
	"github.com/pfnamp/pfnamp/forecast"
	"github.com/pfnamp/pfnamp/joint"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/reading"
	"github.com/pfnamp/pfnamp/tabular"
)

// asks are the commands whose answers have credible intervals.
const asks = "predict, explain, serve"

// estimates are those that say what is asked.
var estimates = section{"Estimates", []Flag{
	{Name: "target", Short: "y", Kind: Column, For: reads,
		Usage: "predict this `COLUMN` of the table that the model reads"},
	{Name: "task", Kind: Word, For: "predict, fit, explain, check, evaluate",
		Usage:   "`TASK`: regression, classification, or auto: by --model, else by the target",
		Default: ByTarget, Values: []string{ByTarget, models.ClassificationTask, models.RegressionTask}},
	{Name: "functional", Short: "f", Kind: List, For: asks,
		Usage: "estimate a `LIST` of functionals: mean, q0.9, p>150, ...", Default: []string{"mean"},
		Values: commonForms(amp.Forms())},
	{Name: "functional", Short: "f", Kind: List, For: "evaluate",
		Usage: "score a `LIST` of functionals: mean, q0.9, ...", Default: []string{"q0.5", "q0.9"},
		Values: commonForms(amp.Forms())},
	{Name: "level", Kind: Number, For: asks + ", check, forecast, next, evaluate",
		Usage: "`PROBABILITY` of all intervals", Default: amp.DefaultLevel, Valid: amp.ValidLevel,
		Wrong: "is not between 0 and 1, at most 1-1e-12", Hint: "the default is 0.9"},
	{Name: "interval", Kind: Word, For: asks,
		Usage:   "`KIND` of credible interval: equal-tailed, or hpd, the shortest",
		Default: amp.EqualTailed.String(),
		Values:  []string{amp.EqualTailed.String(), amp.HighestDensity.String()}},
	{Name: "predictive", Kind: Word, For: "predict, serve",
		Usage: "`KIND` of predictive interval: ppd, from the model, or conformal: guaranteed " +
			"coverage, and sets of classes", Default: string(pfnamp.PPDInterval),
		Values: []string{string(pfnamp.PPDInterval), string(pfnamp.ConformalInterval)}},
	{Name: "set", Kind: Repeated, For: "predict, serve",
		Usage: "also predict with changed cells (what if): `CHANGE` is COLUMN=VALUE, 'price*1.1', ...; " +
			"several change each row together"},
	{Name: "conformal-by", Kind: Column, For: "predict, serve",
		Usage: "hold the conformal coverage in every group by `class|missing|COLUMN`: class, pattern " +
			"of missing cells, or value of the column"},
	{Name: "missing", Kind: Word, For: asks,
		Usage: "`WAY` to read missing cells of TEST: average over values that they may hold, native " +
			"(as the model does) or auto", Default: string(reading.Auto),
		Values: []string{string(reading.Auto), string(reading.Average), string(reading.Native)}},
	{Name: "allow-new", Option: tabular.OptionAllowNew, Kind: Switch, For: "predict, next, serve",
		Usage: "read most categories of a column as unknown, instead of refusing the rows"},
	{Name: "ppd", Kind: List, For: "predict, serve",
		Usage:  "describe the label itself, with noise, by a `LIST`: q0.9, p>150, sd, density(150)",
		Values: commonForms(amp.StatisticForms())},
	{Name: "samples", Kind: Whole, For: "predict, serve", DefaultText: "none",
		Usage: "draw `NUMBER` labels for every row: columns sample_1, sample_2, ...", Least: 1,
		Most: pfnamp.MostSamples},
	{Name: "group", Option: tabular.OptionGroup, Kind: Column, For: asks + ", check, evaluate",
		Usage: "keep rows with the same value of `COLUMN`, such as a person's, together: in folds, " +
			"and in the intervals of averages and differences; it is not a feature"},
	{Name: "time", Kind: Column, For: asks + ", check, evaluate",
		Usage: "fold by time: predict later rows of `COLUMN` (dates, times, numbers) from earlier ones"},
	{Name: "weights", Kind: Word, For: "predict, serve",
		Usage:  "`shift`: in conformal predictions, rows of TRAIN that look like TEST count more",
		Values: []string{"shift"}},
	{Name: "seed", Kind: Seed, For: "fit, check, next, evaluate", Default: uint64(1),
		Usage: "`SEED` of all random draws: rows, halves, folds, ties, chains"},
}}

// posterior are those that say where credible intervals come from.
var posterior = section{"Posterior", []Flag{
	{Name: "posterior", Kind: Words, For: asks,
		Usage: "take credible intervals from a `LIST` of posteriors: " + strings.Join(posteriors(),
			", ") + ", see above", Default: string(pfnamp.Auto), Values: posteriors()},
	{Name: "chains", Kind: Whole, For: "predict, serve, evaluate",
		Usage: "`NUMBER` of chains, shared by all rows", Default: amp.DefaultChains, Least: 2,
		Most: amp.MaxChains, Hint: chainHint},
	{Name: "chains", Kind: Whole, For: "explain", Usage: "`NUMBER` of chains, shared by all rows",
		Default: 1000, Least: 2, Most: amp.MaxChains, Hint: chainHint},
	{Name: "steps", Kind: Whole, For: asks + ", evaluate",
		Usage: "`NUMBER` of forward samples in a chain", Default: amp.DefaultSteps, Least: 1,
		Most: amp.MaxSteps,
		Hint: fmt.Sprintf("the default is %d, as in the publication", amp.DefaultSteps)},
	{Name: "rho", Kind: Number, For: asks, Usage: "`BANDWIDTH` of the copula, 0 to 1",
		Default: amp.DefaultRho, Valid: func(x float64) bool { return x >= 0 && x <= 1 },
		Wrong: "is not between 0 and 1",
		Hint: fmt.Sprintf("drop --rho: the default is %g for numbers and 1 for classes",
			amp.DefaultRho)},
	{Name: "beta", Kind: Number, For: asks, DefaultText: "1/2 + 2/(1.1 d + 4) for d features",
		Usage: "`EXPONENT` of the learning rate",
		Valid: func(x float64) bool { return x > 0.5 && x < math.Inf(1) },
		Wrong: "is not a number above 1/2", Hint: "drop --beta to use the value of the publication"},
	{Name: "preset", Kind: Word, For: asks,
		Usage:  "`NAME` paper: 50 chains of 50 steps, as in the publication",
		Values: []string{string(pfnamp.Paper)}},
	{Name: "seed", Kind: Seed, For: asks, Default: uint64(1),
		Usage: "`SEED` of all random draws: chains, --subsample, conformal folds, joint draws"},
	{Name: "mcse", Kind: Switch, For: "predict, serve",
		Usage: "add the Monte Carlo standard error of every credible limit (first posterior only)"},
	{Name: "workers", Kind: Whole, For: asks, DefaultText: "one per core",
		Usage: "run `NUMBER` goroutines; results stay the same",
		Hint:  "drop --workers: the default is one per core"},
}}

// together are those that couple rows.
var together = section{"Several rows together", []Flag{
	{Name: "joint", Kind: Output, For: "predict",
		Usage: "also write joint posterior draws to `FILE`, one line per row of TEST and draw"},
	{Name: "draws", Kind: Whole, For: "predict", Default: 1000, Least: 1,
		Usage: "`NUMBER` of draws per row in the --joint file"},
	{Name: "summary", Kind: Output, For: "predict",
		Usage: "also write averages over rows, and their differences, to `FILE`"},
	{Name: "group-by", Kind: Column, For: "predict",
		Usage: "average by each value of `COLUMN` of TEST in the --summary file"},
	{Name: "contrast", Kind: Repeated, For: "predict",
		Usage: "add a `DIFFERENCE` to the --summary file: 'row 3 - row 7', 'north - south', ..."},
	{Name: "bands", Kind: Switch, For: "predict",
		Usage: "add *_band_lo and *_band_hi, a band that holds in all rows of TEST at once"},
	{Name: "length", Kind: Number, For: "predict, explain",
		Usage:   "`DISTANCE` over which rows move together; two training rows are 1 apart",
		Default: joint.DefaultLength, Valid: func(x float64) bool { return x > 0 && x < math.Inf(1) },
		Wrong: "is not a positive number"},
}}

// explained are those that say what explain shows.
var explained = section{"What to explain", []Flag{
	{Name: "effect", Kind: Columns, For: "explain", DefaultText: "every column",
		Usage: "show the effects of `COLUMNS`; a:b is the joint effect of two"},
	{Name: "points", Kind: Whole, For: "explain",
		DefaultText: fmt.Sprintf("at most %d", explain.DefaultPoints), Least: 2, Most: 200,
		Usage: "show a numeric column at `NUMBER` values"},
	{Name: "treatment", Kind: Column, For: "explain",
		Usage: "compare the two values of `COLUMN`, adjusted for the other columns"},
	{Name: "group-by", Kind: Column, For: "explain",
		Usage: "compare the --treatment within every value of `COLUMN` too"},
	{Name: "importance", Kind: Switch, For: "explain",
		Usage: "rank columns by how much worse predictions get without them, with intervals"},
	{Name: "correlated", Kind: Number, For: "explain",
		Usage:   "--importance replaces columns together from this average `CORRELATION` on",
		Default: explain.DefaultCorrelated, Valid: func(x float64) bool { return x > 0 && x <= 1 },
		Wrong: "is not between 0 and 1"},
}}

// series are those that are about series in time.
var series = section{"Forecast", []Flag{
	{Name: "time", Kind: Column, For: "forecast", DefaultText: "the only column of dates",
		Usage: "take the times from `COLUMN`"},
	{Name: "horizon", Kind: Whole, For: "forecast", Least: 1, DefaultText: "one season, or 10",
		Usage: "forecast `NUMBER` steps"},
	{Name: "series", Kind: Column, For: "forecast",
		Usage: "forecast each value of `COLUMN` as a series of its own"},
	{Name: "season", Kind: Whole, For: "forecast", Least: 1,
		DefaultText: "a year of months, a week of days, a day of hours",
		Usage:       "`NUMBER` of steps after which the pattern repeats; 1: no season"},
	{Name: "origins", Kind: Whole, For: "forecast", Least: 2,
		Usage:   "learn intervals from forecasts of at most `NUMBER` earlier dates",
		Default: forecast.DefaultOrigins},
}}

// choice are those that say what next looks for.
var choice = section{"What to choose", []Flag{
	{Name: "for", Kind: Text, For: "next", Usage: "`GOAL`: minimum, maximum, learn or target=NUMBER",
		Values: []string{"minimum", "maximum", "learn", "target="}},
	{Name: "batch", Kind: Whole, For: "next", Least: 1, DefaultText: "rank each row alone",
		Usage: "choose `NUMBER` rows to measure together"},
	{Name: "cost", Kind: Column, For: "next", Usage: "divide gains by `COLUMN` of CANDIDATES"},
}}

// checks are those that make a result a check.
var checks = section{"Check", []Flag{
	{Name: "check", Kind: Switch, For: "predict",
		Usage: "also test whether TEST differs from TRAIN, as pfnamp check does"},
	{Name: "fail-if", Kind: Repeated, For: "predict, check",
		Usage: "exit with status 6 if `CONDITION` holds, such as 'drift>0.01' or 'coverage<0.85'"},
	{Name: "baseline", Kind: File, For: "evaluate",
		Usage: "compare with `FILE`, the results.json of an earlier evaluation"},
	{Name: "fail-if", Kind: Repeated, For: "evaluate",
		Usage: "exit with status 6 if `CONDITION` holds, such as 'crps>+2%' or 'coverage<0.85'"},
	{Name: "junit", Kind: Output, For: "evaluate, models verify",
		Usage: "also write what is checked as tests to `FILE` (JUnit XML)"},
	{Name: "require-ort", Kind: Text, For: "models verify", DefaultText: "any",
		Usage: "exit with status 6 unless onnxruntime has this `VERSION`"},
	{Name: "expect-sha256", Kind: Text, For: "models verify", DefaultText: "any",
		Usage: "exit with status 6 unless the bundle has this `DIGEST`, the sha256 of models show"},
}}

// splits are those that say how evaluate divides rows.
var splits = section{"Splits", []Flag{
	{Name: "folds", Kind: Whole, For: "evaluate", Default: 5, Least: 2,
		Usage: "`NUMBER` of folds of the cross-validation"},
	{Name: "splits", Kind: Whole, For: "evaluate", Default: 10, Least: 1, DefaultText: "none",
		Usage: "make `NUMBER` random splits instead of cross-validation",
		Hint:  "drop --splits, or name the number of random splits"},
	{Name: "train-share", Kind: Number, For: "evaluate", Default: 0.2,
		Usage: "`SHARE` of the rows that the model reads in a random split",
		Valid: func(x float64) bool { return x > 0 && x < 1 }, Wrong: "is not between 0 and 1",
		Hint: "--train-share 0.8 reads 80 % of the rows and predicts the others"},
	{Name: "bootstrap", Kind: Whole, For: "evaluate", Default: 50,
		Usage: "`NUMBER` of refits of the bootstrap; 0 skips it"},
	{Name: "rows", Kind: Whole, For: "evaluate", DefaultText: "all",
		Usage: "use at most `NUMBER` rows of DATA, drawn at random", Hint: "drop --rows for all rows"},
}}

// ByTarget is the value of --task that leaves the task to the model or, if none is named, to the
// target.
const ByTarget = "auto"

var chainHint = fmt.Sprintf("the default is %d; more chains are more accurate and slower",
	amp.DefaultChains)

// commonForms are functionals or statistics that completion offers.
func commonForms(forms []amp.Form) (texts []string) {
	for _, form := range forms {
		texts = append(texts, form.Common...)
	}
	return texts
}

func posteriors() (names []string) {
	for _, form := range amp.PosteriorForms() {
		names = append(names, string(form.Name))
	}
	return names
}
