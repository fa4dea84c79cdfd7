package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// asksTask finds code that asks whether a target holds numbers or labels.
var asksTask = regexp.MustCompile(
	`\b(?:Labels|labels|Classes|Best) [!=]= nil|\b[cC]lassifier\(\)|[!=]= models\.\w+Task\b|` +
		`\bcase models\.\w+Task\b|\b[cC]lasses(?:\(\))? (?:> |[!=]= )0`)

// taskPlaces is how often each file asks. What differs between numbers and labels belongs to the
// types that implement Task in the root package, and wording in this one, which ask in one place
// each. Below them a schema, a manifest and a network know their own.
var taskPlaces = map[string]int{
	"task.go":     1, // where a Task is chosen
	"unread.go":   1,
	"training.go": 1, "reading/reading.go": 2, "reading/saved.go": 1,
	"heldout/reader.go": 1, "heldout/conformal.go": 1,

	"cmd/pfnamp/evaluate_folds.go": 1, "cmd/pfnamp/evaluate_job.go": 5,
	"cmd/pfnamp/evaluate_network.go": 1,
	"cmd/pfnamp/evaluate_open.go":    1, "cmd/pfnamp/evaluate_output.go": 2,
	"cmd/pfnamp/evaluate_report.go": 1, "cmd/pfnamp/notes.go": 1,
	"evaluate/fold.go": 4, "evaluate/split.go": 1, "evaluate/table.go": 2,
	"report/class_figure.go": 1, "report/figure.go": 2, "report/answers.go": 3,
	"report/predictions.go": 3, "report/totals.go": 1, "report/verdict.go": 1,

	"internal/donors/regression.go": 1,
	"models/classes.go":             3, "models/hierarchy.go": 2, "models/recipe.go": 2,
	"models/tabpfn.go": 2,
	"pfn/classes.go":   3, "pfn/result.go": 1, "pfn/state.go": 2, "pfn/state_read.go": 3,
	"pfn/tabicl.go": 2, "pfn/tabpfn.go": 3, "pfn/training.go": 1,
	"tabular/encode.go": 1, "tabular/observed.go": 2, "tabular/schema_json.go": 1,
}

// TestArchitectureAsksTaskInItsPlaces fails where another place asks which task a target has.
func TestArchitectureAsksTaskInItsPlaces(t *testing.T) {
	found := map[string]int{}
	for file := range sources(t) {
		// these packages get the number of classes as an argument
		if strings.HasPrefix(filepath.ToSlash(file), "pfn/internal/") {
			continue
		}
		code, err := os.ReadFile(filepath.Join("..", "..", file))
		if err != nil {
			t.Fatal(err)
		}
		found[filepath.ToSlash(file)] = len(asksTask.FindAll(code, -1))
	}
	for file, n := range found {
		if want := taskPlaces[file]; n > want {
			t.Errorf("%s asks %d times whether a target holds numbers or labels, %d are known: make it a "+
				"method of Task (task.go) or of wording (cmd/pfnamp/wording.go)", file, n, want)
		} else if n < want {
			t.Errorf("%s asks %d times, %d are listed in taskPlaces: lower the number", file, n, want)
		}
	}
	for file := range taskPlaces {
		if _, there := found[file]; !there {
			t.Errorf("taskPlaces lists %s, which is not there", file)
		}
	}
}
