package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/internal/orttest"
)

// TestMemoryFlag predicts, fits and evaluates with less memory than an estimate asks for: exit
// status 7 with what fits, which then does.
func TestMemoryFlag(t *testing.T) {
	t.Setenv("PFNAMP_ORT_LIB", orttest.Library(t))
	dir := t.TempDir()
	train, state := filepath.Join(dir, "train.csv"), filepath.Join(dir, "train.state")
	if err := os.WriteFile(train, []byte(wideTable(600, 9)), 0o600); err != nil {
		t.Fatal(err)
	}
	tail := " -y y --threads 2 --chains 50 --memory "
	for command, hint := range map[string]string{
		"predict " + train + " " + train + tail:                                        "--subsample ",
		"fit " + train + " -o " + state + strings.Replace(tail, "--chains 50 ", "", 1): "--subsample ",
		"evaluate " + train + " --splits 1 --bootstrap 0" + tail:                       "--rows ",
	} {
		tight := "135M"
		if strings.HasPrefix(command, "evaluate") { // which takes more by itself
			tight = "200M"
		}
		for limit, want := range map[string]string{tight: hint, "50M": "raise the limit"} {
			status, _, message := runCommand(t, command+limit)
			if status != fault.ExitLimit || !strings.Contains(message, "hint: ") ||
				!strings.Contains(message, want) || !strings.Contains(message, "MiB of memory") {
				t.Errorf("%s%s: exit status %d\n%s", command, limit, status, message)
			}
		}
	}
	fits := "130M --subsample 60 --batch 100"
	status, _, message := runCommand(t, "predict "+train+" "+train+tail+fits)
	if status != fault.ExitOK {
		t.Errorf("a part of it: exit status %d\n%s", status, message)
	}
	status, _, message = runCommand(t, "predict "+train+" "+train+tail+"much")
	if status != fault.ExitUsage || !strings.Contains(message, "not a size") {
		t.Errorf("exit status %d\n%s", status, message)
	}
}
