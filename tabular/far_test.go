package tabular

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// Values far from the rest are noted with their number, line and remedies, which hold; values
// of usual columns are not.
func TestFarValues(t *testing.T) {
	for _, c := range []struct {
		far   string // of some cells
		cells int
		value func(i int) any // of others
		want  string          // "" for no note
	}{
		{"-999999", 10, func(i int) any { return 0.5 * float64(i%30) },
			`lie between 0 and 14.5: 10 cells are "-999999" (line 2); if that means missing, add ` +
				`ReadOptions.NA -999999,`},
		{"99999.0", 3, func(i int) any { return i % 41 }, `3 cells are "99999.0" (line 2)`},
		{"1e30", 1, func(i int) any { return 0.5 * float64(i%30) }, `1 cell is "1e30" (line 2)`},
		{"0", 1, func(i int) any { return 1990 + i%30 }, "between 1990 and 2019: 1 cell is"},
		{"99", 5, func(i int) any { return i % 2 }, "between 0 and 1: 5 cells are"},
		{"9999-12-31", 5, func(i int) any { return fmt.Sprintf("2021-%02d-%02d", 1+i%12, 1+i%28) },
			`between 2021-01-01 and 2021-12-28: 5 cells are "9999-12-31"`},
		{"0", 10, func(i int) any { return 1 + i%40 }, ""},
		{"150", 1, func(i int) any { return i % 40 }, ""},
		{"5", 10, func(i int) any { return i % 2 }, ""},
		{"7", 10, func(int) any { return 3 }, ""},
		{"40", 80, func(i int) any { return i % 4 }, ""},
	} {
		text := "x,y\n"
		for i := range 100 {
			v := c.value(i)
			if i < c.cells {
				v = c.far
			}
			text += fmt.Sprintf("%v,%d\n", v, i)
		}
		opt := SchemaOptions{Target: "y"}
		noted := strings.Join(learnText(t, text, opt).Notes, "; ")
		if !strings.Contains(noted, c.want) || (c.want != "") != strings.Contains(noted, "far from") {
			t.Errorf("%s: notes %q, want %q", c.far, noted, c.want)
		}
		opt.Numeric = []string{"x"}
		kept := strings.Join(learnText(t, text, opt).Notes, "; ")
		missing := learned(t, readText(t, strings.ReplaceAll(text, ","+c.far+"\n", ",-1\n"),
			ReadOptions{NA: []string{c.far, ""}}), SchemaOptions{Target: "y"})
		if c.want != "" && missing.Columns[0].Missing != c.cells ||
			strings.Contains(strings.Join(missing.Notes, ";")+kept, "far from") {
			t.Errorf("%s: %d missing, notes %q, kept %q", c.far, missing.Columns[0].Missing,
				missing.Notes, kept)
		}
	}
}

// Groups of values far from the rest are noted, such as grams among kilograms and two signs of
// missing values; wide tails and halves are not.
func TestFarGroups(t *testing.T) {
	for name, c := range map[string]struct {
		value func(i int) float64
		want  string
	}{
		"grams": {func(i int) float64 {
			return float64(40+i%60) * []float64{1, 1, 1000, 1}[i%4]
		}, "between 40 and 99: 50 cells are between 42000 and 98000, the first is \"42000\" (line 4); " +
			"if they have another unit, convert them; otherwise keep the numbers with"},
		"tonnes": {func(i int) float64 { return float64(40+i%60) / []float64{1, 1, 1, 1000}[i%4] },
			"between 40 and 98: 50 cells are between 0.043 and 0.099,"},
		"subtotals": {func(i int) float64 {
			return map[bool]float64{true: float64(2000 + i), false: float64(i % 90)}[i%50 == 49]
		}, "between 0 and 89: 4 cells are between 2049 and 2199,"},
		"two signs": {func(i int) float64 { return []float64{98, 99, 0, 1, 2, 3, 4, 5, 6, 7}[i%10] },
			"between 0 and 7: 40 cells are between 98 and 99, the first is \"98\" (line 2); if they have " +
				"another unit, convert them; if that means missing, add ReadOptions.NA 98,99,"},
		"wide tails":  {func(i int) float64 { return math.Tan(math.Pi * (float64(i)/200 - 0.4975)) }, ""},
		"decades":     {func(i int) float64 { return math.Exp(float64(i%41) / 4) }, ""},
		"half of two": {func(i int) float64 { return float64(i%40) * []float64{1, 1e6}[i%2] }, ""},
	} {
		text := "x,y\n"
		for i := range 200 {
			text += fmt.Sprintf("%v,%d\n", c.value(i), i*i%13)
		}
		noted := strings.Join(learnText(t, text, SchemaOptions{Target: "y"}).Notes, "; ")
		if !strings.Contains(noted, c.want) || (c.want != "") != strings.Contains(noted, "far from") {
			t.Errorf("%s: notes %q, want %q", name, noted, c.want)
		}
	}
}

// Signs of missing values in queries are noted where no number of the training table is negative.
func TestSignsOfQueries(t *testing.T) {
	s := learnText(t, "x,z,y\n3,-5,1\n400,7,2\n", SchemaOptions{Target: "y"})
	f, err := s.Features(readText(t, "x,z\n-999,-999\n-1,6\n999,7\n-999,7\n401,7\n",
		ReadOptions{}).Batches[0])
	sign := `column "x" has %d, which often means missing: then leave the cell empty`
	want := fmt.Sprintf(sign+"; "+sign+"; "+sign, -999, -1, 999)
	if err != nil || strings.Join(f.Notes, "; ") != want || f.Outside["x"] != 5 {
		t.Errorf("%q, %v, %v", f.Notes, f.Outside, err)
	}
}

// Such values of the target are noted likewise, and the remedies hold: rows without a target, or
// numbers as they are. Of few rows nothing is far.
func TestFarTarget(t *testing.T) {
	for _, c := range []struct {
		cells, rows int
		want        string
	}{
		{5, 60, `column "y" has values far from the rest, which lie between 0 and 6: 5 cells are ` +
			`"-999" (line 2); if that means missing, add ReadOptions.NA -999,`},
		{1, 6, `1 cell is "-999" (line 2)`},
		{1, 5, ""},
		{0, 60, ""},
	} {
		text := "x,y\n"
		for i := range c.rows {
			y := i % 7
			if i < c.cells {
				y = -999
			}
			text += fmt.Sprintf("%g,%d\n", math.Sin(float64(i)), y)
		}
		opt := SchemaOptions{Target: "y"}
		noted := strings.Join(learnText(t, text, opt).Notes, "; ")
		if !strings.Contains(noted, c.want) || (c.want == "") != (noted == "") {
			t.Errorf("%d of %d: notes %q, want %q", c.cells, c.rows, noted, c.want)
		}
		opt.Numeric = []string{"y"}
		if notes := learnText(t, text, opt).Notes; notes != nil {
			t.Errorf("%d of %d: kept, but noted: %q", c.cells, c.rows, notes)
		}
	}
}
