package run

import (
	"context"
	"encoding/json"
	"time"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp/check"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/self"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/internal/atomicfile"
	"github.com/pfnamp/pfnamp/tabular"
)

// Result is what --json prints of a command that succeeds, as one JSON object: on standard output
// or, where that takes the table, on standard error. Errors are a failure.
type Result struct {
	Command  string              `json:"command"`
	Version  string              `json:"version"`
	Model    modelResult         `json:"model"`
	Context  contextResult       `json:"context"`
	Test     *output.FileResult  `json:"test,omitempty"`
	Shard    string              `json:"shard,omitempty"`
	Rows     *int64              `json:"rows,omitempty"`     // predicted
	Columns  []columnResult      `json:"columns,omitempty"`  // of the table of predictions
	Scores   any                 `json:"scores,omitempty"`   // against labels that TEST has itself
	Changes  any                 `json:"changes,omitempty"`  // of explain
	Check    *check.Report       `json:"check,omitempty"`    // of --check
	Table    json.RawMessage     `json:"table,omitempty"`    // of explain, row by row
	Findings []string            `json:"findings,omitempty"` // of explain, in sentences
	Outputs  []output.FileResult `json:"outputs"`
	Failed   []fault.Error       `json:"failed,omitempty"` // of many tables those left out
	Notes    []string            `json:"notes"`
	Seconds  []Lap               `json:"seconds"`
}

// SetColumns names the columns of the table.
func (r *Result) SetColumns(fields []arrow.Field) {
	for _, field := range fields {
		r.Columns = append(r.Columns, columnResult{field.Name, field.Type.String()})
	}
}

// columnResult is a column of the output and its Arrow type.
type columnResult struct {
	Name string `json:"name"`
	Type string `json:"type"`
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
	output.FileResult
	Rows     int    `json:"rows"`
	Features int    `json:"features"`
	Target   string `json:"target"`
}

// Lap is a stage of the job and its time.
type Lap struct {
	Stage   string  `json:"stage"`
	Seconds float64 `json:"seconds"`
}

// clock takes the times of stages.
type clock struct {
	Laps []Lap
	last time.Time // of the end of the last stage
}

// Lap returns a step that ends a stage; the next one begins there.
func (c *clock) Lap(stage string) func(context.Context) error {
	return func(context.Context) error {
		now := time.Now()
		c.Laps = append(c.Laps, Lap{stage, now.Sub(c.last).Seconds()})
		c.last = now
		return nil
	}
}

// ReadFacts is output.FileFacts of a table or a state that is read. It reads the file once for all
// outputs, reports and parts.
func (j *Job) ReadFacts(path string) (output.FileResult, error) {
	if j.facts == nil {
		j.facts = map[string]output.FileResult{}
	}
	if facts, known := j.facts[path]; known {
		return facts, nil
	}
	facts, err := output.FileFacts(path)
	if err != nil {
		return facts, &tabular.Error{File: path, Err: atomicfile.Cause(err)}
	}
	j.facts[path] = facts
	return facts, nil
}

// TellResult tells what --json and --summary-json ask for: what all commands know, and what add, if
// it is not nil, adds.
func (j *Job) TellResult(ctx context.Context, to output.Places, add func(*Result) error) error {
	if !j.From.JSON && to.JSON == "" {
		return nil
	}
	m, runtime := j.Bundle.Manifest, j.Model.Runtime()
	c := j.Fitted.Context()
	r := Result{Command: j.From.Command, Version: self.Version(),
		Notes: append([]string{}, j.Said...), Seconds: j.Clock.Laps,
		Model: modelResult{m.Name, m.Version, j.Bundle.SHA256(), c.Members(), runtime.Device,
			c.Precision(), runtime.Version},
		Context: contextResult{Rows: c.Rows(), Features: c.Columns(), Target: j.Schema.TargetName}}
	var err error
	if r.Context.FileResult, err = j.ReadFacts(j.From.Train); err == nil {
		r.Outputs, err = output.AllFacts(to.Written())
	}
	if err == nil && add != nil {
		err = add(&r)
	}
	if err == nil && to.JSON != "" {
		err = output.WriteJSON(ctx, to.JSON, r)
	}
	if err != nil || !j.From.JSON {
		return err
	}
	return j.Tell(r, to)
}

// Tell prints a result on the standard stream that the table leaves.
func (j *Job) Tell(r any, to output.Places) error {
	if to.Table == "-" {
		return fault.Writing(stdio.JSON(j.Std.Err, r))
	}
	return fault.Writing(stdio.JSON(j.Std.Out, r))
}
