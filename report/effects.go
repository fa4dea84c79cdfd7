package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
)

// Effects draws the average answer against the value of a column, or of two columns: one panel per
// functional and effect. A panel shows the interval at every value, the simultaneous band, and at
// its lower edge how many rows of the table are near every value.
type Effects struct {
	Asked
	Effects []Effect

	// Width and Height are the size in pixels of 1/96 inch; 0 chooses it by the number of panels.
	Width, Height int
}

// Effect is the effect of one column, or of two. With two it has one curve per value of the second
// column.
type Effect struct {
	Column string
	X      []float64 // values of a numeric column; nil if Names is set
	Names  []string  // categories or dates; nil for a numeric column
	Curves []Curve
}

// Curve is the average answer by the value of a column.
type Curve struct {
	Given  string         // the second column and its value, "" without one
	Points [][]CurvePoint // by functional and value
	Thin   []bool         // by value: most rows with this value are far from the table
	Rows   []int          // by value: number of table rows whose own value is nearest to it
}

// CurvePoint is an average answer with its interval, and the limits of the simultaneous band.
type CurvePoint struct{ Point, Lo, Hi, BandLo, BandHi float64 }

// effectColumns is the most panels beside each other.
const effectColumns = 4

// Write draws the figure in the named format, "png" or "svg". Equal figures give equal bytes.
func (e Effects) Write(w io.Writer, format string) error { return e.chart().Write(w, format) }

// chart implements Drawing.
func (e Effects) chart() Chart {
	columns := min(effectColumns, len(e.Effects))
	var grid [][]Panel
	for f := range e.Functionals {
		var panels []Panel
		for _, effect := range e.Effects {
			panels = append(panels, e.panel(effect, f))
		}
		shareRange(panels)
		for i, effect := range e.Effects {
			panels[i].addRows(effect)
		}
		for first := 0; first < len(panels); first += columns {
			line := make([]Panel, columns)
			copy(line, panels[first:])
			grid = append(grid, line)
		}
	}
	return Chart{Panels: grid, Width: e.centimetres(e.Width, max(420, 260*columns)),
		Height: e.centimetres(e.Height, 60+230*len(grid)),
		Alt:    fmt.Sprintf("Effects of %s", counted(len(e.Effects), "column"))}
}

// centimetres is the length of so many pixels, or of others where they are 0.
func (e Effects) centimetres(pixels, usual int) float64 {
	return float64(cmp.Or(pixels, usual)) / 96 * 2.54
}

// panel is the panel of an effect.
func (e Effects) panel(effect Effect, f int) Panel {
	p := Panel{Title: e.Functionals[f], X: effect.Column, Y: e.Target, Names: effect.Names}
	if e.Events[f] {
		p.Y = "probability"
	}
	x := effect.places()
	if len(effect.Curves) > 1 || effect.Curves[0].Given != "" {
		for _, c := range effect.Curves {
			p.Series = append(p.Series, c.line(x, f, c.Given, Line))
		}
		return p
	}
	c, shape, mark := effect.Curves[0], Band, Line
	if effect.Names != nil {
		shape, mark = Wide, Rings
	}
	band := Series{Name: percent(e.Level) + " band for the whole curve", Mark: shape, X: x}
	spans := Series{Name: percent(e.Level) + " interval at each value", Mark: Spans, X: x, thin: 0.6}
	for _, v := range c.Points[f] {
		band.Lo, band.Hi = append(band.Lo, v.BandLo), append(band.Hi, v.BandHi)
		spans.Lo, spans.Hi = append(spans.Lo, v.Lo), append(spans.Hi, v.Hi)
	}
	p.Series = []Series{band, spans, c.line(x, f, "average answer", mark)}
	return p
}

// line joins the averages of a curve.
func (c Curve) line(x []float64, f int, name string, mark Mark) Series {
	s := Series{Name: name, Mark: mark, X: x}
	for _, v := range c.Points[f] {
		s.Y = append(s.Y, v.Point)
	}
	return s
}

// places are the horizontal values.
func (e Effect) places() []float64 {
	if e.Names == nil {
		return e.X
	}
	places := make([]float64, len(e.Names))
	for i := range places {
		places[i] = float64(i)
	}
	return places
}

// addRows draws how many rows of the table are near every value, at the lower edge of a panel.
func (p *Panel) addRows(e Effect) {
	if p.Range == nil || len(e.Curves) > 1 {
		return
	}
	rows := e.Curves[0].Rows
	room := 0.1 * (p.Range[1] - p.Range[0])
	p.Range = []float64{p.Range[0] - 1.2*room, p.Range[1]}
	s := Series{Name: "number of rows near the value", Mark: Spans, Ink: true, thin: 0.6,
		X: e.places()}
	for _, n := range rows {
		s.Lo = append(s.Lo, p.Range[0])
		s.Hi = append(s.Hi, p.Range[0]+room*float64(n)/float64(max(1, slices.Max(rows))))
	}
	p.Series = append(p.Series, s)
}
