package main

import (
	"encoding/csv"
	"errors"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/pfnamp/pfnamp/internal/orttest"
)

// cmdStatus runs a program and demands its exit status:
//
//	status 3 pfnamp predict empty.csv test.csv --target y
func cmdStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status CODE COMMAND ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
	if strings.Contains(ts.ReadFile("stderr"), "goroutine ") {
		ts.Fatalf("a panic reached the user")
	}
}

// cmdHostile writes bundles of orttest.Hostile to folders of their names:
//
//	hostile endless turned
func cmdHostile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: hostile KIND...")
	}
	for _, kind := range args {
		ts.Check(orttest.Hostile(kind, ts.MkAbs(kind)))
	}
}

// cmdTable checks a CSV output: its header, its number of rows, that every
// number is finite and that every name_lo is at most its name_hi:
//
//	table out.csv 3 mean,mean_lo,mean_hi,pi_lo,pi_hi
func cmdTable(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: table FILE ROWS HEADER")
	}
	records, err := csv.NewReader(strings.NewReader(ts.ReadFile(args[0]))).ReadAll()
	ts.Check(err)
	if len(records) == 0 {
		ts.Fatalf("%s is empty", args[0])
	}
	header, rows := records[0], records[1:]
	got := strings.Join(header, ";")
	if got != strings.ReplaceAll(args[2], ",", ";") && got != args[2] {
		ts.Fatalf("header %s, want %s", got, args[2])
	}
	if strconv.Itoa(len(rows)) != args[1] {
		ts.Fatalf("%d rows, want %s", len(rows), args[1])
	}
	for i, row := range rows {
		checkLimits(ts, header, row, i+1)
	}
}

func checkLimits(ts *testscript.TestScript, header, row []string, at int) {
	number := func(column int) float64 {
		x, err := strconv.ParseFloat(row[column], 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			ts.Fatalf("row %d: %s is %q, not a finite number", at, header[column], row[column])
		}
		return x
	}
	for i, name := range header {
		base, ok := strings.CutSuffix(name, "_lo")
		if !ok {
			continue
		}
		hi := slices.Index(header, base+"_hi")
		if lo, hi := number(i), number(hi); lo > hi {
			ts.Fatalf("row %d: %s %g is above %s_hi %g", at, name, lo, base, hi)
		}
	}
}

// cmdCut copies the first bytes of a file, all but so many if the number is negative:
//
//	cut FILE COPY BYTES
func cmdCut(ts *testscript.TestScript, neg bool, args []string) {
	data, n := fileAndPlace(ts, neg, args)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), data[:n], 0o600))
}

// cmdFlip copies a file with one bit changed, counted from the end if the number is negative:
//
//	flip FILE COPY BYTE
func cmdFlip(ts *testscript.TestScript, neg bool, args []string) {
	data, n := fileAndPlace(ts, neg, args)
	data[n] ^= 4
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), data, 0o600))
}

// fileAndPlace reads the file and the number that cut and flip are given.
func fileAndPlace(ts *testscript.TestScript, neg bool, args []string) ([]byte, int) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: cut or flip FILE COPY BYTE")
	}
	n, err := strconv.Atoi(args[2])
	ts.Check(err)
	data := []byte(ts.ReadFile(args[0]))
	if n < 0 {
		n += len(data)
	}
	if n < 0 || n >= len(data) {
		ts.Fatalf("%s has only %d bytes", args[0], len(data))
	}
	return data, n
}
