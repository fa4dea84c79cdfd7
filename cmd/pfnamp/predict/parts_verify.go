package predict

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/flags"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/words"
	"github.com/pfnamp/pfnamp/internal/atomicfile"
	"github.com/pfnamp/pfnamp/tabular"
)

// PartsCommand is `pfnamp parts`.
func PartsCommand(std stdio.Streams) *cli.Command {
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
			Action: func(c *cli.Context) error {
				if err := flags.Exactly(c, 1,
					"one argument, the FOLDER of pfnamp predict -o FOLDER"); err != nil {
					return err
				}
				return verifyParts(c.Args().First(), c.Bool("json"), std)
			},
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

// verifyParts compares the parts of a folder with its list of them.
func verifyParts(folder string, asJSON bool, std stdio.Streams) error {
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
	if err := found.write(asJSON, std); err != nil {
		return err
	}
	switch {
	case len(found.Differ) > 0:
		return fault.New(fault.Check, fmt.Sprintf("%s: %d of %s have changed or are missing", folder,
			len(found.Differ), words.Count(found.Parts, "part")), "")
	case len(found.Failed) > 0:
		return partsLeft(len(found.Failed), len(records), folder)
	}
	return nil
}

// write prints what was found.
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

// listedParts reads the list of all parts.
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

// partsLeft reports that tables were left out.
func partsLeft(failed, all int, out string) error {
	return fault.New(fault.Parts,
		fmt.Sprintf("%d of %s failed; the others are in %s", failed, words.Count(all, "part"), out),
		"repair or remove the tables of the failed parts, and run the same command again: it does "+
			"the rest")
}
