package tabular

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
)

func learnText(t testing.TB, text string, opt SchemaOptions) *Schema {
	t.Helper()
	return learned(t, readText(t, text, ReadOptions{}), opt)
}

// learned is a schema of a table that can be learned from.
func learned(t testing.TB, table *Table, opt SchemaOptions) *Schema {
	t.Helper()
	s, err := Learn(table, opt)
	must.Succeed(t, err)
	return s
}

// trained learns from a table, and encodes it.
func trained(t testing.TB, table *Table, opt SchemaOptions) (*Schema, Features, []float64) {
	t.Helper()
	s := learned(t, table, opt)
	f, y, err := s.Training(table)
	must.Succeed(t, err)
	return s, f, y
}

// column makes a text table of a column x and a column of rows.
func column(cells ...string) string {
	var b strings.Builder
	b.WriteString("x,n\n")
	for i, cell := range cells {
		fmt.Fprintf(&b, "\"%s\",%d\n", strings.ReplaceAll(cell, `"`, `""`), 1000*i+5)
	}
	return b.String()
}

func TestKinds(t *testing.T) {
	tests := []struct {
		name       string
		cells      []string
		want       Kind
		categories string
		missing    int
	}{
		{"numbers", []string{"1", " 2.5 ", "-1e3"}, Numeric, "", 0},
		{"numbers and missing", []string{"1", "", "NA", "NaN", `\N`, "null"}, Numeric, "", 5},
		{"one number", []string{"1"}, Numeric, "", 0},
		{"all missing", []string{"", "NA", " "}, Empty, "", 3},
		{"text", []string{"b", "a", "b", "", "é", "B"}, Categorical, "B|a|b|é", 1},
		{"text keeps its spaces", []string{"a", " b"}, Categorical, " b|a", 0},
		{"booleans", []string{"true", "FALSE", "True", "NA"}, Boolean, "false|true", 1},
		{"booleans of R", []string{"TRUE", "FALSE", "NA", "TRUE"}, Boolean, "FALSE|TRUE", 1},
		{"one boolean value", []string{"true", "true"}, Boolean, "false|true", 0},
		{"zero and one are numbers", []string{"0", "1"}, Numeric, "", 0},
		{"yes and no", []string{"yes", "no"}, Categorical, "no|yes", 0},
		{"dates", []string{"2020-01-02", "", "1969-12-31"}, Date, "", 1},
		{"times", []string{"2020-01-02T03:04", "2020-01-02 03:04:05.5Z"}, Timestamp, "", 0},
		{"dates and times", []string{"2020-01-02", "2020-01-02T00:00:01"}, Timestamp, "", 0},
		{"no dates", []string{"2020-13-02", "2020-02-30"}, Categorical, "2020-02-30|2020-13-02", 0},
		{"some numbers", []string{"a", "3", "b"}, Categorical, "3|a|b", 0},
		{"underscore", []string{"1", "1_000"}, Numeric, "", 0},
		{"hexadecimal", []string{"0x1p4", "0x1p3"}, Categorical, "0x1p3|0x1p4", 0},
		{"signs of missing values", []string{"1", "?", "#DIV/0!", "(blank)", "n/a"}, Numeric, "", 4},
		{"signs among texts", []string{"a", "?", "b"}, Categorical, "?|a|b", 0},
		{"row numbers are kept", []string{"1", "2", "3", "4"}, Numeric, "", 0},
		{"limits of float64", []string{"1e300", "-1.7e308", "1e-300", "5e-324"}, Numeric, "", 0},
		{"infinite beside texts", []string{"1", "inf", "high"}, Categorical, "1|high|inf", 0},
		{"infinite only", []string{"inf", "-inf", "inf"}, Categorical, "-inf|inf", 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := learnText(t, column(test.cells...), SchemaOptions{})
			c := s.Columns[0]
			got := strings.Join(c.Categories, "|")
			if c.Kind != test.want || got != test.categories || c.Missing != test.missing {
				t.Errorf("got %v of %q, %d missing", c.Kind, got, c.Missing)
			}
			if s.Categorical()[0] != (c.Categories != nil) || s.Categorical()[1] {
				t.Errorf("categorical: %v", s.Categorical())
			}
			if s.Columns[1].Kind != Numeric {
				t.Errorf("column n is %v", s.Columns[1].Kind)
			}
		})
	}
}

