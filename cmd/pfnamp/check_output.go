package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/check"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/report"
)

// parseCheckConditions reads --fail-if of a check.
func parseCheckConditions(c *cli.Context) (all []condition, err error) {
	for _, text := range c.StringSlice("fail-if") {
		found, err := parseCondition(text, check.Figures())
		if wrong, ok := errors.AsType[*fault.Error](err); ok {
			wrong.Hint = "for example 'drift>0.01'. The figures are " + strings.Join(check.Figures(), ", ")
		}
		if err != nil {
			return nil, err
		}
		if found.change || found.functional != "" {
			return nil, fault.Option("fail-if", quote(text)+" is not a condition",
				"for example 'drift>0.01' or 'coverage<0.85'")
		}
		all = append(all, found)
	}
	return all, nil
}

// write prints what was found, after the page.
func (j *checkJob) write(ctx context.Context) error {
	if j.to.page != "" {
		if err := commitTogether(documentAt(ctx, j.to.page, j.page().Write)); err != nil {
			return err
		}
	}
	if j.from.json {
		return fault.Writing(encodeJSON(j.std.Out, j.found))
	}
	for _, line := range j.found.Sentences(j.from.train) {
		if err := writeLines(j.std.Out, line); err != nil {
			return fault.Writing(err)
		}
	}
	w := tabwriter.NewWriter(j.std.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w)
	printTable(w, checkTable(j.found))
	return fault.Writing(w.Flush())
}

// checkTable lists the columns.
func checkTable(r check.Report) *report.Table {
	t := &report.Table{Names: 1, Header: []string{"column", "p", "shift/sd", "missing", "at fit",
		"new", "outside"}}
	number := func(v evaluate.Number, digits int) string {
		if v != v {
			return ""
		}
		return strconv.FormatFloat(float64(v), 'f', digits, 64)
	}
	for _, c := range r.Columns {
		p := number(c.P, 3)
		if c.P < 0.001 {
			p = "<0.001"
		}
		t.Rows = append(t.Rows, []string{c.Name, p, number(c.Shift, 2), number(c.Missing, 3),
			number(c.MissingAtFit, 3), number(c.New, 3), number(c.Outside, 3)})
	}
	return t
}

func (j *checkJob) page() report.Page {
	return report.Page{Title: fmt.Sprintf("Is %s like %s?", j.file, j.from.train),
		Verdict: j.found.Sentences(j.from.train),
		Sections: []report.Section{{Title: "Columns", Table: checkTable(j.found), Text: []string{
			"The columns that differ most come first. A column with p below 0.01 differs clearly."},
			List: []string{
				"p: probability of so large a difference in any column if both tables are alike",
				"shift/sd: change of the mean, in standard deviations of the training table",
				"missing: share of cells without a value, now and at the fit",
				"new: share of cells with a category that the training table lacks",
				"outside: share of cells outside the range of the training table"}}}}
}
