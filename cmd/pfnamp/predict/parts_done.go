package predict

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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
	partialFile = "_PARTIAL" // does so where --keep-going has left out some
)

// partRecord says that a part is done, from what, and what came of it; or why it failed.
type partRecord struct {
	Name        string       `json:"name"`
	Input       string       `json:"input"`
	InputBytes  int64        `json:"input_bytes"`
	InputSHA256 string       `json:"input_sha256"`
	Rows        int64        `json:"rows"`
	Output      int64        `json:"output_bytes"`
	SHA256      string       `json:"output_sha256"`
	Failure     *fault.Error `json:"failure,omitempty"`
}

// recordPath is the file of a part's record.
func recordPath(out string, p part) string {
	return filepath.Join(out, partsFolder, filepath.FromSlash(p.name)+".json")
}

// recorded reads the record of a part. It is false where there is none, or one of another input.
func (p part) recorded(out string) (r partRecord, ok bool) {
	text, err := os.ReadFile(recordPath(out, p))
	ok = err == nil && json.Unmarshal(text, &r) == nil && r.Input == p.input && r.Name == p.name
	return r, ok
}

// kept is recorded for a part that is done, unless it was read from a pipe or input or output have
// another size now. It reads none of their bytes.
func (p part) kept(out string) (r partRecord, ok bool) {
	r, ok = p.recorded(out)
	if !ok || r.Failure != nil || r.InputSHA256 == "" {
		return r, false
	}
	input, err := os.Stat(p.input)
	if err != nil || input.Size() != r.InputBytes {
		return r, false
	}
	output, err := os.Stat(p.output)
	return r, err == nil && output.Size() == r.Output
}

// holds tells whether input and output hold what they held when the part was recorded.
func (r partRecord) holds(out string) bool {
	input, err := output.FileFacts(r.Input)
	return err == nil && input.SHA256 == r.InputSHA256 && r.differs(out) == ""
}

// differs says in what the file of a part is not as it was written, "" where it is.
func (r partRecord) differs(out string) string {
	facts, err := output.FileFacts(r.path(out))
	switch {
	case err != nil:
		return "cannot be read: " + atomicfile.Cause(err).Error()
	case facts.Bytes == nil:
		return "is missing"
	case *facts.Bytes != r.Output:
		return fmt.Sprintf("has %d bytes instead of %d", *facts.Bytes, r.Output)
	case !strings.EqualFold(facts.SHA256, r.SHA256):
		return "has changed: its hash is different"
	}
	return ""
}

// path is the file of a part in its folder.
func (r partRecord) path(out string) string {
	return filepath.Join(out, filepath.FromSlash(r.Name))
}

// record says that a part is done; input is what it held before it was read.
func (p part) record(ctx context.Context, out string, input output.FileResult, rows int64) (
	partRecord, error,
) {
	output, err := output.FileFacts(p.output)
	if err != nil {
		return partRecord{}, fault.Writing(err)
	}
	r := partRecord{Name: p.name, Input: p.input, InputSHA256: input.SHA256, Rows: rows,
		Output: *output.Bytes, SHA256: output.SHA256}
	if input.Bytes != nil { // a pipe has neither size nor hash, and is never done
		r.InputBytes = *input.Bytes
	}
	return r, p.keep(ctx, out, r)
}

// keep writes the record of a part.
func (p part) keep(ctx context.Context, out string, r partRecord) error {
	path := recordPath(out, p)
	if err := makeFolder(filepath.Dir(path)); err != nil {
		return err
	}
	return output.WriteJSON(ctx, path, r)
}

// allDone lists the records of the parts that are done. It reads the bytes of a part only where all
// may be done, as after the last shard, and where own, the records of this process, do not have the
// part.
func allDone(out string, parts []part, own []partRecord) (records []partRecord) {
	for _, p := range parts {
		if r, ok := p.kept(out); ok {
			records = append(records, r)
		}
	}
	if len(records) < len(parts) {
		return records
	}
	known := map[partRecord]bool{}
	for _, r := range own {
		known[r] = true
	}
	return slices.DeleteFunc(records, func(r partRecord) bool { return !known[r] && !r.holds(out) })
}

// leftOut lists the records of the parts that were refused, by whichever process.
func leftOut(out string, parts []part) (records []partRecord) {
	for _, p := range parts {
		if r, ok := p.recorded(out); ok && r.Failure != nil {
			records = append(records, r)
		}
	}
	return records
}

// unlist removes lists of all parts, before one of them is made anew or another list is written.
func unlist(out string, lists ...string) error {
	for _, name := range lists {
		path := filepath.Join(out, name)
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fault.Writing(fmt.Errorf("%s: cannot be removed: %w", path, atomicfile.Cause(err)))
		}
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

// makeFolder makes a folder for outputs, and those above it.
func makeFolder(path string) error {
	if err := os.MkdirAll(path, 0o777); err != nil {
		return fault.Writing(fmt.Errorf("%s: cannot be created: %w", path, atomicfile.Cause(err)))
	}
	return nil
}
