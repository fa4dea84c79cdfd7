package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/evaluate/paper"
	"github.com/pfnamp/pfnamp/internal/plain"
)

// marks are the characters by which a text could become something else in Markdown: a cell, code, a
// link or a picture, an HTML element.
var marks = strings.NewReplacer("|", `\|`, "`", "\\`", "[", `\[`, "<", "&lt;")

// markdown is a text of one line as Markdown shows it.
func markdown(text string) string { return marks.Replace(plain.Text(text)) }

// Markdown renders the table in the syntax of GitHub.
func (t Table) Markdown() string {
	var out strings.Builder
	line := func(cells []string) {
		out.WriteString("|")
		for _, c := range cells {
			out.WriteString(" " + markdown(c) + " |")
		}
		out.WriteString("\n")
	}
	line(t.Header)
	rule := make([]string, len(t.Header))
	for i := range rule {
		if rule[i] = "---"; t.Right(i) {
			rule[i] = "---:"
		}
	}
	line(rule)
	for _, row := range t.Rows {
		line(row)
	}
	return out.String()
}

// GridTable lists coverage and width of every method of a study as 0.95 / 1.20, one row per group
// of coordinates.
func GridTable(results []evaluate.Result, functional string) *Table {
	methods := methodsOf(results)
	t := &Table{Names: 1, Header: append([]string{functional}, methods...)}
	for _, g := range groups(results) {
		row := []string{g.name}
		for _, m := range methods {
			c, ok := evaluate.Find(g.results, m, functional, "coverage")
			w, _ := evaluate.Find(g.results, m, functional, "width")
			if !ok {
				row = append(row, "")
				continue
			}
			row = append(row, fmt.Sprintf("%.2f / %.2f", float64(c.Value), float64(w.Value)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// BenchmarkTable has the layout of the paper's tables 1 and 2: one row per method and metric, one
// column per data set, each figure ± two standard errors. The published figures come last. The
// error is one of reading the published figures.
func BenchmarkTable(results []evaluate.Result, functional string) (*Table, error) {
	published, err := paper.Published()
	if err != nil {
		return nil, err
	}
	names := valuesOf(results, "dataset")
	t := &Table{Names: 2, Header: append([]string{"method", "metric"}, names...)}
	for _, m := range methodsOf(results) {
		t.benchmarkRows(m, results, [2]string{m, functional}, names)
	}
	for _, m := range []string{evaluate.MethodPaper, evaluate.MethodBootstrap} {
		for _, model := range []string{"tabpfn", "tabicl"} {
			these := slices.DeleteFunc(slices.Clone(published),
				func(r evaluate.Result) bool { return r.Param("model") != model })
			t.benchmarkRows(m+", published, "+model, these, [2]string{m, functional}, names)
		}
	}
	return t, nil
}

// benchmarkRows appends coverage, width and time of a method and functional, if it has any.
func (t *Table) benchmarkRows(
	label string, results []evaluate.Result, which [2]string, names []string,
) {
	all := groups(results)
	for _, metric := range []string{"coverage", "width", "time_s"} {
		row, found := []string{label, metric}, false
		for _, name := range names {
			cell := ""
			for _, g := range all {
				if g.results[0].Param("dataset") != name {
					continue
				}
				if metric == "time_s" {
					cell = g.time(which[0], which[1])
				} else {
					cell = g.cell(which[0], which[1], metric)
				}
			}
			found = found || cell != ""
			row = append(row, cell)
		}
		if found {
			t.Rows = append(t.Rows, row)
		}
	}
}
