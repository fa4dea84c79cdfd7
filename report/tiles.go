package report

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// tiles draws a square around every X and Y, with its number inside where there is room. It
// implements plot.Plotter and plot.DataRanger.
type tiles struct {
	Series
	color  color.RGBA
	lo, hi float64 // of Z
}

func newTiles(s Series, c color.RGBA) tiles {
	lo, hi := plotter.Range(plotter.Values(s.Z))
	return tiles{s, c, lo, hi}
}

// darkest is the share of colour in the tile of the highest number. Text in ink stays legible.
const darkest = 0.55

func (t tiles) shade(z float64) float64 {
	if !(t.hi > t.lo) {
		return darkest / 2
	}
	return 0.05 + (darkest-0.05)*(z-t.lo)/(t.hi-t.lo)
}

// Plot draws the tiles.
func (t tiles) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	style := text.Style{Color: ink, Font: font.From(plot.DefaultFont, 9), XAlign: draw.XCenter,
		YAlign: draw.YCenter, Handler: plot.DefaultTextHandler}
	style.Font.Variant = "Sans"
	for i, z := range t.Z {
		box := vg.Rectangle{Min: vg.Point{X: toX(t.X[i] - 0.5), Y: toY(t.Y[i] - 0.5)},
			Max: vg.Point{X: toX(t.X[i] + 0.5), Y: toY(t.Y[i] + 0.5)}}
		c.SetColor(mixed(t.color, t.shade(z)))
		c.Fill(box.Path())
		name, size := Number(z), box.Size()
		if style.Width(name)+2 <= size.X && style.Height(name) <= size.Y {
			c.FillText(style, vg.Point{X: toX(t.X[i]), Y: toY(t.Y[i])}, name)
		}
	}
}

// DataRange is the smallest rectangle that holds all tiles.
func (t tiles) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax = plotter.Range(plotter.Values(t.X))
	ymin, ymax = plotter.Range(plotter.Values(t.Y))
	return xmin - 0.5, xmax + 0.5, ymin - 0.5, ymax + 0.5
}

// ink is the colour of text, faint the colour of lines over it.
var (
	ink   = color.RGBA{0x1d, 0x27, 0x33, 0xff}
	faint = color.NRGBA{0x52, 0x60, 0x6d, 0x98}
)

func mixed(c color.RGBA, share float64) color.RGBA {
	mix := func(v uint8) uint8 { return uint8(math.Round(255 - (255-float64(v))*share)) }
	return color.RGBA{mix(c.R), mix(c.G), mix(c.B), 0xff}
}

// hatching draws slanted lines. It implements plot.Plotter.
type hatching struct{ Series }

// hatchGap is the horizontal distance of two lines.
const hatchGap = vg.Length(6)

// Plot draws the lines.
func (h hatching) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	for i := range h.Lo {
		box := c.Rectangle
		box.Min.X, box.Max.X = max(box.Min.X, toX(h.Lo[i])), min(box.Max.X, toX(h.Hi[i]))
		if h.Y != nil {
			box.Min.Y, box.Max.Y = toY(h.Y[i]-0.5), toY(h.Y[i]+0.5)
		}
		hatch(c, box)
	}
}

// hatch fills a rectangle with lines that rise to the right at 45 degrees.
func hatch(c draw.Canvas, box vg.Rectangle) {
	style := draw.LineStyle{Color: faint, Width: vg.Points(0.6)}
	size := box.Size()
	for from := hatchGap/2 - size.Y; from < size.X; from += hatchGap {
		first, last := max(0, from), min(size.X, from+size.Y)
		if last > first {
			c.StrokeLine2(style, box.Min.X+first, box.Min.Y+first-from, box.Min.X+last,
				box.Min.Y+last-from)
		}
	}
}
