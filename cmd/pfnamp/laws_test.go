package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
)

// A law is a command whose answer depends on what its tables hold, and not on how they are written.
// Words in braces are columns, categories, classes and groups. The output that is compared is a
// file, - for the standard output, or "" for none.
var laws = []struct{ output, line string }{
	{"-", "predict {TRAIN} {TEST} NUMBERS -f mean,q0.9,p>1 --ppd sd,q0.2 --samples 2 " +
		"--set {Town}={Ulm}"},
	{"s.csv", "predict {TRAIN} {TEST} NUMBERS --group-by {Town} -o o.csv " +
		"--summary s.csv --contrast '{Ulm} - {Kiel}' --contrast 'row 1 - row 2'"},
	{"s.csv", "predict {TRAIN} {TEST} NUMBERS --group {Person} -o o.csv " +
		"--summary s.csv --group-by {Arm} --contrast '{Sham} - {Drug}'"},
	{"-", "predict {TRAIN} {TEST} NUMBERS --posterior paper --chains 20 --steps 5"},
	{"-", "predict {TRAIN} {TEST} CLASSES --samples 3"},
	{"-", "predict {TRAIN} {TEST} CLASSES --posterior limit --chains 20 --steps 5"},
	{"-", "predict {TRAIN} {TEST} CLASSES --predictive conformal " +
		"--conformal-by class"},
	{"s.csv", "predict {TRAIN} {TEST} CLASSES --group-by {Town} -o o.csv " +
		"--summary s.csv --contrast '{Ulm} - {Kiel}'"},
	{"-", "predict {TRAIN} {TEST} -y {Owned} --ignore {Yield},{Sort} --members 1"},
	{"", "fit {TRAIN} NUMBERS -o {STATE}"},
	{"s.csv", "predict {STATE} {TEST} --group-by {Town} --contrast '{Ulm} - {Kiel}' -o o.csv " +
		"--summary s.csv"},
	{"-", "check {STATE} {TEST} --json"},
	{"-", "check {TRAIN} {BATCH} CLASSES --json"},
	{"-", "evaluate {TRAIN} NUMBERS --json --group {Person}"},
	{"-", "evaluate {TRAIN} NUMBERS --splits 1 --bootstrap 0 --chains 20 --json"},
	{"-", "evaluate {TRAIN} CLASSES --splits 1 --bootstrap 0 --chains 20 --json"},
	{"-", "explain {TRAIN} NUMBERS --ignore {Person} --points 3"},
	{"-", "explain {TRAIN} NUMBERS --group {Person} --effect {Town}:{Owned}"},
	{"-", "explain {TRAIN} CLASSES --ignore {Person} --effect {Len},{Town}"},
	{"-", "explain {TRAIN} NUMBERS --ignore {Person} --importance"},
	{"-", "explain {TRAIN} NUMBERS --treatment {Arm}"},
	{"-", "next {TRAIN} {TEST} NUMBERS --for maximum --batch 3"},
	{"-", "next {TRAIN} {TEST} NUMBERS --for learn --batch 3"},
	{"-", "forecast {SERIES} -y {Yield} --time {When} --series {Town} --horizon 2 --origins 2 " +
		"--members 1"},
}

// otherNames are the columns, categories and classes of the laws, and what they are called in the
// other table. The order of nearly all of them changes.
var otherNames = map[string]string{
	"Len": "Zeal", "Years": "Dose", "Town": "Abode", "Owned": "Rented", "Arm": "Way",
	"Person": "Client", "Yield": "Crop", "Sort": "Brand", "When": "Moment",
	"Ulm": "Bonn", "Bonn": "Kiel", "Kiel": "Ulm", "yes": "no", "no": "yes",
	"Drug": "Sham", "Sham": "Drug", "Ash": "Oak", "Elm": "Ash", "Oak": "Elm",
}

