package report

import (
	"cmp"
	"fmt"
	"image/color"
	"io"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/pfnamp/pfnamp/internal/plain"
)

// maxDrawn is the number of rows that a figure shows; more are thinned to
// evenly spaced ranks, since a pixel cannot hold two bars.
const maxDrawn = 200

// Row is what a figure shows of one query row, in units of the target.
type Row struct {
	Point            float64    // point estimate of the functional
	Lo, Hi           float64    // credible interval of the functional
	LabelLo, LabelHi float64    // predictive interval of the label
	Other            [2]float64 // credible interval of another posterior, where the figure has one
}

// Figure draws rows sorted by point estimate with both kinds of interval.
type Figure struct {
	Functional string  // name of the functional, such as "mean"
	Target     string  // name and unit of the target, for the vertical axis
	Level      float64 // probability that the intervals hold, in (0, 1)
	Rows       []Row

	Posterior, Other string // of the credible intervals; Other is "" for none
}

// Colours are distinguishable in greyscale and by colour-blind readers.
var (
	labelColor      = color.RGBA{R: 0xb9, G: 0xd3, B: 0xea, A: 0xff}
	functionalColor = color.RGBA{R: 0x1f, G: 0x5a, B: 0x96, A: 0xff}
	otherColor      = color.RGBA{R: 0xd5, G: 0x5e, B: 0x00, A: 0xff}
	pointColor      = color.RGBA{R: 0xff, G: 0xb0, B: 0x3a, A: 0xff}
)

// Write draws the figure in the named format, "png" or "svg". Equal figures
// give equal bytes.
func (f Figure) Write(w io.Writer, format string) error {
	if format != "png" && format != "svg" {
		return fmt.Errorf("cannot draw %q: the formats are png and svg", format)
	}
	if len(f.Rows) == 0 {
		return fmt.Errorf("nothing to draw: the query table has no rows")
	}
	p, err := f.plot()
	if err != nil {
		return err
	}
	canvas, err := p.WriterTo(20*vg.Centimeter, 11*vg.Centimeter, format)
	if err != nil {
		return err
	}
	return writeDrawing(w, canvas, format)
}

// writeDrawing writes what has been drawn; the texts of an SVG file are made safe to show.
func writeDrawing(w io.Writer, canvas io.WriterTo, format string) error {
	if format == "svg" {
		w = &plain.Writer{To: w}
	}
	_, err := canvas.WriteTo(w)
	return err
}

func (f Figure) plot() (*plot.Plot, error) {
	rows := thin(f.Rows)
	p := plot.New()
	p.Title.Text = fmt.Sprintf("%s of %s, %s", f.Functional, f.Target, shown(len(rows), len(f.Rows)))
	p.X.Label.Text = "query rows, sorted by prediction"
	p.Y.Label.Text = f.Target
	p.X.Min, p.X.Max = 0, float64(len(rows)+1)
	p.X.Padding = vg.Points(4)
	p.Title.Padding = vg.Points(6)
	p.Legend.Top, p.Legend.Left = true, true
	p.Legend.Padding = vg.Points(3)
	p.Legend.ThumbnailWidth = vg.Points(16)
	sansSerif(p)
	grid := plotter.NewGrid()
	grid.Vertical.Width = 0
	grid.Horizontal.Color = color.Gray{Y: 0xe6}
	p.Add(grid)

	width := barWidth(len(rows))
	label := bars{rows, Row.labelInterval, draw.LineStyle{Color: labelColor, Width: width}}
	credible := bars{rows, Row.interval, draw.LineStyle{Color: functionalColor, Width: width / 2}}
	points, err := plotter.NewScatter(pointsOf(rows))
	if err != nil {
		return nil, err
	}
	points.GlyphStyle = draw.GlyphStyle{
		Color: pointColor, Radius: max(vg.Points(1.4), width/2.4), Shape: draw.CircleGlyph{},
	}
	other := bars{rows, Row.otherInterval, draw.LineStyle{Color: otherColor, Width: width / 4}}
	p.Add(label)
	if f.Other != "" {
		p.Add(other)
	}
	p.Add(credible, points)
	percent, by := fmt.Sprintf("%g %%", 100*f.Level), ""
	if f.Other != "" {
		by = ", " + f.Posterior
	}
	p.Legend.Add(" "+f.Functional+", point estimate", points)
	p.Legend.Add(" "+percent+" credible interval of the "+f.Functional+by, credible)
	room := 0.22
	if f.Other != "" {
		p.Legend.Add(" the same, "+f.Other, other)
		room = 0.28
	}
	p.Legend.Add(" "+percent+" predictive interval of the label", label)
	p.Y.Max += room * (p.Y.Max - p.Y.Min) // for the legend
	return p, nil
}

// shown says how many rows a figure shows.
func shown(drawn, all int) string {
	switch {
	case drawn < all:
		return fmt.Sprintf("%d of %d rows", drawn, all)
	case all == 1:
		return "1 row"
	}
	return fmt.Sprintf("%d rows", all)
}

// sansSerif sets every text of p in a face that reads well at screen size.
func sansSerif(p *plot.Plot) {
	for _, face := range []*font.Font{
		&p.Title.TextStyle.Font, &p.Legend.TextStyle.Font,
		&p.X.Label.TextStyle.Font, &p.X.Tick.Label.Font,
		&p.Y.Label.TextStyle.Font, &p.Y.Tick.Label.Font,
	} {
		face.Variant = "Sans"
	}
}

func (r Row) interval() (lo, hi float64)      { return r.Lo, r.Hi }
func (r Row) otherInterval() (lo, hi float64) { return r.Other[0], r.Other[1] }
func (r Row) labelInterval() (lo, hi float64) { return r.LabelLo, r.LabelHi }

// thin sorts rows by point estimate and keeps at most maxDrawn of them at
// evenly spaced ranks, the lowest and the highest included.
func thin(rows []Row) []Row {
	sorted := slices.Clone(rows)
	slices.SortStableFunc(sorted, func(a, b Row) int { return cmp.Compare(a.Point, b.Point) })
	if len(sorted) <= maxDrawn {
		return sorted
	}
	kept := make([]Row, maxDrawn)
	for i := range kept {
		kept[i] = sorted[i*(len(sorted)-1)/(maxDrawn-1)]
	}
	return kept
}

// barWidth leaves a gap between neighbouring bars on a 17 cm axis.
func barWidth(n int) vg.Length {
	return min(vg.Points(9), max(vg.Points(1), 0.7*17*vg.Centimeter/vg.Length(n)))
}

func pointsOf(rows []Row) plotter.XYs {
	xys := make(plotter.XYs, len(rows))
	for i, r := range rows {
		xys[i] = plotter.XY{X: float64(i + 1), Y: r.Point}
	}
	return xys
}
