package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
)

// TestExamplesKnowStatuses compares the help text, and what is never tried again in the example of
// a Kubernetes job, with the table of docs/reference/exit-statuses.md and with the statuses.
func TestExamplesKnowStatuses(t *testing.T) {
	page := repository(t, "docs/reference/exit-statuses.md")
	var never []string
	for status := fault.ExitOK; status <= fault.ExitLimit; status++ {
		if status >= fault.ExitUsage {
			never = append(never, strconv.Itoa(status))
		}
	}
	for _, status := range []int{fault.ExitOK, fault.ExitFailed, fault.ExitInterrupted,
		fault.ExitTerminated} {
		number := strconv.Itoa(status)
		if !strings.Contains(fault.ExitHelp, number) || !strings.Contains(page, number) {
			t.Errorf("exit status %s is missing in the help or on its page", number)
		}
	}
	for path, form := range map[string]string{
		"docs/reference/exit-statuses.md": `(?m)^\| ([\d, ]+) \| no: `,
		"examples/kubernetes/job.yaml":    `values: \[([\d, ]+)\]`,
	} {
		found := regexp.MustCompile(form).FindStringSubmatch(repository(t, path))
		if found == nil || found[1] != strings.Join(never, ", ") {
			t.Errorf("%s: %q, the statuses are %s", path, found, never)
		}
	}
	if !strings.Contains(repository(t, "examples/slurm/predict.sbatch"),
		fmt.Sprintf("[[ $status -eq %d || $status -eq 137 ]]", fault.ExitFailed)) {
		t.Error("the Slurm example tries another status again")
	}
}

// TestExamplesAreCommands: what the examples of deployments start is a command line of `pfnamp
// serve`, with flags that it has and that belong together.
func TestExamplesAreCommands(t *testing.T) {
	for path, form := range map[string]string{
		"examples/docker/Dockerfile":      `(?m)^CMD \[(.*)\]$`,
		"examples/systemd/pfnamp.service": `(?ms)^ExecStart=/usr/local/bin/pfnamp (.*?[^\\])$`,
		"examples/kubernetes/serve.yaml":  `(?s)\n          args:\n(.*?)\n          ports:`,
	} {
		found := regexp.MustCompile(form).FindStringSubmatch(repository(t, path))
		if found == nil {
			t.Errorf("%s starts nothing", path)
			continue
		}
		var args []string
		for _, word := range strings.Fields(strings.NewReplacer("\\", "", `"`, "", ",",
			"").Replace(found[1])) {
			if word != "-" {
				args = append(args, word)
			}
		}
		status, _, message := runCommand(t, strings.Join(args, " "))
		// All is right with the line but that the files are not here, or the port is taken.
		wrong := !strings.Contains(message, "no such file") && !strings.Contains(message, "in use")
		if status == fault.ExitOK || wrong {
			t.Errorf("%s: %q: status %d, %s", path, args, status, message)
		}
	}
	checks := regexp.MustCompile(`(?m)^\s+CMD \["/usr/local/bin/pfnamp", "serve", "(--\w+)"`).
		FindStringSubmatch(repository(t, "examples/docker/Dockerfile"))
	if checks == nil || checks[1] != "--probe" {
		t.Errorf("the health check is %q", checks)
	}
}