// TestWholeColumn checks that a single cell at the end decides.
func TestWholeColumn(t *testing.T) {
	cells := slices.Repeat([]string{"1"}, 3*DefaultBatchRows)
	if got := learnText(t, column(cells...), SchemaOptions{}).Columns[0].Kind; got != Numeric {
		t.Errorf("got %v", got)
	}
	cells[len(cells)-1] = "12 kg"
	_, err := Learn(readText(t, column(cells...), ReadOptions{}), SchemaOptions{})
	checkError(t, err, `stdin:12289: column "x": "12 kg" is not a number`)
}

func TestNotes(t *testing.T) {
	many := make([]string, 60)
	for i := range many {
		many[i] = fmt.Sprintf("name %d", i)
	}
	levels := make([]string, 3000)
	for i := range levels {
		levels[i] = fmt.Sprintf("code %d", i%1400)
	}
	tests := []struct {
		name  string
		cells []string
		opt   SchemaOptions
		want  string // "" for no note
	}{
		{"empty", []string{"", ""}, SchemaOptions{},
			`column "x" has no value in any row: it carries no information`},
		{"dates", []string{"2020-01-02"}, SchemaOptions{},
			`column "x" holds dates: they become days since 1970-01-01`},
		{"dates in whole numbers", []string{"19580329", "20011229"}, SchemaOptions{},
			`column "x" looks like dates in whole numbers: to read them as dates, write 19580329 as ` +
				"1958-03-29"},
		{"the day first", []string{"4032021", "31122022"}, SchemaOptions{},
			`column "x" looks like dates in whole numbers: to read them as dates, write 04032021 as ` +
				"2021-03-04"},
		{"the month first", []string{"1312021", "12312022"}, SchemaOptions{},
			`column "x" looks like dates in whole numbers: to read them as dates, write 01312021 as ` +
				"2021-01-31"},
		{"whole numbers", []string{"19580329", "20011329"}, SchemaOptions{}, ""},
		{"other whole numbers", []string{"4032021", "31123022"}, SchemaOptions{}, ""},
		{"large", []string{"1e305", "-1.5e306"}, SchemaOptions{},
			`column "x" holds numbers up to 1.5e+306 in magnitude`},
		{"rounded", []string{"9007199254740993", "9007199254741003"}, SchemaOptions{},
			`column "x" holds numbers near 9.0072e+15 that differ by only 12, too close for float64: ` +
				`subtract a constant, or read them as text with SchemaOptions.Categorical x`},
		{"nearly equal", []string{"0.30000000000000004", "0.3"}, SchemaOptions{}, ""},
		{"texts that differ", many, SchemaOptions{},
			`column "x" is left out: its 60 texts differ in every row, like names or identifiers; ` +
				`SchemaOptions.KeepFeatures x keeps it`},
		{"texts that differ in few rows", many[:19], SchemaOptions{}, ""},
		{"many texts", append(many[:59:59], many[0]), SchemaOptions{},
			`column "x" has 59 different texts in 60 rows: if they are names or identifiers, ` +
				`leave the column out with SchemaOptions.Ignore x`},
		{"the text above", []string{"north", "", "", "south", ""}, SchemaOptions{},
			`column "x" has 2 texts in one row each, and no value in the other rows: if an empty cell ` +
				"means the text above, fill it in; otherwise keep it with SchemaOptions.Categorical x"},
		{"some texts", []string{"north", "", "", "north", "south", "", "", "", ""}, SchemaOptions{}, ""},
		{"many texts, asked", many, SchemaOptions{Categorical: []string{"x"}}, ""},
		{"many categories", levels, SchemaOptions{}, `column "x" has 1400 categories`},
		{"few texts", []string{"a", "b", "c"}, SchemaOptions{}, ""},
		{"numbers", []string{"1", "2"}, SchemaOptions{}, ""},
		{"codes", []string{"10115", "01067", "00180"}, SchemaOptions{},
			`column "x" holds numbers with leading zeros, the first is "01067" (line 3): if they are ` +
				`codes, SchemaOptions.Categorical x keeps them as text`},
		{"codes, asked", []string{"10115", "01067"}, SchemaOptions{Numeric: []string{"x"}}, ""},
		{"hours", []string{"07", "13", "0", "0.25", "00.5"}, SchemaOptions{}, ""},
		{"spaces", []string{"a", "a ", "b"}, SchemaOptions{},
			`column "x" has categories that differ only by case or spaces: "a" and "a "; ` +
				"write them alike, or keep them apart with SchemaOptions.Categorical x"},
		{"truths and others", []string{"true", "FALSE ", "no"}, SchemaOptions{},
			`column "x" is categorical: beside true and false it has "no": write them alike, or keep ` +
				"the texts with SchemaOptions.Categorical x"},
		{"invisible", []string{"a", "\u200bb", "\ufeffa"}, SchemaOptions{},
			`column "x" has categories that differ only by case or spaces: "a" and "\ufeffa"; ` +
				"write them alike, or keep them apart with SchemaOptions.Categorical x"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := learnText(t, column(test.cells...), test.opt)
			if got := strings.Join(s.Notes, "\n"); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
			test.opt.Strict = true // refuses every note but those on dates that mean one day only
			_, err := Learn(readText(t, column(test.cells...), ReadOptions{}), test.opt)
			if test.want == "" || test.name == "dates" {
				if err != nil {
					t.Errorf("strict: %v", err)
				}
				return
			}
			checkError(t, err, "stdin: some cells are not what they seem")
			want := test.want + "; without SchemaOptions.Strict this is a note"
			if hint := err.(*Error).Hint; hint != want {
				t.Errorf("strict: hint %q, want %q", hint, want)
			}
		})
	}
}

