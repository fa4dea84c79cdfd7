package predict

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/internal/atomicfile"
)

// Names in the output folder of many parts. Engines leave out names that begin with _.
const (
	partsFolder = "_parts"
	successFile = "_SUCCESS" // lists all parts
)

// partRecord says that a part is done, from what, and what came of it.
type partRecord struct {
	Name        string `json:"name"`
	Input       string `json:"input"`
	InputBytes  int64  `json:"input_bytes"`
	InputSHA256 string `json:"input_sha256"`
	Rows        int64  `json:"rows"`
	Output      int64  `json:"output_bytes"`
	SHA256      string `json:"output_sha256"`
}

func recordPath(out string, p part) string {
	return filepath.Join(out, partsFolder, filepath.FromSlash(p.name)+".json")
}

// recorded reads the record of a part. It is false where there is none, or one of another input.
func (p part) recorded(out string) (r partRecord, ok bool) {
	text, err := os.ReadFile(recordPath(out, p))
	ok = err == nil && json.Unmarshal(text, &r) == nil && r.Input == p.input && r.Name == p.name
	return r, ok
}

// done tells whether input and output have the sizes of the record and, where it reads their bytes,
// hold what they held then. A part that was read from a pipe never is.
func (r partRecord) done(out string, whole bool) bool {
	if r.InputSHA256 == "" {
		return false
	}
	if whole {
		input, err := output.FileFacts(r.Input)
		made, missing := output.FileFacts(r.path(out))
		return err == nil && missing == nil && input.SHA256 == r.InputSHA256 && made.SHA256 == r.SHA256
	}
	input, err := os.Stat(r.Input)
	made, missing := os.Stat(r.path(out))
	return err == nil && missing == nil && input.Size() == r.InputBytes && made.Size() == r.Output
}

func (r partRecord) path(out string) string {
	return filepath.Join(out, filepath.FromSlash(r.Name))
}

// record says that a part is done; input is what it held before it was read.
func (p part) record(ctx context.Context, out string, input output.FileResult, rows int64) (
	partRecord, error,
) {
	made, err := output.FileFacts(p.output)
	if err != nil {
		return partRecord{}, fault.Writing(err)
	}
	r := partRecord{Name: p.name, Input: p.input, InputSHA256: input.SHA256, Rows: rows,
		Output: *made.Bytes, SHA256: made.SHA256}
	if input.Bytes != nil { // a pipe has neither size nor hash, and is never done
		r.InputBytes = *input.Bytes
	}
	path := recordPath(out, p)
	if err := makeFolder(filepath.Dir(path)); err != nil {
		return r, err
	}
	return r, output.WriteJSON(ctx, path, r)
}

// unlist removes the list of all parts, before one of them is made anew.
func unlist(out string) error {
	path := filepath.Join(out, successFile)
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fault.Writing(fmt.Errorf("%s: cannot be removed: %w", path, atomicfile.Cause(err)))
	}
	return nil
}

// leftovers names the parts that the folder has records of and the job has not: of tables that were
// removed since.
func leftovers(out string, parts []part) (names []string) {
	now := map[string]bool{fault.SettingFile: true}
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

// checkSetting compares what the parts of a folder depend on with what is there, and writes it
// where nothing is.
func checkSetting(out string, setting map[string]string) error {
	folder := filepath.Join(out, partsFolder)
	if err := makeFolder(folder); err != nil {
		return err
	}
	err := evaluate.KeepSetting(filepath.Join(folder, fault.SettingFile), out, setting)
	if other, ok := errors.AsType[*evaluate.StoreError](err); ok {
		return fault.Wrong(fmt.Sprintf("%s holds parts of another job: %s is %q there and %q now", out,
			other.Field, other.Has, other.Asked), fault.OtherFolder)
	}
	if _, ok := errors.AsType[*evaluate.DamagedError](err); ok {
		return err
	}
	return fault.Writing(err)
}

func makeFolder(path string) error {
	if err := os.MkdirAll(path, 0o777); err != nil {
		return fault.Writing(fmt.Errorf("%s: cannot be created: %w", path, atomicfile.Cause(err)))
	}
	return nil
}
