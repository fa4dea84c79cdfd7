package conditions

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/pfnamp/pfnamp/check"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/urfave/cli/v2"
)

// Parse reads --fail-if of a check.
func Parse(c *cli.Context) (all []Condition, err error) {
	for _, text := range c.StringSlice("fail-if") {
		found, err := ParseScore(text, check.Figures())
		if wrong, ok := errors.AsType[*fault.Error](err); ok {
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
