package report

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
)

// Figure draws rows with their credible and predictive intervals, one line of panels per functional
// and one panel per posterior. Rows are sorted by prediction; rows with dates keep their order.
// Functionals in units of the target come with predictive intervals and observed labels;
// probabilities are drawn from 0 to 1. For classes the figure draws the four most frequent ones.
type Figure struct {
	Asked
	Rows []Row
	Kept string // name of the first kept column, "" for none; its dates label the rows
	All  int    // rows of the query table if Rows is a sample of them; else 0

	// Width and Height are the size in pixels of 1/96 inch; 0 means 760 and 420, and more for more
	// panels. A PNG of that usual size has two dots for each pixel.
	Width, Height int
}

// pixels of the figure where its size is 0.
const (
	figureWidth  = 760 // of one posterior
	figureColumn = 380 // of every other
	figureHeight = 420 // of one functional
	figureLine   = 220 // of every other
)

// rowPixels is the least room of a row: less than that, and neighbours touch each other. More rows
// are thinned to evenly spaced ranks.
const rowPixels = 3.4 // 200 rows of the usual width

// Write draws the figure in the named format, "png" or "svg". Equal figures give equal bytes.
func (f Figure) Write(w io.Writer, format string) error {
	if len(f.Rows) == 0 {
		return fmt.Errorf("the query table has no rows to draw")
	}
	return f.grid(1+len(f.Others)).Write(w, format)
}

// chart is the figure of a page, where all posteriors share the panels of one column and those
// after the first are shown when their names are pressed.
func (f Figure) chart() Chart { return f.grid(1) }

// grid is the figure with a line of panels by functional and so many columns of posteriors.
func (f Figure) grid(columns int) Chart {
	width := cmp.Or(f.Width, figureWidth+figureColumn*(columns-1))
	height := cmp.Or(f.Height, figureHeight+figureLine*(len(f.lines())-1))
	by := f.lines()[0]
	byDate := f.Kept != "" && dated(f.Rows)
	rows := f.Rows
	if !byDate {
		rows = sorted(rows, by)
	}
	rows = thin(rows, int(max(20, float64(width/columns-80)/rowPixels)))
	order, spaced := "row numbers, sorted by "+f.Functionals[by]+f.classesLeft(),
		"evenly spaced in rank"
	if byDate {
		order, spaced = f.Kept+f.classesLeft(), "evenly spaced"
	}
	if all := max(f.All, len(f.Rows)); len(rows) < all {
		order += fmt.Sprintf("; %d of %d rows, %s", len(rows), all, spaced)
	}
	var grid [][]Panel
	for _, k := range f.lines() {
		line := make([]Panel, columns)
		for m := range line {
			line[m] = f.panel(rows, k, byDate)
		}
		f.credible(line, rows, k)
		if labels := f.labelled(rows, k); labels.X != nil {
			for m := range line {
				line[m].Series = append(line[m].Series, labels)
			}
		}
		if !f.Events[k] {
			ShareRange(line)
		}
		grid = append(grid, line)
	}
	for m := range columns {
		grid[len(grid)-1][m].X = order
	}
	return Chart{Panels: grid, Width: centimetres(width), Height: centimetres(height),
		Exact: f.Width > 0, Alt: fmt.Sprintf("Intervals of %s", counted(len(rows), "row"))}
}

// panel has the predictive intervals that functional k is drawn with.
func (f Figure) panel(rows []Row, k int, byDate bool) Panel {
	p := Panel{Y: f.Target, Title: f.Functionals[k]}
	for _, r := range rows {
		name := strconv.FormatInt(r.At, 10)
		if byDate {
			name = r.Kept[0]
		}
		p.Names = append(p.Names, name)
	}
	if f.Events[k] {
		p.Y, p.Range = "probability", []float64{-0.03, 1.03}
		return p
	}
	if label := spans(rows, func(r Row) (lo, hi float64) {
		return r.LabelLo, r.LabelHi
	}); label.X != nil {
		label.Name, label.Mark = Level(f.Level)+" predictive interval of the label", Wide
		p.Series = append(p.Series, label)
	}
	return p
}

