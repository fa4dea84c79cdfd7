package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pfnamp/pfnamp/evaluate"
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
	if err := makeFolder(filepath.Dir(path)); err != nil {
		return r, err
	}
	return r, writeJSON(ctx, path, r)
}

// unlist removes the list of all parts, before one of them is made anew.
func unlist(out string) error {
	path := filepath.Join(out, successFile)
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return outputFailure(fmt.Errorf("%s: cannot be removed: %w", path, atomicfile.Cause(err)))
	}
	return nil
}

// leftovers names the parts that the folder has records of and the job has not: of tables that were
// removed since.
func leftovers(out string, parts []part) (names []string) {
	now := map[string]bool{settingFile: true}
	for _, p := range parts {
		now[filepath.FromSlash(p.name)+".json"] = true
	}
	folder := filepath.Join(out, partsFolder)
	_ = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		name, inside := strings.CutPrefix(path, folder+string(filepath.Separator))
		if err == nil && inside && !entry.IsDir() && !now[name] && filepath.Ext(name) == ".json" {
			names = append(names, strings.TrimSuffix(name, ".json"))
		}
		return nil
	})
	return names
}

// checkSetting compares what the parts of a folder depend on with what is there, and writes it where
// nothing is.
func checkSetting(out string, setting map[string]string) error {
	folder := filepath.Join(out, partsFolder)
	if err := makeFolder(folder); err != nil {
		return err
	}
	err := evaluate.KeepSetting(filepath.Join(folder, settingFile), out, setting)
	if other, ok := errors.AsType[*evaluate.StoreError](err); ok {
		return &usageError{
			msg: fmt.Sprintf("%s holds parts of another job: %s is %q there and %q now", out,
				other.Field, other.Has, other.Asked),
			hint: "name another folder, or delete this one"}
	}
	return outputFailure(err)
}

// makeFolder makes a folder for outputs, and those above it.
func makeFolder(path string) error {
	if err := os.MkdirAll(path, 0o777); err != nil {
		return outputFailure(fmt.Errorf("%s: cannot be made: %w", path, atomicfile.Cause(err)))
	}
	return nil
}
