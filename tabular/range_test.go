package tabular

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// A column that names the rows is no feature, whatever its name and in parts of a table too;
// counts, prices, years and steps in time, all different, are. An option keeps the column, and so
// does a table without others.
func TestIdentifiers(t *testing.T) {
	part := rand.New(rand.NewPCG(1, 1)).Perm(200)
	for _, c := range []struct {
		name  string
		rows  int
		value func(i int) any
		want  string // "" for no note
	}{
		{"rownames", 60, func(i int) any { return part[i] }, "from 2 to 196 differ in every row"},
		{"patient_no", 100, func(i int) any { return 5001 + part[i] }, "differ in every row"},
		{"row", 30, func(i int) any { return 30 - i }, "from 1 to 30 differ in every row"},
		{"x", 20, func(i int) any { return i }, "from 0 to 19 differ in every row"},
		{"order_id", 30, func(i int) any { return 700 + 1003*i }, "its name is that of an identifier"},
		{"PID", 30, func(i int) any { return 526301100 + 160057*i }, "its name is that of an identifier"},
		{"PassengerId", 30, func(i int) any { return 9000 - 701*i }, "its name is that of an identifier"},
		{"order", 30, func(i int) any { return 1000000000000000000 + 977*i }, "16 digits or more"},
		{"text", 30, func(i int) any { return fmt.Sprint("p", i) }, "30 texts differ in every row"},
		{"text", 10, func(i int) any { return string(rune(97 + i)) }, ""},
		{"id", 10, func(i int) any { return i }, ""},
		{"id", 30, func(i int) any {
			return i / 2
		}, "holds 15 different whole numbers and is named like a group"},
		{"id", 30, func(i int) any { return float64(i) + 0.5 }, ""},
		{"t", 30, func(i int) any { return i }, ""},
		{"year", 30, func(i int) any { return 1990 + i }, ""},
		{"start", 30, func(i int) any { return 1990 + i }, ""},
		{"day_of_year", 90, func(i int) any { return i + 1 }, ""},
		{"monthsSinceStart", 90, func(i int) any { return i }, ""},
		{"population", 30, func(i int) any { return 7919 * i }, ""},
		{"humid", 30, func(i int) any { return 37 * i }, ""},
	} {
		text, alone := c.name+",other,y\n", c.name+",y\n"
		for i := range c.rows {
			text += fmt.Sprintf("%v,%d,1\n", c.value(i), i%7)
			alone += fmt.Sprintf("%v,1\n", c.value(i))
		}
		s := learnText(t, text, SchemaOptions{Target: "y"})
		notes := strings.Join(s.Notes, "; ")
		left := strings.Contains(notes, "is left out")
		if !strings.Contains(notes, c.want) || (c.want == "") != (notes == "") ||
			left != (len(s.FeatureNames()) == 1) {
			t.Errorf("%s of %d rows: notes %q, want %q", c.name, c.rows, notes, c.want)
		}
		kept := learnText(t, text, SchemaOptions{Target: "y", KeepFeatures: []string{c.name}})
		if len(kept.FeatureNames()) != 2 {
			t.Errorf("%s is left out though kept: %q", c.name, kept.Notes)
		}
		if c.name == "text" {
			continue
		}
		if s := learnText(t, alone, SchemaOptions{Target: "y"}); len(s.FeatureNames()) != 1 {
			t.Errorf("%s alone is left out", c.name)
		}
	}
}

// Cells of a query table outside the range of the training table are counted, by stored schemas
// too.
func TestOutside(t *testing.T) {
	s := learnText(t, "a,d,t,c,y\n1,2020-01-02,2020-01-02T10:00,u,1\n5,2020-02-02,2020-01-02,v,2\n",
		SchemaOptions{Target: "y"})
	query := batchOf(t,
		"a,d,t,c\n0,2020-01-01,2019-01-01,w\n1,2020-02-02,2020-01-02,u\n6,,,u\nNA,,,u\n")
	for _, s := range []*Schema{s, throughJSON(t, s)} {
		f, err := s.Features(query)
		if err != nil || fmt.Sprint(f.Outside) != "map[a:2 d:1 t:1]" {
			t.Errorf("%v, %v", f.Outside, err)
		}
		f.Append(f) // counts add up, and a note stands once
		if fmt.Sprint(f.Outside, f.Unseen) != "map[a:4 d:2 t:2] map[c:2]" || f.Rows != 8 ||
			len(f.Notes) > 1 {
			t.Errorf("appended: %v, %v, %d rows, notes %q", f.Outside, f.Unseen, f.Rows, f.Notes)
		}
		var texts []string
		for _, c := range s.Columns[:3] {
			texts = append(texts, c.Text(c.Lo), c.Text(c.Hi))
		}
		want := "[1 5 2020-01-02 2020-02-02 2020-01-02T00:00:00Z 2020-01-02T10:00:00Z]"
		if fmt.Sprint(texts) != want {
			t.Errorf("ranges %v", texts)
		}
	}
}

// Times in whole numbers since 1970 are noted by the name of the column and their range.
func TestTimesInNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"time,1700000000,1700003600":             "write 1700000000 as 2023-11-14T22:13:20Z",
		"eventTime,1700000000000,1700003600000":  "write 1700000000000 as 2023-11-14T22:13:20Z",
		"days,1700000000000000,1800000000000000": "as 2023-11-14T22:13:20Z",
		"price,1700000000,1700003600":            "",
		"time,1700000000,2700000000":             "",
		"time,1700,1800":                         "",
	} {
		cells := strings.Split(text, ",")
		s := learnText(t, fmt.Sprintf("%s,y\n%s,1\n%s,2\n", cells[0], cells[1], cells[2]),
			SchemaOptions{Target: "y"})
		if got := strings.Join(s.Notes, "; "); !strings.Contains(got, want) ||
			strings.Contains(got, "looks like times in whole numbers") != (want != "") {
			t.Errorf("%s: notes %q", text, got)
		}
	}
}
