package report

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"
)

// Figure draws rows sorted by prediction with both kinds of interval. Functionals in the unit of the
// target share one panel with the predictive interval and the observed labels; probabilities have a
// panel of their own, from 0 to 1.
type Figure struct {
	Asked
	Rows []Row
	All  int // rows of the query table, if Rows are a part of them; 0 if they are not

	// Width and Height are the size in pixels of 1/96 inch; 0 means 760 and 420, with probabilities
	// beside others 640.
	Width, Height int
}

// pixels of the figure where its size is 0.
const (
	figureWidth  = 760
	figureHeight = 420
	figureBoth   = 640 // with two panels
)

// rowPixels is the least room of a row: less than that, and neighbours touch each other. More rows are
// thinned to evenly spaced ranks.
const rowPixels = 3.4 // 200 rows of the usual width

// Write draws the figure in the named format, "png" or "svg". Equal figures give equal bytes.
func (f Figure) Write(w io.Writer, format string) error {
	if format != "png" && format != "svg" {
		return fmt.Errorf("cannot draw %q: the formats are png and svg", format)
	}
	if len(f.Rows) == 0 {
		return fmt.Errorf("nothing to draw: the query table has no rows")
	}
	return f.chart().Write(w, format)
}

// chart is the figure as a grid of one column.
func (f Figure) chart() Chart {
	width, height := f.Width, f.Height
	if width == 0 {
		width = figureWidth
	}
	by := f.sortedBy()
	rows := thin(f.Rows, by, int(max(20, float64(width-80)/rowPixels)))
	order := "rows by number, sorted by " + f.Functionals[by]
	if all := max(f.All, len(f.Rows)); len(rows) < all {
		order += fmt.Sprintf("; %d of %d, evenly spaced in rank: more would touch", len(rows), all)
	}
	var grid [][]Panel
	if target := f.panel(rows, false); target.Series != nil {
		grid = append(grid, []Panel{target})
	}
	if events := f.panel(rows, true); events.Series != nil {
		events.Y, events.Range = "probability", []float64{-0.03, 1.03}
		grid = append(grid, []Panel{events})
	}
	grid[len(grid)-1][0].X = order
	if height == 0 {
		height = figureHeight
		if len(grid) > 1 {
			height = figureBoth
		}
	}
	toCentimetres := func(pixels int) float64 {
		return float64(pixels) / 96 * float64(vg.Inch/vg.Centimeter)
	}
	return Chart{Panels: grid, Width: toCentimetres(width), Height: toCentimetres(height),
		Alt: fmt.Sprintf("%d rows with their intervals", len(rows))}
}

// sortedBy is the functional that rows are sorted by: the first in the unit of the target, if there
// is one.
func (f Figure) sortedBy() int { return max(0, slices.Index(f.Events, false)) }

// panel shows the functionals that are events, or those that are not.
func (f Figure) panel(rows []Row, events bool) Panel {
	p := Panel{Y: f.Target}
	var drawn []int
	for k, event := range f.Events {
		if event == events {
			drawn = append(drawn, k)
		}
	}
	if drawn == nil {
		return p
	}
	for _, r := range rows {
		p.Names = append(p.Names, strconv.FormatInt(r.At, 10))
	}
	if label := spans(rows, func(r Row) (lo, hi float64) { return r.LabelLo, r.LabelHi }); !events &&
		label.X != nil {
		label.Name, label.Mark = percent(f.Level)+" predictive interval of the label", Wide
		p.Series = append(p.Series, label)
	}
	for i, k := range drawn {
		aside := 0.7 * (float64(2*i+1)/float64(2*len(drawn)) - 0.5) // beside the other functionals
		for _, s := range f.functional(rows, k) {
			s.thin = cmp.Or(s.thin, 1) / float64(len(drawn))
			for j := range s.X {
				s.X[j] += aside
			}
			p.Series = append(p.Series, s)
		}
	}
	if labels := labelled(rows); !events && labels.X != nil {
		p.Series = append(p.Series, labels)
	}
	return p
}

// functional draws functional k with its credible intervals.
func (f Figure) functional(rows []Row, k int) []Series {
	credible := spans(rows, func(r Row) (lo, hi float64) {
		return r.Estimates[k].Lo, r.Estimates[k].Hi
	})
	credible.Name = f.Functionals[k] + " with " + percent(f.Level) + " credible interval"
	if len(f.Others) > 0 {
		credible.Name += ", " + f.Posterior
	}
	all := []Series{credible}
	for m, name := range f.Others {
		other := spans(rows, func(r Row) (lo, hi float64) {
			return r.Estimates[k].Others[m][0], r.Estimates[k].Others[m][1]
		})
		other.Name, other.Off, other.thin = f.Functionals[k]+", "+name, true, 0.5
		all = append(all, other)
	}
	points := Series{Name: credible.Name, Mark: Rings}
	for i, r := range rows {
		points.X, points.Y = append(points.X, float64(i)), append(points.Y, r.Estimates[k].Point)
	}
	return append(all, points)
}

// spans are the intervals of rows that have them.
func spans(rows []Row, interval func(Row) (lo, hi float64)) Series {
	s := Series{Mark: Spans}
	for i, r := range rows {
		if lo, hi := interval(r); !math.IsNaN(lo) && !math.IsNaN(hi) {
			s.X, s.Lo, s.Hi = append(s.X, float64(i)), append(s.Lo, lo), append(s.Hi, hi)
		}
	}
	return s
}

// labelled are the labels of rows that are known.
func labelled(rows []Row) Series {
	s := Series{Name: "observed label", Mark: Dots, Ink: true}
	for i, r := range rows {
		if !math.IsNaN(r.Label) {
			s.X, s.Y = append(s.X, float64(i)), append(s.Y, r.Label)
		}
	}
	return s
}

// thin sorts rows by a functional and keeps at most so many of them at evenly spaced ranks, the
// lowest and the highest included.
func thin(rows []Row, by, most int) []Row {
	sorted := slices.Clone(rows)
	slices.SortStableFunc(sorted, func(a, b Row) int {
		return cmp.Compare(a.Estimates[by].Point, b.Estimates[by].Point)
	})
	if len(sorted) <= most {
		return sorted
	}
	kept := make([]Row, most)
	for i := range kept {
		kept[i] = sorted[i*(len(sorted)-1)/(most-1)]
	}
	return kept
}
