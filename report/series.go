package report

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Mark says how a series is drawn.
type Mark int

// The marks.
const (
	Line  Mark = iota // a line with dots, and bars of ± Err where that is given
	Dots              // dots without a line
	Band              // the area between Lo and Hi
	Bars              // columns from zero
	Spans             // a vertical line from Lo to Hi at every X
	Wide              // like Spans, twice as thick and pale
	Rings             // dots with a white centre
	Tiles             // squares around X and Y, darker for a higher Z, with Z written inside
	Hatch             // slanted lines from Lo to Hi of the horizontal axis, in row Y or at any height
)

// Series is one set of values in a panel. Series with the same name share a colour in all panels of
// a chart and one entry of the legend.
type Series struct {
	Name string  `json:"-"`
	Mark Mark    `json:"mark"`
	X    Numbers `json:"x"`
	Y    Numbers `json:"y,omitempty"`    // Band, Spans and Wide have none
	Z    Numbers `json:"-"`              // numbers of Tiles
	Err  Numbers `json:"err,omitempty"`  // half-lengths of error bars; nil for none
	Lo   Numbers `json:"lo,omitempty"`   // lower ends of Band, Spans, Wide and Hatch
	Hi   Numbers `json:"hi,omitempty"`   // upper ends
	Thin float64 `json:"thin,omitempty"` // share of its usual thickness that a span has; 0 for all
	Ink  bool    `json:"ink,omitempty"`  // drawn in the colour of text
	Off  bool    `json:"-"`              // a page hides the series until the reader presses its name
}

// add draws one series; values that are no numbers are left out.
func (s Series) add(out *plot.Plot, c color.RGBA) error {
	switch s.Mark {
	case Band:
		return s.addBand(out, c)
	case Bars:
		return s.addBars(out, c)
	case Spans, Wide:
		s.addSpans(out, c)
		return nil
	case Rings:
		return s.addRings(out, c)
	case Tiles:
		out.Add(newTiles(s, c))
		return nil
	case Hatch:
		out.Add(hatching{s})
		return nil
	}
	xys, errs := s.points()
	if len(xys) == 0 {
		return nil
	}
	dots, err := plotter.NewScatter(xys)
	if err != nil {
		return err
	}
	dots.GlyphStyle = draw.GlyphStyle{Color: c, Radius: vg.Points(2), Shape: draw.CircleGlyph{}}
	if s.Mark == Dots || len(xys) <= 40 {
		out.Add(dots)
	}
	if s.Err != nil {
		bars, err := plotter.NewYErrorBars(struct {
			plotter.XYs
			plotter.YErrors
		}{xys, errs})
		if err != nil {
			return err
		}
		bars.LineStyle = draw.LineStyle{Color: c, Width: vg.Points(0.8)}
		out.Add(bars)
	}
	if s.Mark == Dots {
		return nil
	}
	line, err := plotter.NewLine(xys)
	if err != nil {
		return err
	}
	line.LineStyle = draw.LineStyle{Color: c, Width: vg.Points(1.4)}
	out.Add(line)
	return nil
}

func (s Series) points() (plotter.XYs, plotter.YErrors) {
	var xys plotter.XYs
	var errs plotter.YErrors
	for i, y := range s.Y {
		if math.IsNaN(y) || math.IsInf(y, 0) {
			continue
		}
		half := 0.0
		if i < len(s.Err) && !math.IsNaN(s.Err[i]) {
			half = s.Err[i]
		}
		xys = append(xys, plotter.XY{X: s.X[i], Y: y})
		errs = append(errs, struct{ Low, High float64 }{-half, half})
	}
	return xys, errs
}

func (s Series) addBand(out *plot.Plot, c color.RGBA) error {
	var outline plotter.XYs
	for i, y := range s.Hi {
		outline = append(outline, plotter.XY{X: s.X[i], Y: y})
	}
	for i := len(s.Lo) - 1; i >= 0; i-- {
		outline = append(outline, plotter.XY{X: s.X[i], Y: s.Lo[i]})
	}
	area, err := plotter.NewPolygon(outline)
	if err != nil {
		return err
	}
	area.Color, area.LineStyle.Width = lighter(c), 0
	out.Add(area)
	return nil
}

// addBars draws columns from zero that touch each other.
func (s Series) addBars(out *plot.Plot, c color.RGBA) error {
	step := 1.0
	if len(s.X) > 1 {
		step = s.X[1] - s.X[0]
	}
	for i, y := range s.Y {
		lo, hi := s.X[i]-step/2, s.X[i]+step/2
		bar, err := plotter.NewPolygon(plotter.XYs{{X: lo}, {X: hi}, {X: hi, Y: y}, {X: lo, Y: y}})
		if err != nil {
			return err
		}
		bar.Color, bar.LineStyle = lighter(c), draw.LineStyle{Color: c, Width: vg.Points(0.8)}
		out.Add(bar)
	}
	return nil
}

// lighter mixes a colour with white, so that areas do not hide the grid's meaning.
func lighter(c color.RGBA) color.RGBA {
	mix := func(v uint8) uint8 { return uint8(255 - (255-int(v))*2/5) }
	return color.RGBA{mix(c.R), mix(c.G), mix(c.B), 0xff}
}

// spanLines draws one vertical line from Lo to Hi at every X of a series. It implements
// plot.Plotter and plot.DataRanger.
type spanLines struct {
	Series
	color color.RGBA
	share float64 // of the room between two rows
}

// Plot draws the lines.
func (b spanLines) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	width := min(vg.Points(9), max(vg.Points(0.9), (toX(1)-toX(0))*0.7))
	style := draw.LineStyle{Color: b.color, Width: width * vg.Length(b.share)}
	for i, x := range b.X {
		c.StrokeLine2(style, toX(x), toY(b.Lo[i]), toX(x), toY(b.Hi[i]))
	}
}

// DataRange is the smallest rectangle that holds all lines.
func (b spanLines) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax = plotter.Range(plotter.Values(b.X))
	ymin, _ = plotter.Range(plotter.Values(b.Lo))
	_, ymax = plotter.Range(plotter.Values(b.Hi))
	return xmin, xmax, ymin, ymax
}

func (s Series) addSpans(out *plot.Plot, c color.RGBA) {
	if len(s.X) == 0 {
		return
	}
	lines := spanLines{s, c, 0.45}
	if s.Thin > 0 {
		lines.share *= s.Thin
	}
	if s.Mark == Wide {
		lines.color, lines.share = lighter(c), 1
	}
	out.Add(lines)
}

// addRings draws white discs with a border.
func (s Series) addRings(out *plot.Plot, c color.RGBA) error {
	xys, _ := s.points()
	if len(xys) == 0 {
		return nil
	}
	radius := min(vg.Points(2.6), max(vg.Points(1.2), vg.Points(400)/vg.Length(len(xys))))
	for _, glyph := range []draw.GlyphStyle{
		{Color: c, Radius: radius + vg.Points(0.6), Shape: draw.CircleGlyph{}},
		{Color: color.White, Radius: radius - vg.Points(0.3), Shape: draw.CircleGlyph{}},
	} {
		dots, err := plotter.NewScatter(xys)
		if err != nil {
			return err
		}
		dots.GlyphStyle = glyph
		out.Add(dots)
	}
	return nil
}
