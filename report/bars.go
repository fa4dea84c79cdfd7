package report

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// bars draws one vertical line per row from the lower to the upper limit of
// an interval. It implements plot.Plotter, plot.DataRanger and
// plot.Thumbnailer.
type bars struct {
	rows     []Row
	interval func(Row) (lo, hi float64)
	style    draw.LineStyle
}

// Plot draws the bars.
func (b bars) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	for i, row := range b.rows {
		lo, hi := b.interval(row)
		x := toX(float64(i + 1))
		c.StrokeLine2(b.style, x, toY(lo), x, toY(hi))
	}
}

// DataRange is the smallest rectangle that holds all bars.
func (b bars) DataRange() (xmin, xmax, ymin, ymax float64) {
	ymin, ymax = math.Inf(1), math.Inf(-1)
	for _, row := range b.rows {
		lo, hi := b.interval(row)
		ymin, ymax = min(ymin, lo), max(ymax, hi)
	}
	return 0, float64(len(b.rows) + 1), ymin, ymax
}

// Thumbnail draws a short thick line in the legend.
func (b bars) Thumbnail(c *draw.Canvas) {
	style := b.style
	style.Width = min(vg.Points(6), (c.Max.Y-c.Min.Y)*0.6)
	y := c.Center().Y
	c.StrokeLine2(style, c.Min.X, y, c.Max.X, y)
}
