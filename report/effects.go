package report

import (
	"slices"

	"github.com/pfnamp/pfnamp/explain"
)

// Effects draws the average answer against the value of a column, or of two columns: one panel per
// functional and effect. A panel shows the interval at every value, the simultaneous band, and at
// its lower edge how many rows of the table are near every value. Values that few rows come near
// are hatched. An effect of two columns has two panels of tiles: the average answers, and the
// widths of their intervals.
type Effects struct {
	Asked
	Effects []*explain.Effect
}

// Most panels beside each other: of single columns, and where there are pairs.
const effectColumns, pairColumns = 4, 2

// Chart draws the figure in a size by the number of panels.
func (e Effects) Chart() Chart {
	var grid [][]Panel
	columns, width, height := effectColumns, 260, 230
	if slices.ContainsFunc(e.Effects, (*explain.Effect).Pair) {
		columns, width, height = pairColumns, 420, 340
	}
	for _, f := range e.Shown(nil) {
		var panels, surfaces []Panel
		var single []*explain.Effect
		for _, effect := range e.Effects {
			if effect.Pair() {
				surfaces = append(surfaces, e.surface(effect, f)...)
			} else {
				single, panels = append(single, effect), append(panels, e.panel(effect, f))
			}
		}
		ShareRange(panels)
		for i, effect := range single {
			panels[i].addSupport(effect)
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

func (e Effects) panel(effect *explain.Effect, f int) Panel {
	x, names := places(effect)
	p := Panel{Title: e.Functionals[f], X: effect.Columns[0], Y: e.Target, Names: names}
	if e.Events[f] {
		p.Y = "probability"
	}
	shape, mark := Band, Line
	if names != nil {
		shape, mark = Wide, Rings
	}
	band := Series{Name: Level(e.Level) + " band for the whole curve", Mark: shape, X: x}
	spans := Series{Name: Level(e.Level) + " interval at each value", Mark: Spans, X: x, Thin: 0.6}
	line := Series{Name: "average answer", Mark: mark, X: x}
	for _, point := range effect.Points {
		v := point.Estimates[f]
		band.Lo, band.Hi = append(band.Lo, v.BandLo), append(band.Hi, v.BandHi)
		spans.Lo, spans.Hi = append(spans.Lo, v.Lo), append(spans.Hi, v.Hi)
		line.Y = append(line.Y, v.Point)
	}
	p.Series = []Series{band, spans, line}
	return p
}

// places are those of the values of a column on its axis, with their names unless all are numbers.
func places(e *explain.Effect) (x []float64, names []string) {
	for i, p := range e.Points {
		x, names = append(x, float64(i)), append(names, p.Values[0].Short())
	}
	if slices.ContainsFunc(e.Points, func(p explain.Point) bool { return !p.Values[0].Plain }) {
		return x, names
	}
	for i, p := range e.Points {
		x[i] = p.Values[0].Number
	}
	return x, nil
}

// addSupport draws how many rows of the table are near every value, at the lower edge of a panel,
// and hatches values without rows nearby.
func (p *Panel) addSupport(e *explain.Effect) {
	if p.Range == nil {
		return
	}
	x, names := places(e)
	most := 1
	for _, point := range e.Points {
		most = max(most, point.Rows)
	}
	room := 0.1 * (p.Range[1] - p.Range[0])
	p.Range = []float64{p.Range[0] - 1.2*room, p.Range[1]}
	s := Series{Name: "number of rows near the value", Mark: Spans, Ink: true, Thin: 0.6, X: x}
	for _, point := range e.Points {
		s.Lo = append(s.Lo, p.Range[0])
		s.Hi = append(s.Hi, p.Range[0]+room*float64(point.Rows)/float64(most))
	}
	p.Series = append(p.Series, s)
	far := Series{Name: farName, Mark: Hatch, Ink: true}
	for i, point := range e.Points {
		if !point.Thin() {
			continue
		}
		lo, hi := x[i]-0.5, x[i]+0.5
		if names == nil {
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

func (e Effects) surface(effect *explain.Effect, f int) []Panel {
	name := e.Functionals[f]
	average := Series{Name: "average answer", Mark: Tiles}
	width := Series{Name: "width of its " + Level(e.Level) + " interval", Mark: Tiles}
	far := Series{Name: farName, Mark: Hatch, Ink: true}
	p := Panel{X: effect.Columns[0], Y: effect.Columns[1]}
	first := effect.Points[0].Values[0].Text
	for _, point := range effect.Points {
		if point.Values[0].Text == first {
			p.NamesY = append(p.NamesY, point.Values[1].Short())
		}
	}
	for k := range p.NamesY {
		for i := range len(effect.Points) / len(p.NamesY) {
			point := effect.Points[i*len(p.NamesY)+k]
			if k == 0 {
				p.Names = append(p.Names, point.Values[0].Short())
			}
			x, y, v := float64(i), float64(k), point.Estimates[f]
			average.X, average.Y = append(average.X, x), append(average.Y, y)
			average.Z, width.Z = append(average.Z, v.Point), append(width.Z, v.Hi-v.Lo)
			if point.Thin() {
				far.X, far.Y = append(far.X, x), append(far.Y, y)
				far.Lo, far.Hi = append(far.Lo, x-0.5), append(far.Hi, x+0.5)
			}
		}
	}
	width.X, width.Y = average.X, average.Y
	both := []Panel{p, p}
	for i, s := range []Series{average, width} {
		both[i].Title = []string{name, "width of the interval of " + name}[i]
		if both[i].Series = []Series{s}; far.X != nil {
			both[i].Series = append(both[i].Series, far)
		}
	}
	return both
}
