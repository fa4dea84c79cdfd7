package warning

import (
	"testing"

	"github.com/pfnamp/pfnamp/tabular"
)

func TestOddOfAConstant(t *testing.T) {
	s := &tabular.Schema{File: "t.csv", Rows: 100,
		Columns: []tabular.Column{{Name: "k", Lo: 5, Hi: 5}}}
	got := Tally{Counted: 2, Outside: map[string]int{"k": 1}}.Warnings(s, false)
	want := `column "k": 1 of 2 rows (50 %) have another value than the only one of t.csv, 5: ` +
		"the model learns nothing from this column"
	if len(got) != 1 || got[0].Kind != OutsideRange || got[0].Text != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Unseen categories of all columns are one warning; of one column, it names the column.
func TestUnseenOfColumns(t *testing.T) {
	s := &tabular.Schema{File: "t.csv"}
	one := Tally{Counted: 2, UnseenValues: map[string][]tabular.UnseenValue{
		"a": {{Text: "x", Row: 1, Line: 2}}, "b": {{Text: "y", Row: 3, Near: "z"}}}}
	text := `column "a": 2 cells with a category that t.csv does not have, treated as unknown: "x" (line 2)`
	for _, c := range []struct {
		unseen       map[string]int
		column, want string
	}{
		{map[string]int{"a": 2}, "a", text},
		{map[string]int{"b": 1, "a": 2}, "", text + `; column "b": 1 cell: "y" (row 3, nearest "z")`},
	} {
		one.Unseen = c.unseen
		got := one.Warnings(s, true)
		if len(got) != 1 || got[0].Column != c.column || got[0].Text != c.want {
			t.Errorf("%+v, want %s", got, c.want)
		}
	}
}