// lawTables writes the tables, and the same with other names and another order of columns.
func lawTables(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	rows := func(n int) (rows []map[string]string) {
		for i := range n {
			x, town, arm := r.NormFloat64(), r.IntN(3), i/2%2
			y := x + float64(arm) + 0.5*float64(town) + r.NormFloat64()
			row := map[string]string{"Len": fmt.Sprint(x), "Years": fmt.Sprint(r.IntN(9)),
				"Town": []string{"Ulm", "Bonn", "Kiel"}[town], "Owned": []string{"no", "yes"}[r.IntN(2)],
				"Arm":    []string{"Sham", "Drug"}[arm],
				"Person": string([]byte{'K', 'a' + byte(i/2%26), 'a' + byte(i/52)}),
				"Yield":  fmt.Sprint(y), "When": fmt.Sprint(2000 + i/3),
				"Sort": []string{"Ash", "Elm", "Oak"}[min(2, max(0, int(y+1)))]}
			if i%7 == 0 {
				row["Years"], row["Town"] = "", []string{"", "Ulm"}[i/7%2]
			}
			rows = append(rows, row)
		}
		return rows
	}
	features := []string{"Len", "Years", "Town", "Owned", "Arm", "Person"}
	must.Succeed(t, os.Mkdir("other", 0o700))
	for file, table := range map[string]struct {
		columns []string
		rows    []map[string]string
	}{"TRAIN": {append(features, "Yield", "Sort"), rows(48)}, "TEST": {features, rows(8)},
		"BATCH": {append(features, "Yield", "Sort"), rows(24)}, "SERIES": {
			[]string{"When", "Town", "Yield"}, series(rows(75))}} {
		for other, name := range []string{file, "other/" + file} {
			columns := slices.Clone(table.columns)
			if other == 1 {
				slices.Reverse(columns)
			}
			var out strings.Builder
			w := csv.NewWriter(&out)
			w.Write(renamedIf(other, columns))
			for _, row := range table.rows {
				var cells []string
				for _, c := range columns {
					cells = append(cells, row[c])
				}
				w.Write(renamedIf(other, cells))
			}
			w.Flush()
			write(t, name, out.String())
		}
	}
}

// series gives every town each of the times once.
func series(rows []map[string]string) []map[string]string {
	for i, row := range rows {
		row["Town"] = []string{"Ulm", "Bonn", "Kiel"}[i%3]
	}
	return rows
}

func renamedIf(other int, words []string) []string {
	out := slices.Clone(words)
	for i, w := range out {
		if name, ok := otherNames[w]; ok && other == 1 {
			out[i] = name
		}
	}
	return out
}

// Columns in another order, columns, categories, classes and groups with other names, yes and no
// exchanged: every command has the same answer.
func TestLawsOfCommands(t *testing.T) {
	withoutRace(t)
	t.Setenv("PFNAMP_ORT_LIB", orttest.Library(t))
	t.Chdir(t.TempDir())
	lawTables(t)
	targets := strings.NewReplacer("NUMBERS", "-y {Yield} --ignore {Sort} --members 1",
		"CLASSES", "-y {Sort} --ignore {Yield} --members 1")
	braces := regexp.MustCompile(`\{(\w+)\}`)
	for _, law := range laws {
		var found [2]map[string]string
		for other := range found {
			line := braces.ReplaceAllStringFunc(targets.Replace(law.line), func(word string) string {
				word = strings.Trim(word, "{}")
				switch {
				case other == 0:
					return word
				case word == strings.ToUpper(word): // splits depend on the name of the file
					return "other/" + word
				}
				return otherNames[word]
			})
			out, _ := ends(t, line, fault.ExitOK)
			if law.output != "-" && law.output != "" {
				out = string(readFile(t, law.output))
			}
			found[other] = lawLeaves(t, out, other == 1)
		}
		compareLeaves(t, law.line, found[0], found[1])
	}
}

// A functional has the same answer, to the byte, whatever else is asked.
func TestFunctionalsDoNotMatter(t *testing.T) {
	withoutRace(t)
	t.Setenv("PFNAMP_ORT_LIB", orttest.Library(t))
	t.Chdir(t.TempDir())
	lawTables(t)
	asked := " -y Yield --ignore Sort --members 1 --chains 200 -o o.csv"
	for _, law := range []struct{ output, line, functionals string }{
		{"s.csv", "predict TRAIN TEST --ignore Person --summary s.csv --group-by Town " +
			"--contrast 'Ulm - Kiel' --contrast 'row 1 - row 2'", "mean,q0.9,p>1,es0.9"},
		{"s.csv", "predict TRAIN TEST --summary s.csv --group Person --group-by Arm", "mean,q0.1,p>1"},
		{"s.csv", "predict TRAIN TEST --joint s.csv --posterior paper --steps 20", "q0.5,mean,p<=1"},
		{"o.csv", "predict TRAIN TEST --bands --set Town=Ulm", "mean,q0.9,p>1"},
		{"o.csv", "explain TRAIN --ignore Person --effect Len,Town --points 3", "q0.9,mean,p>1"},
		{"o.csv", "explain TRAIN --ignore Person --treatment Arm", "mean,p>1"},
	} {
		tables := map[string][]map[string]string{}
		for _, f := range append(strings.Split(law.functionals, ","), law.functionals) {
			ends(t, law.line+asked+" -f "+f, fault.ExitOK)
			records, err := csv.NewReader(strings.NewReader(string(readFile(t, law.output)))).ReadAll()
			must.Succeed(t, err)
			for _, record := range records[1:] {
				row := map[string]string{}
				for i, cell := range record {
					row[records[0][i]] = cell
				}
				tables[f] = append(tables[f], row)
			}
		}
		for f, rows := range tables {
			for i, row := range rows {
				for column, cell := range row {
					if with, ok := tables[law.functionals][i][column]; with != cell || !ok {
						t.Errorf("%s: row %d, %s: %s alone, %s with others (%s)", law.line, i+1, column, cell,
							with, f)
					}
				}
			}
		}
	}
}

