package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"time"

	"github.com/pfnamp/pfnamp/check"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/internal/atomicfile"
	"github.com/pfnamp/pfnamp/tabular"
)

// result is what `predict --json` and `fit --json` print where they succeed, as one JSON object:
// on standard output or, where that takes the table, on standard error. Errors are a failure.
type result struct {
	Command  string          `json:"command"`
	Version  string          `json:"version"`
	Model    modelResult     `json:"model"`
	Context  contextResult   `json:"context"`
	Test     *fileResult     `json:"test,omitempty"`
	Shard    string          `json:"shard,omitempty"`
	Rows     *int64          `json:"rows,omitempty"`     // predicted
	Columns  []columnResult  `json:"columns,omitempty"`  // of the table of predictions
	Scores   *scoresResult   `json:"scores,omitempty"`   // against labels that TEST has itself
	Changes  []changeResult  `json:"changes,omitempty"`  // of explain
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

// fileResult is a file; what is no regular file has neither size nor hash.
type fileResult struct {
	File   string `json:"file"`
	Bytes  *int64 `json:"bytes,omitempty"`
	SHA256 string `json:"sha256,omitempty"`
}

// columnResult is a column of the output and its Arrow type.
type columnResult struct {
	Name string `json:"name"`
	Type string `json:"type"`
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

// fileFacts reads a file again for its size and hash.
func fileFacts(path string) (fileResult, error) {
	f := fileResult{File: path}
	if info, err := os.Stat(path); path == "-" || err != nil || !info.Mode().IsRegular() {
		return f, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return f, err
	}
	defer file.Close()
	hash := sha256.New()
	n, err := io.Copy(hash, file)
	f.Bytes, f.SHA256 = &n, hex.EncodeToString(hash.Sum(nil))
	return f, err
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

// result returns what both commands know.
func (j *contextJob) result(command string, outputs []string) (result, error) {
	m, runtime := j.bundle.Manifest, j.model.Runtime()
	c := j.fitted.Context()
	r := result{Command: command, Version: version(), Notes: append([]string{}, j.said...),
		Seconds: j.clock.laps, Outputs: []fileResult{},
		Model: modelResult{m.Name, m.Version, j.bundle.SHA256(), c.Members(), runtime.Device,
			c.Precision(), runtime.Version},
		Context: contextResult{Rows: c.Rows(), Features: c.Columns(), Target: j.schema.TargetName}}
	var err error
	if r.Context.fileResult, err = j.readFacts(j.from.train); err != nil {
		return r, err
	}
	for _, path := range outputs {
		facts, err := fileFacts(path)
		if err != nil {
			return r, err
		}
		r.Outputs = append(r.Outputs, facts)
	}
	return r, nil
}

// result returns what is known of a prediction.
func (j *predictJob) result() (result, error) {
	r, err := j.contextJob.result("predict", j.opt.written(j.counts.rows))
	if err != nil {
		return r, err
	}
	r.Rows = &j.counts.rows
	r.Scores = j.counts.scored()
	if s, ok := sinkOf[*checkSink](j.sinks); ok && s.batch.X.Rows > 0 {
		r.Check = &s.found
	}
	r.Shard = j.opt.shard.String()
	test, err := j.readFacts(j.opt.test)
	r.Test = &test
	if err != nil || !j.opt.tabled() {
		return r, err
	}
	fields, err := opening{askJob: &j.askJob, queries: &j.queries}.fields()
	for _, field := range fields {
		r.Columns = append(r.Columns, columnResult{field.Name, field.Type.String()})
	}
	return r, err
}

// tellResult writes the result of a prediction to the file of --summary-json, and prints it if
// --json asks for it.
func (j *predictJob) tellResult(ctx context.Context) error {
	if !j.from.json && j.opt.summaryJSON == "" {
		return nil
	}
	r, err := j.result()
	if err != nil {
		return err
	}
	if j.opt.summaryJSON != "" {
		if err := writeJSON(ctx, j.opt.summaryJSON, r); err != nil {
			return err
		}
	}
	if !j.from.json {
		return nil
	}
	w := j.std.Out
	if j.opt.tabled() && j.opt.out == "-" {
		w = j.std.Err
	}
	return encodeJSON(w, r)
}

// writeJSON writes a value to a file, which appears complete or not at all.
func writeJSON(ctx context.Context, path string, v any) error {
	file, err := createFile(ctx, path)
	if err != nil {
		return fault.Unwritable(path, err)
	}
	defer file.Abort()
	if err := encodeJSON(file, v); err != nil {
		return err
	}
	return commitTogether(func() (*atomicfile.File, error) { return file, file.Finish() })
}

// encodeJSON prints a value as one line.
func encodeJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return fault.Writing(encoder.Encode(v))
}
