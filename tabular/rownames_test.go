package tabular

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// What pandas and R save before the columns is no feature of training or query tables.
func TestRowNames(t *testing.T) {
	for _, test := range []struct {
		name, text string
		opt        SchemaOptions
		features   []string
		note       string
	}{
		{"pandas", ",a,y\n0,5,1\n1,6,2\n", SchemaOptions{}, []string{"a"},
			`column "Unnamed: 0" is left out: it looks like row names`},
		{"R", "\"\",\"a\",\"y\"\n\"r1\",5,1\n\"r2\",6,2\n", SchemaOptions{}, []string{"a"},
			"row names"},
		{"read and saved again", "Unnamed: 0,a,y\n0,5,1\n1,6,2\n", SchemaOptions{}, []string{"a"},
			"row names"},
		{"columnar", "__index_level_0__,a,y\n0,5,1\n1,6,2\n", SchemaOptions{}, []string{"a"},
			"row names"},
		{"wanted", ",a,y\n0,5,1\n1,6,2\n", SchemaOptions{Numeric: []string{"Unnamed: 0"}},
			[]string{"Unnamed: 0", "a"}, ""},
		{"kept", ",a,y\n0,5,1\n1,6,2\n", SchemaOptions{Keep: []string{"Unnamed: 0"}},
			[]string{"a"}, "row names"},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.opt.Target = "y"
			schema := learnText(t, test.text, test.opt)
			if got := schema.FeatureNames(); !slices.Equal(got, test.features) {
				t.Errorf("features %q, want %q", got, test.features)
			}
			notes := strings.Join(schema.Notes, "; ")
			if !strings.Contains(notes, test.note) || test.note == "" && notes != "" {
				t.Errorf("notes %q, want %q", notes, test.note)
			}
			if _, err := schema.Match("query", []string{"a"}); test.note != "" && test.opt.Keep == nil &&
				err != nil {
				t.Errorf("a query table without names of rows: %v", err)
			}
			extra, err := schema.Match("query", []string{"Unnamed: 0", "__index_level_0__", "a"})
			if err != nil || test.note != "" && len(extra) > 1 {
				t.Errorf("a query table with names of rows: %v, notes %q", err, extra)
			}
		})
	}
}

// Codes are no numbers in another spelling, whatever letters they begin with.
func TestCodesDoNotResembleNumbers(t *testing.T) {
	for text, want := range map[string]bool{"p0": false, "A-12": false, "ID_7001": false, "é1": false,
		"~3": true, "<0.4": true, "5.88*": true, "12h30": true, "feb-xx 2021": true, "2020Q1": true,
		"ca. 250": true, "oslo": false} {
		if resembles(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
	rows := "x,code,y\n"
	for i := range 30 {
		rows += fmt.Sprintf("%d,p%d,%d\n", i%7, i%9, i)
	}
	if s := learnText(t, rows, SchemaOptions{Target: "y"}); len(s.Notes) > 0 {
		t.Error(s.Notes)
	}
}