// credible adds functional k with the credible intervals of every posterior: each in a panel of its
// own, or all in the only one.
func (f Figure) credible(line []Panel, rows []Row, k int) {
	usual := "estimate with " + Level(f.Level) + " credible interval"
	if len(line) <= len(f.Others) {
		usual += ", " + f.Posterior
	}
	points := Series{Name: usual, Mark: Rings}
	for i, r := range rows {
		points.X, points.Y = append(points.X, float64(i)), append(points.Y, r.Estimates[k].Point)
	}
	for m, name := range append([]string{f.Posterior}, f.Others...) {
		s := spans(rows, func(r Row) (lo, hi float64) {
			if e := r.Estimates[k]; m > 0 {
				return e.Others[m-1][0], e.Others[m-1][1]
			}
			return r.Estimates[k].Lo, r.Estimates[k].Hi
		})
		s.Name = usual
		if m >= len(line) {
			s.Name, s.Off, s.Thin = name, true, 0.5
			line[0].Series = append(line[0].Series, s)
			continue
		}
		line[m].Series = append(line[m].Series, s, points)
		if len(line) > 1 {
			line[m].Title += ", " + name
		}
	}
}

func spans(rows []Row, interval func(Row) (lo, hi float64)) Series {
	s := Series{Mark: Spans}
	for i, r := range rows {
		if lo, hi := interval(r); !math.IsNaN(lo) && !math.IsNaN(hi) {
			s.X, s.Lo, s.Hi = append(s.X, float64(i)), append(s.Lo, lo), append(s.Hi, hi)
		}
	}
	return s
}

// labelled are the labels that are known, none of them beside an event of numbers. In panel k of
// classes a label is 1 where it is the class, 0 where it is another.
func (f Figure) labelled(rows []Row, k int) Series {
	s := Series{Name: "observed label", Mark: Dots, Ink: true}
	if f.Classes != nil {
		s.Name = "observed (1: this class, 0: another)"
	}
	for i, r := range rows {
		y := r.Label
		switch {
		case math.IsNaN(y), f.Classes == nil && f.Events[k]:
			continue
		case f.Classes != nil:
			y = map[bool]float64{true: 1}[y == float64(k)]
		}
		s.X, s.Y = append(s.X, float64(i)), append(s.Y, y)
	}
	return s
}

func sorted(rows []Row, by int) []Row {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Compare(a.Estimates[by].Point, b.Estimates[by].Point)
	})
	return rows
}

// thin keeps at most so many of the rows at evenly spaced ranks, the first and the last included.
func thin(rows []Row, most int) []Row {
	if len(rows) <= most {
		return rows
	}
	kept := make([]Row, most)
	for i := range kept {
		kept[i] = rows[i*(len(rows)-1)/(most-1)]
	}
	return kept
}

// maxClassPanels is the largest number of classes in a figure.
const maxClassPanels = 4

// lines lists the functionals that have a line of panels, probabilities last. Rows are sorted by
// the first.
func (f Figure) lines() []int {
	all := f.Shown(f.Rows)
	if f.Classes != nil {
		return all[:min(len(all), maxClassPanels)]
	}
	first := func(k int) int { return slices.Index([]bool{false, true}, f.Events[k]) }
	slices.SortStableFunc(all, func(a, b int) int { return first(a) - first(b) })
	return all
}

// classesLeft says which classes a figure leaves out.
func (f Figure) classesLeft() string {
	if shown := len(f.lines()); len(f.Classes) > 2 && shown < len(f.Classes) {
		return fmt.Sprintf("; the %d most frequent of %d classes", shown, len(f.Classes))
	}
	return ""
}
