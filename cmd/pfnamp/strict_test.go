package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// noting are the files that write notes of their own, and why --strict does not refuse these. Notes
// on cells, rows and columns of TRAIN and TEST come from packages tabular and warning, whose tests
// of Strict list them.
var noting = map[string]string{
	"check/job.go":              "check reports on a batch: it refuses what Strict refuses of cells",
	"evaluate/job.go":           "about another evaluation",
	"evaluate/open.go":          "about the rows that are drawn",
	"explain/effects.go":        "about effects",
	"explain/importance.go":     "about importance",
	"explain/treatment.go":      "about groups of a treatment",
	"forecast/job.go":           "forecast has its own table, whose steps it reports",
	"forecast/words.go":         "likewise",
	"internal/run/ask.go":       "about flags, and about the question",
	"internal/run/job.go":       "about what the model learns",
	"internal/run/notes.go":     "the notes of TRAIN that Strict has let through",
	"internal/run/subjects.go":  "about intervals of averages, which --group settles",
	"next/job.go":               "as of TEST; and about answers where the model extrapolates",
	"predict/joint.go":          "about draws",
	"predict/joint_averages.go": "about averages",
	"predict/notes.go":          "the notes of TEST that Strict has let through; about answers",
	"predict/parts_job.go":      "about files of a folder",
	"predict/predict.go":        "about a picture",
	"predict/query_table.go": "columns of TEST that TRAIN lacks change no answer; names match " +
		"exactly",
	"predict/scores.go": "about labels of TEST, which are scored and not learned",
	"predict/whatif.go": "about the changes that a person asks for",
}

// Every file that writes notes says why --strict lets them be.
func TestStrictKnowsNotes(t *testing.T) {
	found := 0
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		name := filepath.ToSlash(path)
		if writes := strings.Contains(string(text), ".Warnf("); writes != (noting[name] != "") {
			t.Errorf("%s writes notes: %v; reason %q", name, writes, noting[name])
		} else if writes {
			found++
		}
		return err
	})
	if err != nil || found != len(noting) {
		t.Errorf("%d files of %d, error %v", found, len(noting), err)
	}
}
