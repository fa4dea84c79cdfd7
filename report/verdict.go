package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/internal/matrix"
)

// Thresholds of the verdict.
const (
	// fewLabels is the number of labels below which a verdict does not call a share calibrated.
	fewLabels = 30
	// sayLittle is the width of a credible interval, as a share of the predictive interval's, above
	// which it adds little.
	sayLittle = 0.9
	// mostChances is the width above which the interval of a probability says little.
	mostChances = 0.8
)

// Verdict describes the figures of a run in sentences.
func (a *Answers) Verdict() []string {
	t := &a.totals
	if t.rows == 0 {
		return []string{"The query table has no rows."}
	}
	if a.Classes != nil {
		return append(a.classWidths(), a.classLabels()...)
	}
	return append(a.knownWithin(), a.labels()...)
}

func (a *Answers) knownWithin() []string {
	var all []string
	label := matrix.Median(a.widths(func(r Row) float64 { return r.LabelHi - r.LabelLo }))
	for k, name := range a.Functionals {
		half := matrix.Median(a.widths(func(r Row) float64 {
			return r.Estimates[k].Hi - r.Estimates[k].Lo
		})) / 2
		known := fmt.Sprintf("%s is known to %s in a typical row", upper(name),
			within(a.figure(k, half)))
		width := fmt.Sprintf(" (half the median width of its %s credible interval", Level(a.Level))
		share := 2 * half / label
		switch {
		case a.Events[k] && 2*half > mostChances:
			known += width + ")." + spansAll
		case a.Events[k] || !(label > 0):
			known += width + ")."
		default:
			known += fmt.Sprintf(", a single label to %s: half the median widths of the %s credible "+
				"and predictive intervals.", within(Number(label/2)), Level(a.Level))
			if share > sayLittle {
				known += " The credible interval adds little to the predictive interval."
			}
		}
		all = append(all, known)
	}
	return all
}

func (a *Answers) labels() []string {
	t := &a.totals
	if t.Rows == 0 {
		return []string{a.notCompared()}
	}
	found := share{t.Held, t.Rows}
	all := []string{fmt.Sprintf("The %s predictive intervals contain %s: %s.", Level(a.Level),
		found.of("label in the query table", "labels in the query table"),
		found.span().against(a.Level, "too narrow", "wider than necessary"))}
	score := fmt.Sprintf("The predicted mean typically misses a label by %s (root mean square error, "+
		"in units of %s; ", Number(t.RMSE()), a.Target)
	if r := t.R2(); !math.IsNaN(r) {
		score += fmt.Sprintf("R²\u00a0=\u00a0%.2f; ", r)
	}
	all = append(all, fmt.Sprintf("%sCRPS, the error of the whole distribution, %s).", score,
		Number(t.CRPS())))
	if t.Rows > 1 {
		all = append(all, a.besideTheirMean())
	}
	return all
}

func (a *Answers) notCompared() string {
	if a.Read > 0 {
		return fmt.Sprintf("All %d rows with a label of %s are also rows of the training table. The "+
			"model has read these labels, so this page cannot check its predictions.", a.Read, a.Target)
	}
	return fmt.Sprintf("The query table has no labels of %s, so this page cannot check the "+
		"predictions. pfnamp evaluate measures their error on the training table.", a.Target)
}

// besideTheirMean compares the error of numbers with that of one number for all rows.
func (a *Answers) besideTheirMean() string {
	t := &a.totals
	text := fmt.Sprintf("Baseline: predicting the mean of these labels for every row misses by %s",
		Number(t.Spread()))
	if t.R2() <= 0 {
		text += ", so the features do not help here, even if the intervals are calibrated"
	}
	return text + "."
}

// besideMajority compares how often the most probable class is right with how often the most
// frequent one is.
func (a *Answers) besideMajority() string {
	t := &a.totals
	class, rows := t.Majority()
	if class < 0 {
		return "None of these labels occurs in the training table."
	}
	text := fmt.Sprintf("Baseline: predicting %q for every row is right in %s", a.Classes[class],
		percent(float64(rows)/float64(t.Rows)))
	if t.Right <= rows {
		text += ". The most probable class is no better, but its probability may still be useful"
	}
	return text + "."
}

// bestWidth is the width of the interval of the most probable class.
func bestWidth(r Row) float64 { return r.Estimates[r.Best].Hi - r.Estimates[r.Best].Lo }

func (a *Answers) classWidths() []string {
	half := matrix.Median(a.widths(bestWidth)) / 2
	text := fmt.Sprintf("The probability of the most probable class is known to %s in a typical row "+
		"(half the median width of its %s credible interval).", within(Chance(half)), Level(a.Level))
	if 2*half > mostChances {
		text += spansAll
	}
	return []string{text}
}

