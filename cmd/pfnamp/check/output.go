package check

import (
	"context"
	"fmt"
	"strconv"
	"text/tabwriter"

	"github.com/pfnamp/pfnamp/check"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/report"
)

// write prints what was found, after the page.
func (j *checkJob) write(ctx context.Context) error {
	if j.to.Page != "" {
		if err := output.CommitTogether(output.DocumentAt(ctx, j.to.Page, j.page().Write)); err != nil {
			return err
		}
	}
	if j.From.JSON {
		return fault.Writing(stdio.JSON(j.Std.Out, j.found))
	}
	for _, line := range j.found.Sentences(j.From.Train) {
		if err := j.Std.Lines(line); err != nil {
			return fault.Writing(err)
		}
	}
	w := tabwriter.NewWriter(j.Std.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w)
	output.PrintTable(w, checkTable(j.found))
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
	return report.Page{Title: fmt.Sprintf("Is %s like %s?", j.file, j.From.Train),
		Verdict: j.found.Sentences(j.From.Train),
		Sections: []report.Section{{Title: "Columns", Table: checkTable(j.found), Text: []string{
			"The columns that differ most come first. A column with p below 0.01 differs clearly."},
			List: []string{
				"p: probability of so large a difference in any column if both tables are alike",
				"shift/sd: change of the mean, in standard deviations of the training table",
				"missing: share of cells without a value, now and at the fit",
				"new: share of cells with a category that the training table lacks",
				"outside: share of cells outside the range of the training table"}}}}
}
