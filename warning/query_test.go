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
