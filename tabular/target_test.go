package tabular

import (
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
)

func TestTargetKind(t *testing.T) {
	for _, c := range []struct {
		labels string // separated by |
		opt    SchemaOptions
		want   Kind
	}{
		{"1|0|1", SchemaOptions{}, Numeric},
		{"1|0|1", SchemaOptions{Categorical: []string{"y"}}, Categorical},
		{"no|yes", SchemaOptions{}, Categorical},
		{"no|yes", SchemaOptions{Numeric: []string{"y"}}, Numeric},
		{"True|FALSE|", SchemaOptions{}, Boolean},
		{"1.5|2.l|3|4", SchemaOptions{}, Numeric},
		{"1,5|2,5|3,5", SchemaOptions{}, Numeric},
		{"1|a|b", SchemaOptions{}, Categorical},
		{"2020-01-02|2021-01-02", SchemaOptions{}, Date},
		{"NA|", SchemaOptions{}, Empty},
	} {
		text := "x;y\n"
		for label := range strings.SplitSeq(c.labels, "|") {
			text += "1;" + label + "\n"
		}
		c.opt.Target = "y"
		got, err := TargetKind(readText(t, text, ReadOptions{Delimiter: ';'}), c.opt)
		if err != nil || got != c.want {
			t.Errorf("%q %v: %v, error %v, want %v", c.labels, c.opt, got, err, c.want)
		}
	}
	table := readText(t, "x,y\n1,2\n", ReadOptions{})
	for _, opt := range []SchemaOptions{{}, {Target: "z"}, {Target: "y", Ignore: []string{"y"}}} {
		if kind, err := TargetKind(table, opt); err == nil {
			t.Errorf("%v: %v", opt, kind)
		}
	}
}

func TestNotesOnLabels(t *testing.T) {
	for labels, want := range map[string]string{
		"a|b|A":     `labels that differ only by case or spaces: "A" and "a"`,
		"a|A|B|b":   `"A" and "a", "B" and "b"`,
		"007|7|12":  `numbers with leading zeros, the first is "007" (line 2)`,
		"yes|' yes": "", "a|b": "", "1|2|1": "",
		"Ärger|b|ärger": `"Ärger" and "ärger"`,
	} {
		table := readText(t, withLabels(strings.Split(labels, "|")...), ReadOptions{})
		notes := strings.Join(learned(t, table, labelOptions()).Notes, "")
		if !strings.Contains(notes, want) || want == "" && notes != "" {
			t.Errorf("%q: notes %q, want %q", labels, notes, want)
		}
	}
}

// A text column of Parquet that holds numbers only has classes, which a note doubts.
func TestNoteOnLabelsThatAreNumbers(t *testing.T) {
	table := typedTable(t, arrayOf(t, arrow.BinaryTypes.String, `["1.5", "2.5", "-3", "1.5"]`))
	opt := SchemaOptions{Target: "x", Labels: true}
	s := learned(t, table, opt)
	if len(s.Notes) != 1 || !strings.Contains(s.Notes[0], "though every value is a number") {
		t.Errorf("notes %q", s.Notes)
	}
	opt.Categorical = []string{"x"}
	if s := learned(t, table, opt); len(s.Notes) != 0 || len(s.Labels.Texts) != 3 {
		t.Errorf("asked for: notes %q, labels %q", s.Notes, s.Labels.Texts)
	}
}
