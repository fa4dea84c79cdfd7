package check

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// featuresOf compares rows with a context.
func featuresOf(
	t *testing.T, s *tabular.Schema, context pfn.Training, rows []map[string]any,
) Report {
	t.Helper()
	r, err := Features(s, context, batchOf(t, s, rows), 1)
	must.Succeed(t, err)
	return r
}

// Missing cells, new categories and values outside the range are counted by column, in shares of
// the rows.
func TestFeaturesCountCells(t *testing.T) {
	s, context := schemaOf(t, houses(1, 200, 0))
	rows := houses(2, 40, 0)
	for i := range 10 {
		rows[4*i]["town"] = "Atlantis"
	}
	rows[1]["area"], rows[2]["area"] = 1000., -5.
	r := featuresOf(t, s, context, rows)
	columns := map[string]Column{}
	for _, c := range r.Columns {
		columns[c.Name] = c
	}
	if len(columns) != 2 || r.Rows != 40 || r.Context != 200 || r.File != "batch" {
		t.Fatalf("%+v", r)
	}
	area, town := columns["area"], columns["town"]
	near(t, "outside", float64(area.Outside), 2./40)
	near(t, "missing at the fit", float64(area.MissingAtFit), 0.1)
	near(t, "missing", float64(area.Missing), 0.1)
	near(t, "new", float64(town.New), 0.25)
	near(t, "missing towns", float64(town.Missing), 0.25)
	near(t, "the shift of a category", float64(town.Shift), math.NaN())
	if r.Columns[0].Name != "town" {
		t.Errorf("the column that differs most is %s", r.Columns[0].Name)
	}
	for figure, want := range map[string]float64{"new": 0.25, "outside": 0.05, "missing": 0.25,
		"coverage": math.NaN(), "nothing": math.NaN()} {
		near(t, figure, r.Figure(figure), want)
	}
}

// A shift is found, in its column and with its size, and like rows are not said to differ.
func TestFeaturesFindShift(t *testing.T) {
	s, context := schemaOf(t, houses(1, 300, 0))
	found := map[bool]Report{}
	for _, shifted := range []bool{false, true} {
		shift := 0.
		if shifted {
			shift = 10 // a standard deviation
		}
		found[shifted] = featuresOf(t, s, context, houses(3, 300, shift))
	}
	if r := found[false]; !(r.P > 0.01) || r.Drift != 0 || !(r.Supported > 0.9) {
		t.Errorf("like rows: %+v", r)
	}
	r := found[true]
	if !(r.P < 1e-6) || !(r.AUC > 0.65 && r.AUC < 0.85) || !(r.Effective < 0.8*300) {
		t.Errorf("shifted rows: %+v", r)
	}
	near(t, "drift", float64(r.Drift), 2*float64(r.AUC)-1)
	if c := r.Columns[0]; c.Name != "area" || !(c.Shift > 0.7 && c.Shift < 1.3) {
		t.Errorf("the column that differs most: %+v", c)
	}
}

// Too few rows have counts and no test.
func TestFeaturesOfFewRows(t *testing.T) {
	s, context := schemaOf(t, houses(1, 100, 0))
	rows := houses(2, 19, 0)
	rows[0]["town"] = "Atlantis"
	r := featuresOf(t, s, context, rows)
	for _, figure := range []string{"p", "drift", "auc", "supported", "effective_rows"} {
		near(t, figure, r.Figure(figure), math.NaN())
	}
	near(t, "new", r.Figure("new"), 1./19)
}

// Labels are read where the batch has them.
func TestReadLabels(t *testing.T) {
	s, _ := schemaOf(t, houses(1, 100, 0))
	other := houses(2, 30, 0)
	for i := range 12 {
		other[i]["price"] = nil
	}
	b := batchOf(t, s, other)
	if b.Labelled() != 18 {
		t.Errorf("%d labels", b.Labelled())
	}
	at, y := b.labelled(&pfnamp.Fitted{})
	if at[0] != 12 || y[0] != other[12]["price"] {
		t.Errorf("the first label is that of row %d, %v", at[0], y[0])
	}
	for _, row := range other {
		delete(row, "price")
	}
	if n := batchOf(t, s, other).Labelled(); n != 0 {
		t.Errorf("%d labels", n)
	}
}

// The order of the rows of a batch changes nothing, and a date that is later in every row, as in
// new rows, is set apart: it is no drift.
func TestFeaturesOfLaterDates(t *testing.T) {
	dated := func(rows []map[string]any, year int) []map[string]any {
		for i, row := range rows {
			row["day"] = time.Date(year, 1, 1+i, 0, 0, 0, 0, time.UTC)
		}
		return rows
	}
	s, context := schemaOf(t, dated(houses(1, 200, 0), 2023))
	for _, shift := range []float64{0, 10} {
		rows := dated(houses(3, 200, shift), 2025)
		var found []Report
		for range 2 {
			found = append(found, featuresOf(t, s, context, rows))
			slices.Reverse(rows)
		}
		r := found[0]
		if fmt.Sprint(r) != fmt.Sprint(found[1]) {
			t.Errorf("another order: %+v and %+v", r, found[1])
		}
		if (r.Drift > 0) != (shift > 0) || !slices.Equal(r.Later, []string{"day"}) {
			t.Errorf("shift %g: %+v", shift, r)
		}
		last := len(r.Columns) - 1
		if r.Columns[last].Name != "day" || !slices.IsSortedFunc(r.Columns[:last],
			func(a, b Column) int { return cmp.Compare(a.P, b.P) }) {
			t.Errorf("the columns are not in order: %+v", r.Columns)
		}
		text := strings.Join(r.Sentences("train"), " ")
		must.Hold(t, "sentences", text, "day is later in every row than in train")
	}
}
