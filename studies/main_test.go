package main

import (
	"bytes"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
)

// printed runs a command line and returns what it prints.
func printed(t *testing.T, line string) string {
	t.Helper()
	log.SetOutput(io.Discard)
	var out bytes.Buffer
	if err := run(t.Context(), strings.Fields(line), &out); err != nil {
		t.Fatalf("studies %s: %v", line, err)
	}
	return out.String()
}

// The figures of the studies with the exact model: the same seed gives the same data sets, chains
// and intervals.
func TestFiguresOfTheExactModel(t *testing.T) {
	for line, rows := range map[string][]string{
		"effect": {"| n=50 | 0.94 / 1.66 | 0.97 / 2.51 | 0.93 / 1.68 |"},
		"simulation": {"| d=20 J=10 n=50 | 0.80 / 7.82 |",
			"| d=20 J=20 n=800 | 1.00 / 2.86 | 1.00 / 4.71 |"},
		"steps":    {"| d=10 J=5 n=50 | 1.00 / 6.44 | 1.00 / 6.77 | 0.85 / 5.97 | 0.90 / 5.24 |"},
		"ablation": {"| d=20 J=10 n=50 | 0.95 / 9.32 | 0.75 / 7.45 | 1.00 / 11.64 | 0.60 / 5.37 |"},
	} {
		text := printed(t, "-ideal -chains 40 -steps 10 -sets 1 -points 20 "+line)
		must.Hold(t, line, text, rows...)
	}
}

// A folder has tables, results and figures; a lost part is computed again and gives the same bytes.
func TestFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "effect")
	line := "-ideal -chains 40 -steps 10 -o " + folder + " effect"
	text := printed(t, line)
	read := func(name string) string {
		content, err := os.ReadFile(filepath.Join(folder, name))
		must.Succeed(t, err)
		return string(content)
	}
	if read("tables.md") != text || !strings.HasPrefix(read("effect.png"), "\x89PNG") {
		t.Error("the folder lacks the tables or the figure")
	}
	results := read("results.json")
	must.Succeed(t, os.Remove(filepath.Join(folder, "cells", "n50.json")))
	if printed(t, line); read("results.json") != results {
		t.Error("another run has other results")
	}
	err := run(t.Context(), strings.Fields("-seed 2 "+line), new(bytes.Buffer))
	must.Fail(t, "another seed in the same folder", err, `seed is "1" there and "2" now`)
}

// Networks are measured by the studies of their task, and tables of a folder under their names.
func TestNetworks(t *testing.T) {
	t.Setenv("PFNAMP_ORT_LIB", orttest.Library(t))
	folder := t.TempDir()
	table := "a,b,y\n1,10,1.1\n2,9,1.9\n3,8,3.2\n4,7,3.9\n5,6,5.1\n6,5,6.2\n7,4,6.8\n8,3,8.3\n" +
		"9,2,9.1\n10,1,9.8\n11,3,11.2\n12,7,11.9\n"
	for _, name := range []string{"fish.csv", "fish.2024.csv", ".hidden.csv"} {
		must.Succeed(t, os.WriteFile(filepath.Join(folder, name), []byte(table), 0o666))
	}
	surface, classes := "-model ../testdata/tiny-surface", "-model ../testdata/tiny-classes"
	text := printed(t, surface+" -splits 1 -train-share 0.5 -bootstrap 2 -chains 40 benchmark "+folder)
	must.Hold(t, "benchmark", text, "| method | metric | fish.2024 | fish |\n",
		"| bootstrap | width | 0.0846 | 0.656 |")
	for line, want := range map[string]string{
		surface + " -points 2 -chains 10 -steps 3 calibration": "| event | limit | ",
		classes + " -points 2 -chains 10 -steps 3 classes":     "| p of 2 classes | paper | 1.000 | ",
		surface + " -chains 40 -steps 10 effect":               "| optimal | paper | limit | direct |",
	} {
		must.Hold(t, line, printed(t, line), want)
	}
	err := run(t.Context(), strings.Fields(classes+" calibration"), new(bytes.Buffer))
	must.Fail(t, "a classifier for numbers", err, "needs a model for regression")
}

func TestWrongCommandLines(t *testing.T) {
	for line, want := range map[string]string{
		"figure9":           `there is no study "figure9"`,
		"":                  "there is no study",
		"benchmark":         "only the study benchmark needs a folder",
		"-ideal effect x":   "only the study benchmark needs a folder",
		"benchmark nowhere": "nowhere is not a folder with CSV files",
		"-ideal classes":    "needs a network",
	} {
		err := run(t.Context(), strings.Fields(line), new(bytes.Buffer))
		must.Fail(t, line, err, want)
	}
}
