package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// TestExamplesKnowStatuses compares what is never tried again in the example of a Kubernetes job with
// the table of docs/command-line.md and with the statuses themselves.
func TestExamplesKnowStatuses(t *testing.T) {
	never := strings.Trim(fmt.Sprint([]int{exitUsage, exitInput, exitModel, exitParts, exitCheck, exitLimit}), "[]")
	never = strings.ReplaceAll(never, " ", ", ")
	for path, form := range map[string]string{
		"docs/command-line.md":         `(?m)^\| ([\d, ]+) \| no: `,
		"examples/kubernetes/job.yaml": `values: \[([\d, ]+)\]`,
	} {
		found := regexp.MustCompile(form).FindStringSubmatch(repository(t, path))
		if found == nil || found[1] != never {
			t.Errorf("%s: %q, the statuses are %s", path, found, never)
		}
	}
	if !strings.Contains(repository(t, "examples/slurm/predict.sbatch"),
		fmt.Sprintf("[[ $status -eq %d || $status -eq 137 ]]", exitFailed)) {
		t.Error("the Slurm example tries another status again")
	}
}
