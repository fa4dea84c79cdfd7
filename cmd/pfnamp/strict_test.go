package main

import (
	"os"
	"strings"
	"testing"
)

// noting are the files that write notes of their own, and why --strict does not refuse these. Notes
// on cells, rows and columns of TRAIN and TEST come from packages tabular and warning, whose tests
// of Strict list them.
var noting = map[string]string{
	"notes.go":              "the notes of TRAIN that Strict has let through",
	"counters.go":           "the notes of TEST that Strict has let through",
	"notes_answers.go":      "about answers",
	"query_table.go":        "columns of TEST that TRAIN lacks change no answer; names match exactly",
	"check_job.go":          "check reports on a batch: it refuses what Strict refuses of cells",
	"next_job.go":           "as of TEST; and about answers where the model extrapolates",
	"context_job.go":        "about what the model learns",
	"ask_job.go":            "about flags, and about the question",
	"subjects.go":           "about intervals of averages, which --group settles",
	"class_words.go":        "about labels of TEST, which are scored and not learned",
	"forecast_job.go":       "forecast has its own table, whose steps it reports",
	"forecast_words.go":     "likewise",
	"predict_job.go":        "about a picture",
	"joint_bands.go":        "about draws",
	"joint_averages.go":     "about averages",
	"whatif.go":             "about the changes that a person asks for",
	"explain_effects.go":    "about effects",
	"explain_importance.go": "about importance",
	"explain_treatment.go":  "about groups of a treatment",
	"evaluate_job.go":       "about another evaluation",
	"evaluate_open.go":      "about the rows that are drawn",
	"parts_job.go":          "about files of a folder",
}

// Every file that writes notes says why --strict lets them be.
func TestStrictKnowsNotes(t *testing.T) {
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		text, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		if writes := strings.Contains(string(text), ".warnf("); writes != (noting[f.Name()] != "") {
			t.Errorf("%s writes notes: %v; reason %q", f.Name(), writes, noting[f.Name()])
		} else if writes {
			found++
		}
	}
	if found != len(noting) {
		t.Errorf("%d files of %d", found, len(noting))
	}
}
