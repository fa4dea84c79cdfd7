package predict

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/words"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/internal/atomicfile"
	"github.com/pfnamp/pfnamp/tabular"
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
	if r.Failure != nil || r.InputSHA256 == "" {
		return false
	}
	if whole {
		input, err := output.FileFacts(r.Input)
		return err == nil && input.SHA256 == r.InputSHA256 && r.differs(out) == ""
	}
	input, err := os.Stat(r.Input)
	output, missing := os.Stat(r.path(out))
	return err == nil && missing == nil && input.Size() == r.InputBytes && output.Size() == r.Output
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

func (p part) keep(ctx context.Context, out string, r partRecord) error {
	path := recordPath(out, p)
	if err := makeFolder(filepath.Dir(path)); err != nil {
		return err
	}
	return output.WriteJSON(ctx, path, r)
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

func makeFolder(path string) error {
	if err := os.MkdirAll(path, 0o777); err != nil {
		return fault.Writing(fmt.Errorf("%s: cannot be created: %w", path, atomicfile.Cause(err)))
	}
	return nil
}

// PartsCommand is `pfnamp parts`.
func PartsCommand() *cli.Command {
	return &cli.Command{
		Name:  "parts",
		Usage: "check the outputs of a job over many tables",
		Subcommands: []*cli.Command{{
			Name: "verify", Usage: "find outputs that were changed or removed since they were written",
			ArgsUsage: "FOLDER",
			Description: `Compares every part that _SUCCESS lists with its recorded size and hash. Exit status 6:
a part differs or is missing, or _SUCCESS is missing because the job is not complete. To make
such parts again, run the job's command again. If a job with --keep-going has skipped tables,
it lists its parts in _PARTIAL: exit status 5 means that they are unchanged.`,
			Action: verifyParts,
		}},
	}
}

// checkedParts is what is printed of a folder.
type checkedParts struct {
	Folder string        `json:"folder"`
	Parts  int           `json:"parts"` // without those that were left out
	Differ []wrongPart   `json:"differ"`
	Failed []fault.Error `json:"failed,omitempty"` // of tables that were left out
}

// wrongPart is a part that is not as it was written.
type wrongPart struct {
	File string `json:"file"`
	Why  string `json:"why"`
}

func verifyParts(c *cli.Context) error {
	folder := c.Args().First()
	records, err := listedParts(folder)
	if err != nil {
		return err
	}
	found := checkedParts{Folder: folder, Differ: []wrongPart{}}
	for _, r := range records {
		if r.Failure != nil {
			found.Failed = append(found.Failed, *r.Failure)
			continue
		}
		found.Parts++
		if why := r.differs(folder); why != "" {
			found.Differ = append(found.Differ, wrongPart{r.path(folder), why})
		}
	}
	if err := found.write(c.Bool("json"), stdio.Of(c)); err != nil {
		return err
	}
	if len(found.Differ) > 0 {
		return fault.New(fault.Check, fmt.Sprintf("%s: %d of %s have changed or are missing", folder,
			len(found.Differ), words.Count(found.Parts, "part")), "")
	}
	return partsLeft(len(found.Failed), len(records), folder)
}

func (c checkedParts) write(asJSON bool, std stdio.Streams) error {
	if asJSON {
		return fault.Writing(stdio.JSON(std.Out, c))
	}
	var lines []string
	for _, part := range c.Differ {
		lines = append(lines, part.File+": "+part.Why)
	}
	for _, why := range c.Failed {
		lines = append(lines, "skipped: "+why.Msg)
	}
	lines = append(lines, fmt.Sprintf("%d of %s are unchanged", c.Parts-len(c.Differ),
		words.Count(c.Parts, "part")))
	return fault.Writing(std.Lines(lines...))
}

func listedParts(folder string) (records []partRecord, err error) {
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return nil, &tabular.Error{File: folder, Msg: "the folder does not exist"}
	}
	path := filepath.Join(folder, successFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		partial := filepath.Join(folder, partialFile)
		if text, err = os.ReadFile(partial); err == nil {
			path = partial
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fault.New(fault.Check, path+" is missing: the job is not complete", "")
	case err != nil:
		return nil, &tabular.Error{File: path, Err: atomicfile.Cause(err)}
	case json.Unmarshal(text, &records) != nil:
		return nil, fault.New(fault.Check, path+" is damaged: run the job's command again", "")
	}
	for _, r := range records {
		if !filepath.IsLocal(filepath.FromSlash(r.Name)) {
			return nil, fault.New(fault.Check, fmt.Sprintf("%s lists a file outside of the folder: %s", path,
				strconv.Quote(r.Name)), "")
		}
	}
	return records, nil
}

// partsLeft reports tables that were left out, if there are any.
func partsLeft(failed, all int, out string) error {
	if failed == 0 {
		return nil
	}
	return fault.New(fault.Parts,
		fmt.Sprintf("%d of %s failed; the others are in %s", failed, words.Count(all, "part"), out),
		"repair or remove the tables of the failed parts, and run the same command again: it does "+
			"the rest")
}
