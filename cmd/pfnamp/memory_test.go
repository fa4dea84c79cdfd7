package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/internal/orttest"
)

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int64{
		"none": 0, "1048576": 1 << 20, "512M": 512 << 20, "512MB": 512 << 20, "512MiB": 512 << 20,
		"1.5g": 3 << 29, "2T": 2 << 40, "8k": 8 << 10, "100B": 100,
		"": -1, "0": -1, "-1": -1, "1x": -1, "M": -1, "1MM": -1, "NaN": -1, "Inf": -1, "9e99": -1,
		"1 G": -1, "0.1": -1, "i": -1, "1Bi": -1,
	} {
		got, err := parseSize(text)
		if (err != nil) != (want < 0) || err == nil && got != want {
			t.Errorf("%q: %d, %v; want %d", text, got, err, want)
		}
	}
}

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
