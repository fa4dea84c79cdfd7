// Package conditions has what --fail-if asks of evaluations and of checks.
package conditions

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/check"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/evaluate"
)

// Condition is a result that is refused, such as crps>+2%: of the figure of that name, a value
// above or below a bound, or a change from the baseline beyond it.
type Condition struct {
	Text                       string
	Method, Functional, Metric string
	above                      bool
	bound                      float64
	Change, Relative           bool // from the baseline, in shares of it
}

const gateHint = "for example 'crps>+2%', 'coverage<0.85' or 'paper:mean:width>+0.1'"

var conditionForm = regexp.MustCompile(
	`^\s*(?:([a-z]+):(.*):)?([a-z0-9_.]+)\s*([<>])\s*([+-]?)(\d+\.?\d*(?:e-?\d+)?|\.\d+)\s*(%?)\s*$`)

// ParseScore reads a condition about a figure of the names, or of METHOD:FUNCTIONAL:METRIC.
func ParseScore(text string, names []string) (Condition, error) {
	parts := conditionForm.FindStringSubmatch(text)
	if parts == nil {
		return Condition{}, fault.Option("fail-if", strconv.Quote(text)+" is not a condition", gateHint)
	}
	found := Condition{Text: text, Method: parts[1], Functional: parts[2], Metric: parts[3],
		above: parts[4] == ">", Change: parts[5] != "", Relative: parts[7] == "%"}
	if found.Method == "" && !slices.Contains(names, found.Metric) {
		return found, NoScore(text, found.Metric, names)
	}
	found.bound, _ = strconv.ParseFloat(parts[5]+parts[6], 64) // digits only
	if found.Relative {
		found.bound /= 100
	}
	if slices.Contains(shares, found.Metric) && math.Abs(found.bound) >= 2 { // meant as a percentage
		return found, fault.Option("fail-if", fmt.Sprintf("%q: %s is between 0 and 1", text,
			found.Metric), fmt.Sprintf("did you mean %s%g?", parts[5], math.Abs(found.bound)/100))
	}
	return found, nil
}

// shares are the figures between 0 and 1.
var shares = []string{"auc", "accuracy", "coverage", "coverage_lo", "coverage_hi",
	"calibration_error", "p", "supported", "missing", "new", "outside", "new_labels"}

// beyond tells whether a value is on the wrong side of a bound; one that is not a number is.
func (c Condition) beyond(value, bound float64) bool {
	return c.above && !(value <= bound) || !c.above && !(value >= bound)
}

func (c Condition) why(value, bound float64) string {
	if math.IsNaN(value) {
		return fmt.Sprintf("%s has no value (--fail-if %s)", c.name(), fault.Shell(c.Text))
	}
	side := map[bool]string{true: "above", false: "below"}[c.above]
	return fmt.Sprintf("%s is %.4g, %s %.4g (--fail-if %s)", c.name(), value, side, bound, fault.Shell(
		c.Text))
}

// NoScore is the error of a condition about a score that is none of the names.
func NoScore(text, metric string, names []string) error {
	return fault.Option("fail-if", strconv.Quote(text)+": there is no score "+metric,
		"use "+strings.Join(names, ", ")+", or METHOD:FUNCTIONAL:METRIC of results.csv")
}

// Broken says why a condition holds, "" if it does not.
func (c Condition) Broken(now, baseline []evaluate.Result) (string, error) {
	found, ok := evaluate.Find(now, c.Method, c.Functional, c.Metric)
	if !ok {
		return "", fault.Option("fail-if", fmt.Sprintf("%q: this evaluation has no %s", c.Text,
			c.name()), gateHint+"; -o FOLDER and results.csv list all figures")
	}
	value, bound := float64(found.Value), c.bound
	if c.Change {
		earlier, ok := evaluate.Find(baseline, c.Method, c.Functional, c.Metric)
		if !ok {
			return "", c.NotInBaseline()
		}
		before := float64(earlier.Value)
		if bound = before + c.bound; c.Relative {
			bound = before + c.bound*math.Abs(before)
		}
	}
	if c.beyond(value, bound) {
		return c.why(value, bound), nil
	}
	return "", nil
}

// NotInBaseline is the error of a condition about a change of something that the baseline lacks.
func (c Condition) NotInBaseline() error {
	return fault.Option("fail-if", fmt.Sprintf("%q: the baseline has no %s", c.Text, c.name()),
		"make the baseline again, with the flags of this command")
}

func (c Condition) name() string {
	if c.Functional == "" && (c.Method == evaluate.MethodPPD || c.Method == "") {
		return c.Metric
	}
	return c.Method + ":" + c.Functional + ":" + c.Metric
}

// Parse reads --fail-if of a check.
func Parse(c *cli.Context) (all []Condition, err error) {
	for _, text := range c.StringSlice("fail-if") {
		found, err := ParseScore(text, check.Figures())
		if wrong, ok := errors.AsType[*fault.Error](err); ok && !slices.Contains(shares, found.Metric) {
			wrong.Hint = "for example 'drift>0.01'. The figures are " + strings.Join(check.Figures(), ", ")
		}
		if err != nil {
			return nil, err
		}
		if found.Change || found.Functional != "" {
			return nil, fault.Option("fail-if", strconv.Quote(text)+" is not a condition",
				"for example 'drift>0.01' or 'coverage<0.85'")
		}
		all = append(all, found)
	}
	return all, nil
}

// CheckMeasured refuses conditions about labels that a batch lacks.
func CheckMeasured(conditions []Condition, b check.Batch, task, target string) error {
	for _, c := range conditions {
		switch {
		case check.AboutLabels(c.Metric) && b.Labelled() == 0:
			return fault.Option("fail-if", fmt.Sprintf("%q needs labels, and %s has none", c.Text,
				b.File), fmt.Sprintf("add the column %q to the table, or drop the condition", target))
		case !check.Measured(c.Metric, task):
			return fault.Option("fail-if", fmt.Sprintf("%q: this target has no %s", c.Text, c.Metric),
				"use coverage for numbers, and accuracy for classes")
		}
	}
	return nil
}

// Judge fails where a condition about a report holds.
func Judge(conditions []Condition, found check.Report) error {
	var broken []string
	for _, c := range conditions {
		value := found.Figure(c.Metric)
		if c.beyond(value, c.bound) {
			broken = append(broken, c.why(value, c.bound))
		}
	}
	if broken == nil {
		return nil
	}
	return fault.New(fault.Check, found.File+": "+strings.Join(broken, "; "), "")
}

// MostChecked bounds the rows of TEST that predict --check keeps.
const MostChecked = 100_000