func TestLearnErrors(t *testing.T) {
	text := "Age,sex,bmi,note,y\n30,f,20,x,1\n12 kg,m,30,z,\n31,f,25,1_0,3\n9 st,m,22,w,NA\n"
	noAge := []string{"Age"}
	tests := []struct {
		name, text string
		opt        SchemaOptions
		want       string
	}{
		{"infinite", "x,y\n1,1\ninf,2\n -Infinity,2\n", SchemaOptions{Target: "y"},
			`stdin:3: column "x": "inf" is not a finite number; 2 cells like this: "inf", " -Infinity"`},
		{"too large", "x,y\n1,1\n1e400,2\n", SchemaOptions{Target: "y"},
			`stdin:3: column "x": "1e400" is not a number: it is too large for a number (the limit is ` +
				`1.8e308)`},
		{"infinite, with decimal commas", "x;y\n1,5;1\n+INF;2\n", SchemaOptions{Target: "y"},
			`stdin:3: column "x": "+INF" is not a finite number`},
		{"no rows", "a,y\n", SchemaOptions{Target: "y"}, "stdin: the table has no data rows"},
		{"no target", text, SchemaOptions{RequireTarget: true},
			"stdin: the target column is not set"},
		{"unknown target", text, SchemaOptions{Target: "Y"},
			`stdin: column "Y": the table has no such column; nearest: "y"`},
		{"unknown target, far", text, SchemaOptions{Target: "progression"},
			`stdin: column "progression": the table has no such column`},
		{"unknown ignored", text, SchemaOptions{Ignore: []string{"nots"}},
			`stdin: column "nots": the table has no such column; nearest: "note"`},
		{"unknown categorical", text, SchemaOptions{Categorical: []string{"age"}},
			`stdin: column "age": the table has no such column; nearest: "Age"`},
		{"unknown numeric", text, SchemaOptions{Numeric: []string{"bmj"}},
			`stdin: column "bmj": the table has no such column; nearest: "bmi"`},
		{"clash", text, SchemaOptions{Numeric: []string{"sex"}, Categorical: []string{"sex"}},
			`stdin: column "sex": the column cannot be both categorical and numeric`},
		{"ignored target", text, SchemaOptions{Target: "y", Ignore: []string{"y"}},
			`stdin: column "y": the column cannot be both the target and ignored`},
		{"text in a numeric column", text, SchemaOptions{Numeric: []string{"Age"}},
			`stdin:3: column "Age": "12 kg" is not a number; 2 cells like this: "12 kg", "9 st"`},
		{"missing target", text, SchemaOptions{Target: "y", Ignore: noAge},
			`stdin: column "y": the target is missing in 2 of 4 rows: lines 3, 5`},
		{"text target", text, SchemaOptions{Target: "sex", Ignore: noAge},
			`stdin:2: column "sex": "f" is not a number; 4 cells like this: "f", "m"`},
		{"infinite target", "a,y\n1,inf\n", SchemaOptions{Target: "y"},
			`stdin:2: column "y": "inf" is not a finite number`},
		{"large target", "a,y\n1,1e999\n", SchemaOptions{Target: "y"},
			`stdin:2: column "y": "1e999" is not a number: ` +
				`it is too large for a number (the limit is 1.8e308)`},
		{"no features", "a,y\n1,2\n", SchemaOptions{Target: "y", Ignore: []string{"a"}},
			"stdin: the table has no features: every column is the target, ignored or the " +
				"column of groups"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			table := readText(t, test.text, ReadOptions{Delimiter: delimiterOf(test.text)})
			_, err := Learn(table, test.opt)
			checkError(t, err, test.want)
		})
	}
}

