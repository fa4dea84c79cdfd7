package tabular

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// A column that names the rows is noted; counts, prices and years, all different, are not.
func TestIdentifiers(t *testing.T) {
	for _, c := range []struct {
		name  string
		rows  int
		value func(i int) any
		want  string // "" for no note
	}{
		{"order_id", 30, func(i int) any { return 700 + 13*i }, "and a typical name"},
		{"PassengerId", 30, func(i int) any { return 900 - 7*i }, "and a typical name"},
		{"t", 30, func(i int) any { return i }, "counts the rows"},
		{"row", 30, func(i int) any { return 30 - i }, "counts the rows"},
		{"order", 30, func(i int) any { return 1000000000000000000 + 977*i }, "16 digits or more"},
		{"id", 10, func(i int) any { return i }, ""},
		{"id", 30, func(i int) any {
			return i / 2
		}, "holds 15 different whole numbers and is named like a group"},
		{"id", 30, func(i int) any { return float64(i) + 0.5 }, ""},
		{"year", 30, func(i int) any { return 1990 + i }, ""},
		{"population", 30, func(i int) any { return 7919 * i }, ""},
		{"humid", 30, func(i int) any { return 3 * i }, ""},
	} {
		text := c.name + ",y\n"
		for i := range c.rows {
			text += fmt.Sprintf("%v,1\n", c.value(i))
		}
		s := learnText(t, text, SchemaOptions{Target: "y"})
		notes := strings.Join(s.Notes, "; ")
		if !strings.Contains(notes, c.want) || (c.want == "") != (notes == "") {
			t.Errorf("%s of %d rows: notes %q, want %q", c.name, c.rows, notes, c.want)
		}
		if s := learnText(t, text, SchemaOptions{Numeric: []string{c.name}}); len(s.Notes) > 0 {
			t.Errorf("%s is noted though asked for: %q", c.name, s.Notes)
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
	stored, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var again Schema
	if err := json.Unmarshal(stored, &again); err != nil {
		t.Fatal(err)
	}
	for _, s := range []*Schema{s, &again} {
		f, err := s.Features(query)
		if err != nil || fmt.Sprint(f.Outside) != "map[a:2 d:1 t:1]" {
			t.Errorf("%v, %v", f.Outside, err)
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
	var fields map[string]any
	var before Schema
	err = json.Unmarshal(stored, &fields)
	delete(fields, "ranges")
	if err == nil {
		stored, err = json.Marshal(fields)
	}
	if err == nil {
		err = json.Unmarshal(stored, &before)
	}
	if err != nil {
		t.Fatal(err)
	}
	if f, err := before.Features(query); err != nil || len(f.Outside) > 0 {
		t.Errorf("without ranges: %v, %v", f.Outside, err)
	}
}
