package report

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

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
	xmin, xmax, ymin, ymax = math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for i, x := range b.X {
		xmin, xmax = min(xmin, x), max(xmax, x)
		ymin, ymax = min(ymin, b.Lo[i]), max(ymax, b.Hi[i])
	}
	return xmin, xmax, ymin, ymax
}

// addSpans draws lines at every X: thick and pale ones, or thin ones.
func (s Series) addSpans(out *plot.Plot, c color.RGBA) {
	if len(s.X) == 0 {
		return
	}
	lines := spanLines{s, c, 0.45}
	if s.thin > 0 {
		lines.share *= s.thin
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
