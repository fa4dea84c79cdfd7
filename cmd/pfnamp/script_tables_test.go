package main

import (
	"encoding/csv"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// column reads one column of a CSV file.
func column(ts *testscript.TestScript, file, name string) []string {
	records, err := csv.NewReader(strings.NewReader(ts.ReadFile(file))).ReadAll()
	ts.Check(err)
	at := slices.Index(records[0], name)
	if at < 0 {
		ts.Fatalf("%s has no column %s", file, name)
	}
	var cells []string
	for _, row := range records[1:] {
		cells = append(cells, row[at])
	}
	return cells
}

// cmdColumns demands that columns of two CSV files are the same, or with ! that each differs. One
// may have another name in the second file:
//
//	columns a.csv b.csv mean,pi_lo:ppd_q0.05
func cmdColumns(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: columns FILE FILE NAMES")
	}
	for names := range strings.SplitSeq(args[2], ",") {
		name, other, found := strings.Cut(names, ":")
		if !found {
			other = name
		}
		a, b := column(ts, args[0], name), column(ts, args[1], other)
		if slices.Equal(a, b) == neg {
			ts.Fatalf("column %s: %v in %s, %v in %s", names, a, args[0], b, args[1])
		}
	}
}

// cmdNarrower demands that the intervals of a functional are narrower in the first CSV file than
// in the second, in every row:
//
//	narrower a.csv b.csv q0.5
func cmdNarrower(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: narrower FILE FILE FUNCTIONAL")
	}
	a, b := widths(ts, args[0], args[2]), widths(ts, args[1], args[2])
	for i := range a {
		if !(a[i] < b[i]) {
			ts.Fatalf("row %d: %g in %s is not less than %g in %s", i+1, a[i], args[0], b[i], args[1])
		}
	}
}

// widths lists the widths of the credible intervals of a functional.
func widths(ts *testscript.TestScript, file, functional string) []float64 {
	lo, hi := column(ts, file, functional+"_lo"), column(ts, file, functional+"_hi")
	w := make([]float64, len(lo))
	for i := range w {
		low, err := strconv.ParseFloat(lo[i], 64)
		ts.Check(err)
		high, err := strconv.ParseFloat(hi[i], 64)
		ts.Check(err)
		w[i] = high - low
	}
	return w
}

// cmdProbabilities demands that the probabilities of a CSV file sum to 1 in every row and that
// their limits are in [0, 1]. Exactly one of the events happens:
//
//	probabilities out.csv p<=1 p>1
func cmdProbabilities(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: probabilities FILE EVENT...")
	}
	var sums []float64
	for _, event := range args[1:] {
		for _, suffix := range []string{"", "_lo", "_hi"} {
			for i, cell := range column(ts, args[0], event+suffix) {
				p, err := strconv.ParseFloat(cell, 64)
				ts.Check(err)
				if p < 0 || p > 1 {
					ts.Fatalf("row %d: %s%s is %g", i+1, event, suffix, p)
				}
				if len(sums) <= i {
					sums = append(sums, 0)
				}
				if suffix == "" {
					sums[i] += p
				}
			}
		}
	}
	for i, sum := range sums {
		if math.Abs(sum-1) > 1e-9 {
			ts.Fatalf("row %d: the probabilities of %v have the sum %g", i+1, args[1:], sum)
		}
	}
}

// cmdReplace replaces a text in a file, which must have it:
//
//	replace FILE OLD NEW
func cmdReplace(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: replace FILE OLD NEW")
	}
	before := ts.ReadFile(args[0])
	if !strings.Contains(before, args[1]) {
		ts.Fatalf("%s does not contain %q", args[0], args[1])
	}
	after := strings.Replace(before, args[1], args[2], 1)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(after), 0o600))
}

// cmdUntimed demands that two CSV files are the same but for their rows of measured times:
//
//	untimed a/results.csv b/results.csv
func cmdUntimed(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: untimed FILE FILE")
	}
	var tables [2][]string
	for i, file := range args {
		tables[i] = slices.DeleteFunc(strings.Split(ts.ReadFile(file), "\n"),
			func(line string) bool { return strings.Contains(line, ",time_s,") })
	}
	if !slices.Equal(tables[0], tables[1]) || len(tables[0]) < 10 {
		ts.Fatalf("%s and %s differ:\n%q\n%q", args[0], args[1], tables[0], tables[1])
	}
}
