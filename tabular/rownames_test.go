package tabular

import (
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
