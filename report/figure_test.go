package report

import (
	"bytes"
	"image/png"
	"math"
	"strings"
	"testing"
)

func exampleRows(n int) []Row {
	rows := make([]Row, n)
	for i := range rows {
		y := 10 * math.Sin(float64(7*i))
		rows[i] = Row{Point: y, Lo: y - 1, Hi: y + 2, LabelLo: y - 6, LabelHi: y + 7}
	}
	return rows
}

func TestFigureIsDeterministicAndDecodes(t *testing.T) {
	f := Figure{Functional: "mean", Target: "y", Level: 0.9, Rows: exampleRows(500)}
	var first, second bytes.Buffer
	for _, w := range []*bytes.Buffer{&first, &second} {
		if err := f.Write(w, "png"); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("two drawings of one figure differ")
	}
	img, err := png.Decode(&first)
	if err != nil {
		t.Fatal(err)
	}
	if size := img.Bounds().Size(); size.X < 600 || size.Y < 300 {
		t.Errorf("picture has %v pixels", size)
	}
}

func TestFigureNamesBothIntervals(t *testing.T) {
	f := Figure{Functional: "q0.9", Target: "price", Level: 0.95, Rows: exampleRows(20)}
	var svg strings.Builder
	if err := f.Write(&svg, "svg"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"95 % credible interval of the q0.9", "95 % predictive interval of the label", "price",
	} {
		if !strings.Contains(svg.String(), want) {
			t.Errorf("the drawing does not say %q", want)
		}
	}
}

// A figure of two posteriors names both.
func TestFigureOfTwoPosteriors(t *testing.T) {
	rows := exampleRows(20)
	for i := range rows {
		rows[i].Other = [2]float64{rows[i].Point - 4, rows[i].Point + 30}
	}
	var one, two strings.Builder
	f := Figure{Functional: "mean", Target: "y", Level: 0.9, Rows: rows, Posterior: "direct"}
	if err := f.Write(&one, "svg"); err != nil {
		t.Fatal(err)
	}
	f.Other = "paper"
	if err := f.Write(&two, "svg"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"interval of the mean, direct", "the same, paper"} {
		if strings.Contains(one.String(), want) || !strings.Contains(two.String(), want) {
			t.Errorf("%q must be said of two posteriors, and only of two", want)
		}
	}
}

func TestFigureRefuses(t *testing.T) {
	f := Figure{Functional: "mean", Target: "y", Level: 0.9}
	if err := f.Write(&bytes.Buffer{}, "png"); err == nil {
		t.Error("a figure without rows was drawn")
	}
	f.Rows = exampleRows(1)
	if err := f.Write(&bytes.Buffer{}, "gif"); err == nil {
		t.Error("an unknown format was drawn")
	}
	if err := f.Write(&bytes.Buffer{}, "svg"); err != nil {
		t.Errorf("one row: %v", err)
	}
}

func TestThinKeepsTheExtremes(t *testing.T) {
	rows := thin(exampleRows(3000))
	if len(rows) != maxDrawn {
		t.Fatalf("%d rows drawn, want %d", len(rows), maxDrawn)
	}
	lowest, highest := math.Inf(1), math.Inf(-1)
	for _, r := range exampleRows(3000) {
		lowest, highest = min(lowest, r.Point), max(highest, r.Point)
	}
	if rows[0].Point != lowest || rows[maxDrawn-1].Point != highest {
		t.Errorf("extremes %g, %g became %g, %g", lowest, highest,
			rows[0].Point, rows[maxDrawn-1].Point)
	}
}