// compareLeaves reports the first leaves that differ by more than rounding.
func compareLeaves(t *testing.T, line string, before, after map[string]string) {
	var wrong []string
	for _, at := range slices.Sorted(maps.Keys(before)) {
		if strings.Contains(at, ",time_s1/") || at == "/batch" {
			continue
		}
		a, b := before[at], after[at]
		x, errX := strconv.ParseFloat(a, 64)
		y, errY := strconv.ParseFloat(b, 64)
		if a != b && (errX != nil || errY != nil || !(math.Abs(x-y) <= 1e-9*(1+math.Abs(x)))) {
			wrong = append(wrong, fmt.Sprintf("%s: %s, then %s", at, a, b))
		}
	}
	if len(wrong) > 0 || len(before) != len(after) {
		t.Errorf("%s\n%d of %d, %d differ:\n%s", line, len(before), len(after), len(wrong),
			strings.Join(wrong[:min(len(wrong), 12)], "\n"))
	}
}

// treatedOther is how explain compares the arms of the other table, and treated those of the first.
const treatedOther, treated = "Drug - Sham", "Sham - Drug"

// turn turns the difference of the two arms.
func turn(t *testing.T, row map[string]any) {
	number := func(name string) float64 {
		v, err := strconv.ParseFloat(fmt.Sprint(row[name]), 64)
		must.Succeed(t, err)
		return v
	}
	mean, lo, hi, above := number("mean"), number("mean_lo"), number("mean_hi"), number("mean_above0")
	row["of"] = strings.Replace(fmt.Sprint(row["of"]), otherNames["Drug"]+" - "+otherNames["Sham"],
		otherNames["Sham"]+" - "+otherNames["Drug"], 1)
	row["mean"], row["mean_lo"], row["mean_hi"] = fmt.Sprint(-mean), fmt.Sprint(-hi), fmt.Sprint(-lo)
	row["mean_above0"] = fmt.Sprint(1 - above)
}

// lawLeaves are the numbers and texts of a table in CSV or of JSON, by where they are. The names of
// the other table are translated back. What a list holds is named by its texts, not its place.
func lawLeaves(t *testing.T, text string, other bool) map[string]string {
	back := map[string]string{}
	for from, to := range otherNames {
		back[to] = from
	}
	translated := func(s string) string {
		if !other {
			return s
		}
		s = regexp.MustCompile(`[A-Za-z]+`).ReplaceAllStringFunc(s, func(w string) string {
			if from, ok := back[w]; ok {
				return from
			}
			return w
		})
		return strings.Join(slices.Sorted(slices.Values(strings.Split(s, "|"))), "|") // sets of classes
	}
	out := map[string]string{}
	var walk func(at string, v any)
	walk = func(at string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for name, value := range v {
				walk(at+"/"+translated(name), value)
			}
		case []any:
			times := map[string]int{}
			for _, element := range v {
				var texts []string
				object, _ := element.(map[string]any)
				for _, name := range slices.Sorted(maps.Keys(object)) {
					if s, ok := object[name].(string); ok {
						if _, err := strconv.ParseFloat(s, 64); err != nil {
							texts = append(texts, translated(s))
						}
					}
				}
				slices.Sort(texts)
				key := strings.Join(texts, ",")
				times[key]++
				walk(fmt.Sprint(at, "/", key, times[key]), element)
			}
		default:
			out[at] = translated(fmt.Sprint(v))
		}
	}
	if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
		var v any
		must.Succeed(t, json.Unmarshal([]byte(text), &v))
		walk("", v)
		return out
	}
	records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	must.Succeed(t, err)
	var rows []any
	for _, record := range records[min(1, len(records)):] {
		row := map[string]any{}
		for i, cell := range record {
			row[records[0][i]] = cell
		}
		if of, _ := row["of"].(string); other && strings.Contains(translated(of), treatedOther) {
			turn(t, row)
		}
		rows = append(rows, row)
	}
	walk("", rows)
	return out
}
