package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/pfnamp/pfnamp/internal/atomicfile"
)

// Names in the output folder of many parts. Engines leave out names that begin with _.
const (
	partsFolder = "_parts"
	settingFile = "setting.json"
	successFile = "_SUCCESS"
)

// partRecord says that a part is done, and from what.
type partRecord struct {
	Name     string    `json:"name"`
	Input    string    `json:"input"`
	Bytes    int64     `json:"input_bytes"`
	Modified time.Time `json:"input_modified"`
	Rows     int64     `json:"rows"`
	Output   int64     `json:"output_bytes"`
	SHA256   string    `json:"output_sha256"`
}

// recordPath is the file of a part's record.
func recordPath(out string, p part) string {
	return filepath.Join(out, partsFolder, filepath.FromSlash(p.name)+".json")
}

// done returns the record of a part that is done: its input and its output are as they were then.
func (p part) done(out string) (r partRecord, ok bool) {
	text, err := os.ReadFile(recordPath(out, p))
	if err != nil || json.Unmarshal(text, &r) != nil {
		return r, false
	}
	input, err := os.Stat(p.input)
	if err != nil || input.Size() != r.Bytes || !input.ModTime().Equal(r.Modified) {
		return r, false
	}
	output, err := os.Stat(p.output)
	return r, err == nil && output.Size() == r.Output
}

// record says that a part is done; input is what it was before it was read.
func (p part) record(ctx context.Context, out string, input fs.FileInfo, rows int64) (
	partRecord, error,
) {
	output, err := fileFacts(p.output)
	if err != nil {
		return partRecord{}, err
	}
	r := partRecord{p.name, p.input, input.Size(), input.ModTime(), rows, *output.Bytes, output.SHA256}
	path := recordPath(out, p)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return r, outputFailure(fmt.Errorf("%s: cannot be made: %w", filepath.Dir(path),
			atomicfile.Cause(err)))
	}
	return r, writeJSON(ctx, path, r)
}

// checkSetting compares what the parts of a folder depend on with what is there, and writes it where
// nothing is.
func checkSetting(ctx context.Context, out string, setting map[string]string) error {
	folder := filepath.Join(out, partsFolder)
	path := filepath.Join(folder, settingFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return outputFailure(fmt.Errorf("%s: cannot be made: %w", folder, atomicfile.Cause(err)))
		}
		return writeJSON(ctx, path, setting)
	}
	has := map[string]string{}
	if err == nil {
		err = json.Unmarshal(text, &has)
	}
	if err != nil {
		return outputFailure(fmt.Errorf("%s: %w", path, atomicfile.Cause(err)))
	}
	names := slices.Collect(maps.Keys(has))
	for name := range setting {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if has[name] != setting[name] {
			return &usageError{
				msg: fmt.Sprintf("%s holds parts of another job: %s is %q there and %q now", out, name,
					has[name], setting[name]),
				hint: "name another folder, or delete this one"}
		}
	}
	return nil
}
