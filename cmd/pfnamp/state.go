package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// stateNote is what the program adds to a saved state: all that predict knows
// of a training table, and the flags that metadata repeats.
type stateNote struct {
	Program     string          `json:"pfnamp"` // version that saved it
	Schema      *tabular.Schema `json:"schema"`
	Members     int             `json:"members"` // as asked for
	Ignore      []string        `json:"ignore"`
	Categorical []string        `json:"categorical"`
	Numeric     []string        `json:"numeric"`
	Scales      []featureScale  `json:"scales,omitempty"`    // of the features, to couple rows
	Subsample   int             `json:"subsample,omitempty"` // most rows of the context, 0 = all
	Seed        uint64          `json:"seed,omitempty"`      // that drew them
}

// savedState is a state file that has been opened.
type savedState struct {
	*pfn.State
	file *os.File
	note stateNote
}

// isState tells whether a path is a regular file that begins as a saved state
// does. No table begins so.
func isState(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	magic := make([]byte, len(pfn.StateMagic))
	_, err = io.ReadFull(file, magic)
	return err == nil && string(magic) == pfn.StateMagic
}

// openState reads the beginning of a state file. The caller closes the file.
func openState(path string) (*savedState, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	s := &savedState{file: file}
	if s.State, err = pfn.ReadState(file); err == nil {
		err = s.readNote()
	}
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// readNote reads what the program has added, which must fit the rest.
func (s *savedState) readNote() error {
	decoder := json.NewDecoder(bytes.NewReader(s.Note))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(&s.note)
	switch {
	case err == nil && s.note.Schema == nil:
		err = errors.New("it has no schema")
	case err == nil && (len(s.note.Schema.Columns) != s.Columns || s.note.Members < 0):
		err = errors.New("its schema is that of another table")
	}
	if err != nil {
		return &pfn.StateError{Msg: "not a state that `pfnamp fit` has saved", Err: err}
	}
	return nil
}

// adopt makes the schema of a state the one of a job that keeps columns of
// the query table and may name the target again.
func (s *savedState) adopt(opt tabular.SchemaOptions) (*tabular.Schema, error) {
	schema := s.note.Schema
	if opt.Target != "" && opt.Target != schema.TargetName {
		return nil, &usageError{
			msg:  fmt.Sprintf("--target %s: the state predicts %q", opt.Target, schema.TargetName),
			hint: "drop --target, or fit again",
		}
	}
	for _, name := range opt.Keep {
		if slices.Contains(schema.FeatureNames(), name) {
			return nil, &usageError{
				msg:  fmt.Sprintf("--keep %s: the state uses that column as a feature", name),
				hint: "fit again with --keep " + name,
			}
		}
	}
	schema.Ignored = append(schema.Ignored, schema.Kept...)
	schema.Kept = opt.Keep
	return schema, nil
}
