package report

import (
	"slices"
)

// Effects draws the average answer against the value of a column, or of two columns: one panel per
// functional and effect. A panel shows the interval at every value, the simultaneous band, and at
// its lower edge how many rows of the table are near every value. Values that few rows come near
// are hatched. An effect of two columns has two panels of tiles: the average answers, and the
// widths of their intervals.
type Effects struct {
	Asked
	Effects []Effect
}

// Effect is the effect of one column, or of two. With two it has one curve per value of the second
// column.
type Effect struct {
	Column string
	X      []float64 // values of a numeric column; nil if Names is set
	Names  []string  // categories or dates, or all values of two columns; else nil
	Curves []Curve

	Second      string   // column, "" without one
	SecondNames []string // of its values, one for every curve
}

// Curve is the average answer by the value of a column.
type Curve struct {
	Points [][]CurvePoint // by functional and value
	Thin   []bool         // by value: most rows with this value are far from the table
	Rows   []int          // by value: number of table rows whose own value is nearest to it
}

// CurvePoint is an average answer with its interval, and the limits of the simultaneous band.
type CurvePoint struct{ Point, Lo, Hi, BandLo, BandHi float64 }

// Most panels beside each other: of single columns, and where there are pairs.
const effectColumns, pairColumns = 4, 2

// Chart draws the figure in a size by the number of panels.
func (e Effects) Chart() Chart {
	var grid [][]Panel
	columns, width, height := effectColumns, 260, 230
	if slices.ContainsFunc(e.Effects, func(e Effect) bool { return e.Second != "" }) {
		columns, width, height = pairColumns, 420, 340
	}
	for f := range e.Functionals {
		var panels, surfaces []Panel
		for _, effect := range e.Effects {
			if effect.Second == "" {
				panels = append(panels, e.panel(effect, f))
			} else {
				surfaces = append(surfaces, e.surface(effect, f)...)
			}
		}
		ShareRange(panels)
		at := 0
		for _, effect := range e.Effects {
			if effect.Second == "" {
				panels[at].addSupport(effect)
				at++
			}
		}
		panels = append(panels, surfaces...)
		columns = min(columns, len(panels))
		for first := 0; first < len(panels); first += columns {
			line := make([]Panel, columns)
			copy(line, panels[first:])
			grid = append(grid, line)
		}
	}
	return Chart{Panels: grid, Width: centimetres(max(420, width*columns)),
		Height: centimetres(60 + height*len(grid)),
		Alt:    "Effects of " + counted(len(e.Effects), "column")}
}

func (e Effects) panel(effect Effect, f int) Panel {
	p := Panel{Title: e.Functionals[f], X: effect.Column, Y: e.Target, Names: effect.Names}
	if e.Events[f] {
		p.Y = "probability"
	}
	x := effect.places()
	c, shape, mark := effect.Curves[0], Band, Line
	if effect.Names != nil {
		shape, mark = Wide, Rings
	}
	band := Series{Name: Level(e.Level) + " band for the whole curve", Mark: shape, X: x}
	spans := Series{Name: Level(e.Level) + " interval at each value", Mark: Spans, X: x, Thin: 0.6}
	for _, v := range c.Points[f] {
		band.Lo, band.Hi = append(band.Lo, v.BandLo), append(band.Hi, v.BandHi)
		spans.Lo, spans.Hi = append(spans.Lo, v.Lo), append(spans.Hi, v.Hi)
	}
	p.Series = []Series{band, spans, c.line(x, f, "average answer", mark)}
	return p
}

func (c Curve) line(x []float64, f int, name string, mark Mark) Series {
	s := Series{Name: name, Mark: mark, X: x}
	for _, v := range c.Points[f] {
		s.Y = append(s.Y, v.Point)
	}
	return s
}

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

// addSupport draws how many rows of the table are near every value, at the lower edge of a panel,
// and hatches values without rows nearby.
func (p *Panel) addSupport(e Effect) {
	if p.Range == nil {
		return
	}
	c, x := e.Curves[0], e.places()
	room := 0.1 * (p.Range[1] - p.Range[0])
	p.Range = []float64{p.Range[0] - 1.2*room, p.Range[1]}
	s := Series{Name: "number of rows near the value", Mark: Spans, Ink: true, Thin: 0.6, X: x}
	for _, n := range c.Rows {
		s.Lo = append(s.Lo, p.Range[0])
		s.Hi = append(s.Hi, p.Range[0]+room*float64(n)/float64(max(1, slices.Max(c.Rows))))
	}
	p.Series = append(p.Series, s)
	far := Series{Name: farName, Mark: Hatch, Ink: true}
	for i, thin := range c.Thin {
		if !thin {
			continue
		}
		lo, hi := x[i]-0.5, x[i]+0.5
		if e.Names == nil {
			lo, hi = (x[max(0, i-1)]+x[i])/2, (x[min(len(x)-1, i+1)]+x[i])/2
		}
		far.X, far.Lo, far.Hi = append(far.X, x[i]), append(far.Lo, lo), append(far.Hi, hi)
	}
	if far.X != nil {
		p.Series = append(p.Series, far)
	}
}

// farName is the entry of the legend for values without rows nearby.
const farName = "far from most rows: extrapolated"

func (e Effects) surface(effect Effect, f int) []Panel {
	name := e.Functionals[f]
	average := Series{Name: "average answer", Mark: Tiles}
	width := Series{Name: "width of its " + Level(e.Level) + " interval", Mark: Tiles}
	far := Series{Name: farName, Mark: Hatch, Ink: true}
	for k, c := range effect.Curves {
		for i, v := range c.Points[f] {
			x, y := float64(i), float64(k)
			average.X, average.Y = append(average.X, x), append(average.Y, y)
			average.Z, width.Z = append(average.Z, v.Point), append(width.Z, v.Hi-v.Lo)
			if c.Thin[i] {
				far.X, far.Y = append(far.X, x), append(far.Y, y)
				far.Lo, far.Hi = append(far.Lo, x-0.5), append(far.Hi, x+0.5)
			}
		}
	}
	width.X, width.Y = average.X, average.Y
	both := make([]Panel, 2)
	for i, s := range []Series{average, width} {
		both[i] = Panel{Title: []string{name, "width of the interval of " + name}[i],
			X: effect.Column, Y: effect.Second, Names: effect.Names, NamesY: effect.SecondNames,
			Series: []Series{s}}
		if far.X != nil {
			both[i].Series = append(both[i].Series, far)
		}
	}
	return both
}