// TestRepeatedNames checks that a line that repeats the names of the columns is to be removed, not
// read as missing values.
func TestRepeatedNames(t *testing.T) {
	text := "Kind,Size,y\na,1,2\nb,2,3\n" + "Kind, Size ,y\na,3,4\nb,5,1\n"
	for _, opt := range []SchemaOptions{{Target: "y"}, {Target: "Kind"}} {
		_, err := Learn(readText(t, text, ReadOptions{}), opt)
		checkError(t, err, `stdin:4: column "Size": " Size " is not a number; `+
			"a line repeats the names of the columns")
		if e := err.(*Error); e.Hint != "remove lines that repeat the names of the columns" {
			t.Errorf("hint %q", e.Hint)
		}
	}
	s := learnText(t, "Kind,Size,y\na,1,2\nb,2,3\n", SchemaOptions{Target: "y"})
	_, err := s.Features(readText(t, text, ReadOptions{}).Batches[0])
	checkError(t, err, `stdin:4: column "Size": " Size " is not a number; `+
		"a line repeats the names of the columns")
	if e := err.(*Error); e.Hint != "remove lines that repeat the names of the columns" {
		t.Errorf("hint %q", e.Hint)
	}
}

// TestWordsAndFewNumbers reads a column of few numbers and of words or limits that come again as
// categories, with a note, and refuses numbers beside which words come once, or other texts.
func TestWordsAndFewNumbers(t *testing.T) {
	column := func(cells ...string) (*Schema, error) {
		text := "kind,y\n"
		for i := range 12 {
			text += cells[i%len(cells)] + fmt.Sprintf(",%d\n", i)
		}
		return Learn(readText(t, text, ReadOptions{}), SchemaOptions{Target: "y"})
	}
	for _, c := range []struct{ cells, want string }{
		{"car car 1 car 2 car", `[1 2 car] [column "kind" is categorical: 8 of 12 values are not ` +
			`numbers, the first is "car" (line 2)`},
		{"car 1 2", `[1 2 car] [column "kind" is categorical: 4 of 12`},
		{"1 2 5+", `[1 2 5+] [column "kind" is categorical: 4 of 12`},
	} {
		s, err := column(strings.Fields(c.cells)...)
		must.Succeed(t, err)
		if got := fmt.Sprint(s.Columns[0].Categories, s.Notes); !strings.Contains(got, c.want) {
			t.Errorf("%s", got)
		}
	}
	_, err := column("car", "1", "2", "3", "1", "2")
	checkError(t, err, `stdin:2: column "kind": "car" is not a number; 2 cells like this: "car"`)
	_, err = column("No. 1", "No. 1", "1", "No. 1", "2", "No. 1")
	checkError(t, err, `stdin:2: column "kind": "No. 1" is not a number; 8 cells like this: "No. 1"`)
}

func delimiterOf(text string) rune {
	if strings.Contains(text, ";") {
		return ';'
	}
	return ','
}

// TestTargetRows checks that an error lists five rows and counts the others.
func TestTargetRows(t *testing.T) {
	text := "a,y\n1,1\n" + strings.Repeat("1,\n", 9)
	_, err := Learn(readText(t, text, ReadOptions{BatchRows: 2}), SchemaOptions{Target: "y"})
	checkError(t, err, `stdin: column "y": the target is missing in 9 of 10 rows: `+
		`lines 3, 4, 5, 6, 7 and 4 more`)
	if e := err.(*Error); e.Hint == "" {
		t.Error("there is no hint")
	}
}

// TestOverride checks that the options decide against what the cells look like.
func TestOverride(t *testing.T) {
	s := learnText(t, column("10", "9", "010", ""), SchemaOptions{Categorical: []string{"x"}})
	if got := strings.Join(s.Columns[0].Categories, "|"); got != "010|10|9" {
		t.Errorf("categories %q", got)
	}
	table := readText(t, column("10", "?", "9"), ReadOptions{NA: []string{"?"}})
	s, err := Learn(table, SchemaOptions{Numeric: []string{"x"}})
	if err != nil || s.Columns[0].Kind != Numeric || s.Columns[0].Missing != 1 {
		t.Errorf("got %+v, %v", s.Columns, err)
	}
	for _, cells := range [][]string{{"1,5", "2"}, {"1", "inf", "1e400"}} {
		s := learnText(t, column(cells...), SchemaOptions{Categorical: []string{"x"}})
		if s.Columns[0].Kind != Categorical {
			t.Errorf("%q is %v", cells, s.Columns[0].Kind)
		}
	}
}
