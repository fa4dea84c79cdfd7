package main

import (
	"context"
	"encoding/json"
	"time"

	"github.com/pfnamp/pfnamp/check"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/self"
	"github.com/pfnamp/pfnamp/internal/atomicfile"
	"github.com/pfnamp/pfnamp/report"
	"github.com/pfnamp/pfnamp/tabular"
)

// result is what --json prints of a command that succeeds, as one JSON object: on standard output
// or, where that takes the table, on standard error. Errors are a failure.
type result struct {
	Command  string          `json:"command"`
	Version  string          `json:"version"`
	Model    modelResult     `json:"model"`
	Context  contextResult   `json:"context"`
	Test     *fileResult     `json:"test,omitempty"`
	Shard    string          `json:"shard,omitempty"`
	Rows     *int64          `json:"rows,omitempty"`     // predicted
	Columns  []columnResult  `json:"columns,omitempty"`  // of the table of predictions
	Scores   any             `json:"scores,omitempty"`   // against labels that TEST has itself
	Changes  any             `json:"changes,omitempty"`  // of explain
	Check    *check.Report   `json:"check,omitempty"`    // of --check
	Table    json.RawMessage `json:"table,omitempty"`    // of an explanation, an object for every row
	Findings []string        `json:"findings,omitempty"` // of explain, in sentences
	Outputs  []fileResult    `json:"outputs"`
	Failed   []fault.Error   `json:"failed,omitempty"` // of many tables those left out
	Notes    []string        `json:"notes"`
	Seconds  []lap           `json:"seconds"`
}

// modelResult is the model and where it ran.
type modelResult struct {
	Name        string `json:"name"`
	Version     string `json:"version"`
	SHA256      string `json:"sha256"`
	Members     int    `json:"members"`
	Device      string `json:"device"`
	Precision   string `json:"precision"`
	Onnxruntime string `json:"onnxruntime"`
}

// contextResult is what the model read.
type contextResult struct {
	fileResult
	Rows     int    `json:"rows"`
	Features int    `json:"features"`
	Target   string `json:"target"`
}

// lap is a stage of the job and its time.
type lap struct {
	Stage   string  `json:"stage"`
	Seconds float64 `json:"seconds"`
}

// clock takes the times of stages.
type clock struct {
	laps []lap
	last time.Time // of the end of the last stage
}

// lap returns a step that ends a stage; the next one begins there.
func (c *clock) lap(stage string) func(context.Context) error {
	return func(context.Context) error {
		now := time.Now()
		c.laps = append(c.laps, lap{stage, now.Sub(c.last).Seconds()})
		c.last = now
		return nil
	}
}

// readFacts is fileFacts of a table or a state that is read. It reads the file once for all
// outputs, reports and parts.
func (j *contextJob) readFacts(path string) (fileResult, error) {
	if j.facts == nil {
		j.facts = map[string]fileResult{}
	}
	if facts, known := j.facts[path]; known {
		return facts, nil
	}
	facts, err := fileFacts(path)
	if err != nil {
		return facts, &tabular.Error{File: path, Err: atomicfile.Cause(err)}
	}
	j.facts[path] = facts
	return facts, nil
}

// result returns what all commands know.
func (j *contextJob) result(command string, outputs []string) (r result, err error) {
	m, runtime := j.bundle.Manifest, j.model.Runtime()
	c := j.fitted.Context()
	r = result{Command: command, Version: self.Version(), Notes: append([]string{}, j.said...),
		Seconds: j.clock.laps,
		Model: modelResult{m.Name, m.Version, j.bundle.SHA256(), c.Members(), runtime.Device,
			c.Precision(), runtime.Version},
		Context: contextResult{Rows: c.Rows(), Features: c.Columns(), Target: j.schema.TargetName}}
	if r.Context.fileResult, err = j.readFacts(j.from.train); err == nil {
		r.Outputs, err = allFacts(outputs)
	}
	return r, err
}

// withFacts adds notes, settings and versions at the end of a page.
func (j *contextJob) withFacts(page report.Page, facts [][2]string) report.Page {
	if len(j.said) > 0 {
		page.Sections = append(page.Sections, report.Section{Title: "Notes", List: j.said})
	}
	table := &report.Table{Names: 2}
	for _, fact := range facts {
		table.Rows = append(table.Rows, fact[:])
	}
	page.Sections = append(page.Sections,
		report.Section{Title: "Settings and versions", Table: table, Folded: true})
	return page
}

// tell prints a result on the standard stream that the table leaves.
func (j *contextJob) tell(r any, to places) error {
	if to.table == "-" {
		return encodeJSON(j.std.Err, r)
	}
	return encodeJSON(j.std.Out, r)
}