func (a *Answers) classLabels() []string {
	t := &a.totals
	if t.Rows == 0 {
		return []string{a.notCompared()}
	}
	found, n := share{t.Right, t.Rows}, float64(t.Rows)
	all := []string{
		fmt.Sprintf("The most probable class is right in %s. Its probability is %s on average: %s.",
			found.of("labelled row", "labelled rows"), percent(t.sure/n),
			found.span().against(t.sure/n, "the model is overconfident", "the model is underconfident")),
		a.besideMajority(),
		fmt.Sprintf("The Brier score is %s (0 is best, 2 is worst).", Number(t.Brier())),
	}
	if t.Unseen > 0 {
		all = append(all, fmt.Sprintf("Rows whose label does not occur in the training table: %d. "+
			"They count as wrong.", t.Unseen))
	}
	return all
}

// Coverage follows a sentence about predictive intervals of level, in which held of n > 0 labels
// are: how sure that share is, and whether the intervals are too narrow or wider than necessary.
func Coverage(held, n int, level float64) string {
	s := share{held, n}.span()
	return fmt.Sprintf("(%s): %s", s, s.against(level, "too narrow", "wider than necessary"))
}

// share is a number of successes.
type share struct{ k, n int }

func (s share) span() span {
	lo, hi := evaluate.BinomialInterval(s.k, s.n, sureLevel)
	return span{lo, hi, s.n}
}

// of writes the share with its interval: 80 of 88 labels (91 %; 95 % interval 83 % to 96 %).
func (s share) of(one, many string) string {
	what := many
	if s.n == 1 {
		what = one
	}
	return fmt.Sprintf("%d of the %d %s (%s; %s)", s.k, s.n, what,
		percent(float64(s.k)/float64(s.n)), s.span())
}

// span is the interval of a share, and of how many rows it is.
type span struct {
	lo, hi float64
	n      int
}

func (s span) String() string {
	return fmt.Sprintf("95 %% interval %s to %s", percent(s.lo), percent(s.hi))
}

// against compares the share with what it should be.
func (s span) against(want float64, low, high string) string {
	switch {
	case want > s.hi:
		return low
	case want < s.lo:
		return high
	case s.n < fewLabels:
		return "too few labels to say more"
	}
	return "no sign of miscalibration"
}

// Number writes a number for people: three significant digits, or all digits before the decimal
// point. It has an exponent only below 0.0001 and from ten million on.
func Number(x float64) string {
	if size := math.Abs(x); size != 0 && (size < 1e-4 || size >= 1e7) || math.IsNaN(x) {
		return strconv.FormatFloat(x, 'g', 3, 64)
	}
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 3, 64), 64)
	if math.Abs(x) >= 1000 {
		rounded = math.Round(x)
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

// Chance writes a probability with at most three decimals, or as a bound: <0.001, >0.999.
func Chance(p float64) string {
	switch {
	case p > 0 && p < 0.001:
		return "<0.001"
	case p < 1 && p > 0.999:
		return ">0.999"
	}
	return thousandths(p)
}

// thousandths writes a probability with three decimals at most.
func thousandths(p float64) string { return Number(math.Round(p*1000) / 1000) }

func (a *Asked) figure(k int, v float64) string {
	switch {
	case !a.Events[k]:
		return Number(v)
	case v < 0 && v > -0.001:
		return ">-0.001"
	case v < 0:
		return thousandths(v)
	}
	return Chance(v)
}

// figures writes an estimate of functional k with its interval. Numbers of the target have the
// decimals that give the interval's width two digits.
func (a *Asked) figures(k int, e Estimate) (point, lo, hi string) {
	width := e.Hi - e.Lo
	decimals := 1 - int(math.Floor(math.Log10(width)))
	if a.Events[k] || !(width > 0 && width < math.Inf(1)) || decimals > 7 {
		return a.figure(k, e.Point), a.figure(k, e.Lo), a.figure(k, e.Hi)
	}
	text := func(v float64) string {
		text := strconv.FormatFloat(v, 'f', max(0, decimals), 64)
		if strings.Trim(text, "-0.") == "" {
			return strings.TrimPrefix(text, "-") // no negative zero
		}
		return text
	}
	return text(e.Point), text(e.Lo), text(e.Hi)
}

// within writes half a width: ±3, or less than ±0.001.
func within(half string) string {
	if bound, small := strings.CutPrefix(half, "<"); small {
		return "less than ±" + bound
	}
	return "±" + half
}

// Level writes the level of intervals with all its digits: 90 %, 99.9 %, 85.5 %.
func Level(level float64) string { return strconv.FormatFloat(100*level, 'g', 12, 64) + " %" }

// percent writes a share: 91 %, 99.5 %.
func percent(share float64) string {
	text := strconv.FormatFloat(100*share, 'f', 0, 64)
	if rest := min(share, 1-share); rest > 0 && rest < 0.1 {
		text = strings.TrimSuffix(strconv.FormatFloat(100*share, 'f', 1, 64), ".0")
	}
	return text + " %"
}

// upper begins a sentence with the name of a functional; only "mean" is a word.
func upper(name string) string {
	if name == "mean" {
		return "The mean"
	}
	return name
}

// spansAll follows a sentence about an interval of a probability.
const spansAll = " This interval spans nearly all of 0 to 1, so it says little."
