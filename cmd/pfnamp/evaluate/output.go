package evaluate

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/junit"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/run"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/words"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/report"
	"github.com/pfnamp/pfnamp/tabular"
)

// resultFiles are the tables and pages of the output folder, beside pictures.
var resultFiles = []string{"results.json", "results.csv", "results.parquet", "report.html",
	"tables.md"}

// checkFolder refuses an output folder in which a table that is read has the name of a result.
func (j *job) checkFolder(inputs ...string) error {
	if j.out == "" {
		return nil
	}
	for _, name := range resultFiles {
		if err := output.CheckDistinct(filepath.Join(j.out, name), inputs...); err != nil {
			return err
		}
	}
	return nil
}

// write prints the results and fills the output folder.
func (j *job) write(ctx context.Context) error {
	results := j.results()
	page := j.page(results)
	if j.out != "" { // first: who reads standard output may close it
		if err := j.writeFolder(ctx, page, results); err != nil {
			return err
		}
	}
	if err := j.print(page, results); err != nil {
		return fault.Writing(err)
	}
	if j.out != "" && !j.From.Quiet {
		j.Std.Notef("results and report in %s", j.out)
	}
	return nil
}

// judge compares the results with those of an earlier evaluation, and fails where a condition
// holds.
func (j *job) judge(ctx context.Context) error {
	g, results := &j.gate, j.results()
	suite, broken := junit.Suite{Name: j.table.Name, Seconds: "0"}, []string(nil)
	for _, c := range g.conditions {
		why, err := c.Broken(results, g.baseline)
		if err != nil {
			return err
		}
		test := junit.Case{Class: "evaluate." + j.table.Name, Name: c.Text}
		if why != "" {
			broken, test.Failure = append(broken, why), &junit.Message{Text: why}
		}
		suite.Add(test)
	}
	if j.junit != "" {
		err := output.WriteFile(ctx, j.junit, func(w io.Writer) error {
			return junit.Write(w, suite)
		})
		if err != nil {
			return err
		}
	}
	if g.file != "" && !j.From.JSON {
		if err := g.print(j.Std.Out, results); err != nil {
			return fault.Writing(err)
		}
	}
	if broken == nil {
		return nil
	}
	return fault.New(fault.Check, strings.Join(broken, "; "), "")
}

// print writes what the page says, without its pictures and settings.
func (j *job) print(page report.Page, results []evaluate.Result) error {
	if j.From.JSON {
		return encodeResults(results)(j.Std.Out)
	}
	w := tabwriter.NewWriter(j.Std.Out, 0, 0, 2, ' ', 0)
	for _, line := range slices.Concat(page.Lead[:1], []string{""}, page.Verdict) {
		fmt.Fprintln(w, line)
	}
	for _, s := range page.Sections {
		if s.Table == nil || s.Folded {
			continue
		}
		fmt.Fprintln(w)
		output.PrintTable(w, s.Table)
		for _, line := range append([]string{""}, s.List...) {
			fmt.Fprintln(w, line)
		}
	}
	for _, line := range page.Lead[1:] {
		fmt.Fprintf(w, "\n%s\n", line)
	}
	return w.Flush()
}

func encodeResults(results []evaluate.Result) func(io.Writer) error {
	return func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", " ")
		encoder.SetEscapeHTML(false)
		return encoder.Encode(results)
	}
}

// writeFolder makes the files of the output folder appear together, results.json last.
func (j *job) writeFolder(
	ctx context.Context, page report.Page, results []evaluate.Result,
) error {
	charts := map[string]report.Chart{"reliability": report.ReliabilityChart(j.outcomes)}
	if j.setting.Folds == 0 {
		charts["trade"] = report.TradeChart(evaluate.Results(j.cells, j.outcomes), j.setting.Level)
	}
	var files output.Files
	defer files.Discard()
	document := func(name string, write func(io.Writer) error) {
		files.Document(ctx, filepath.Join(j.out, name), write)
	}
	for name, chart := range charts {
		for _, format := range []string{"png", "svg"} {
			document(name+"."+format, func(w io.Writer) error { return chart.Write(w, format) })
		}
	}
	document("report.html", page.Write)
	document("tables.md", page.WriteTables)
	record, err := resultRecord(results)
	if err != nil {
		return err
	}
	for _, name := range []string{"results.csv", "results.parquet"} {
		table, err := files.File(ctx, filepath.Join(j.out, name), record.Schema(), 0,
			tabular.WriteOptions{})
		if err == nil {
			err = table.Write(record.Columns())
		}
		if err != nil {
			return err
		}
	}
	document("results.json", encodeResults(results))
	return files.Commit()
}

// resultRecord lists results, which have no coordinates.
func resultRecord(results []evaluate.Result) (arrow.RecordBatch, error) {
	text, float, whole := arrow.BinaryTypes.String, arrow.PrimitiveTypes.Float64,
		arrow.PrimitiveTypes.Int64
	var list bytes.Buffer
	if err := encodeResults(results)(&list); err != nil {
		return nil, err
	}
	record, _, err := array.RecordFromJSON(memory.DefaultAllocator, arrow.NewSchema([]arrow.Field{
		{Name: "method", Type: text, Nullable: true}, {Name: "functional", Type: text, Nullable: true},
		{Name: "metric", Type: text, Nullable: true}, {Name: "value", Type: float, Nullable: true},
		{Name: "se", Type: float, Nullable: true}, {Name: "replicates", Type: whole, Nullable: true},
	}, nil), &list)
	return record, err
}

func (j *job) page(results []evaluate.Result) report.Page {
	s, t, target := j.setting, j.table, j.From.Fit.Target
	e := report.Evaluation{Title: fmt.Sprintf("How well the model predicts %s in %s: %s, %s", target,
		t.Name, words.Count(t.X.Rows, "row"), words.Count(t.X.Cols, "feature")), Cells: j.cells,
		Outcomes: j.outcomes, Results: results, Asked: report.Asked{Target: target, Level: s.Level},
		Unit: 1, Lead: []string{j.divided(), j.units()}}
	e.Labels, _ = j.predicted()
	switch {
	case t.Classes != nil:
		e.Classes = j.classCounts()
	case s.Folds == 0:
		first := s.Functionals[0]
		e.Unit, e.Asked.Functionals = t.Unit(), []string{first.String()}
		e.Asked.Events = []bool{first.Unit() == amp.ProbabilityUnit}
	}
	names := j.settingNames()
	if s.Folds == 0 {
		names["splits"] = strconv.Itoa(s.Splits)
	}
	var facts [][2]string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		facts = append(facts, [2]string{name, names[name]})
	}
	return e.Page().With(j.Said, facts)
}

func (j *job) classCounts() string {
	t := j.table
	counts := make([]int, len(t.Classes))
	for _, k := range t.Y {
		counts[int(k)]++
	}
	return run.LabelCounts(t.Classes, counts)
}
