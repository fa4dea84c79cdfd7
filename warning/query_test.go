package warning

import "testing"

func TestOddOfAConstant(t *testing.T) {
	w := OutsideRange{Column: "k", Cells: 1, Rows: 2, Lo: "5", Hi: "5", File: "t.csv"}
	want := `column "k": 1 of 2 rows (50 %) have another value than the only one of t.csv, 5: ` +
		"the model learns nothing from this column"
	if got := w.String(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
