package report

import (
	"cmp"
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Panel is one pair of axes.
type Panel struct {
	Title string `json:"title,omitempty"`
	X     string `json:"x,omitempty"`
	Y     string `json:"y,omitempty"`

	Names    []string `json:"names,omitempty"`    // of the horizontal values 0, 1, ...; nil for numbers
	NamesY   []string `json:"namesY,omitempty"`   // the same of the vertical ones
	LogX     bool     `json:"logx,omitempty"`     // a logarithmic axis with ticks at the values of X
	Range    Numbers  `json:"range,omitempty"`    // of the vertical axis; nil for automatic
	Target   Numbers  `json:"target,omitempty"`   // values of Y with a dashed horizontal line
	Diagonal bool     `json:"diagonal,omitempty"` // a dashed line from (0, 0) to (1, 1)
	Series   []Series `json:"-"`
}

// blank tells whether a panel only fills a row of the grid.
func (p Panel) blank() bool { return p.Series == nil && p.Title == "" }

// Chart is a grid of panels with one legend above them.
type Chart struct {
	Panels [][]Panel // by row and column, all rows of the same length
	Width  float64   // of the whole chart, in centimetres; 0 means 8 per column
	Height float64   // 0 means 6 per row
	Alt    string    // description for readers who do not see the chart; "" for its titles alone
	Exact  bool      // a PNG has 96 dots per inch, not twice as many
}

// Sized is the chart in exactly so many pixels of 1/96 inch; those that are 0 leave its own size.
func (c Chart) Sized(width, height int) Chart {
	if c.Exact = width > 0 && height > 0; c.Exact {
		c.Width, c.Height = centimetres(width), centimetres(height)
	}
	return c
}

func centimetres(pixels int) float64 { return float64(pixels) / 96 * 2.54 }

// palette has colours that colour-blind readers can tell apart (Okabe and Ito 2008).
var palette = []color.RGBA{
	{0x00, 0x72, 0xb2, 0xff}, {0xd5, 0x5e, 0x00, 0xff}, {0x00, 0x9e, 0x73, 0xff},
	{0xcc, 0x79, 0xa7, 0xff}, {0xe6, 0x9f, 0x00, 0xff}, {0x56, 0xb4, 0xe9, 0xff},
	{0x44, 0x44, 0x44, 0xff}, {0x8c, 0x6b, 0xb1, 0xff},
}

// Write draws the chart in the named format, "png" or "svg". Equal charts give equal bytes.
func (c Chart) Write(w io.Writer, format string) error {
	if format != "png" && format != "svg" {
		return fmt.Errorf("cannot draw %q: the formats are png and svg", format)
	}
	if len(c.Panels) == 0 || len(c.Panels[0]) == 0 {
		return fmt.Errorf("nothing to draw: the chart has no panels")
	}
	width := vg.Length(cmp.Or(c.Width, 8*float64(len(c.Panels[0])))) * vg.Centimeter
	height := vg.Length(cmp.Or(c.Height, 6*float64(len(c.Panels))+1)) * vg.Centimeter
	canvas := &measured{CanvasWriterTo: vgsvg.New(width, height)}
	if format == "png" {
		dots := map[bool]int{true: vgimg.DefaultDPI, false: 2 * vgimg.DefaultDPI}[c.Exact]
		canvas.CanvasWriterTo = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height),
			vgimg.UseDPI(dots))}
	}
	whole := draw.New(canvas)
	whole.SetColor(color.White)
	whole.Fill(whole.Rectangle.Path())
	if err := c.draw(whole); err != nil {
		return err
	}
	if format == "svg" {
		return canvas.writeSVG(w)
	}
	_, err := canvas.WriteTo(w)
	return err
}

func (c Chart) draw(whole draw.Canvas) error {
	names := c.names()
	below := drawLegend(draw.Crop(whole, vg.Points(8), -vg.Points(8), 0, -vg.Points(4)), names)
	plots := make([][]*plot.Plot, len(c.Panels))
	for i, row := range c.Panels {
		for _, panel := range row {
			if panel.blank() {
				plots[i] = append(plots[i], nil)
				continue
			}
			p, err := panel.plot(names, int(whole.Size().X/vg.Points(11))/len(row))
			if err != nil {
				return err
			}
			plots[i] = append(plots[i], p)
		}
	}
	tiles := draw.Tiles{Rows: len(plots), Cols: len(plots[0]),
		PadX: vg.Points(10), PadY: vg.Points(10), PadTop: vg.Points(4),
		PadBottom: vg.Points(2), PadLeft: vg.Points(2), PadRight: vg.Points(8)}
	canvases := plot.Align(plots, tiles, draw.Crop(whole, 0, 0, 0, -below))
	for i, row := range plots {
		for j, p := range row {
			if p != nil {
				p.Draw(canvases[i][j])
			}
		}
	}
	return nil
}

// legendEntry is a name with its colour and mark.
type legendEntry struct {
	Name  string `json:"name"`
	color color.RGBA
	Mark  Mark `json:"mark"`
	Off   bool `json:"off,omitempty"`
	Ink   bool `json:"ink,omitempty"`
}

func entryOf(entries []legendEntry, name string) int {
	return slices.IndexFunc(entries, func(e legendEntry) bool { return e.Name == name })
}

// names lists the series of all panels in order of appearance.
func (c Chart) names() []legendEntry {
	var all []legendEntry
	for _, row := range c.Panels {
		for _, panel := range row {
			for _, s := range panel.Series {
				if entryOf(all, s.Name) < 0 {
					e := legendEntry{s.Name, palette[len(all)%len(palette)], s.Mark, s.Off, s.Ink}
					if s.Ink {
						e.color = ink
					}
					all = append(all, e)
				}
			}
		}
	}
	return all
}

// drawLegend writes the entries side by side at the top, in as many lines as they need, and
// returns the height that they take.
func drawLegend(c draw.Canvas, entries []legendEntry) vg.Length {
	style := draw.TextStyle{Color: color.Black, Font: font.From(plot.DefaultFont, 10),
		Handler: plot.DefaultTextHandler}
	style.Font.Variant = "Sans"
	const line, thumb, gap = 15, 18, 14
	x, y := c.Min.X, c.Max.Y-line/2
	for _, e := range entries {
		need := vg.Points(thumb+4) + style.Width(e.Name)
		if x+need > c.Max.X && x > c.Min.X {
			x, y = c.Min.X, y-line
		}
		width := vg.Points(2)
		shade := e.color
		switch e.Mark {
		case Spans:
			width = vg.Points(4)
		case Wide, Band, Bars, Tiles:
			width, shade = vg.Points(8), lighter(e.color)
		}
		switch e.Mark {
		case Hatch:
			hatch(c, vg.Rectangle{Min: vg.Point{X: x, Y: y - vg.Points(4)},
				Max: vg.Point{X: x + vg.Points(thumb), Y: y + vg.Points(4)}})
		case Dots, Rings:
			shape := map[Mark]draw.GlyphDrawer{Dots: draw.CircleGlyph{}, Rings: draw.RingGlyph{}}[e.Mark]
			c.DrawGlyph(draw.GlyphStyle{Color: e.color, Radius: vg.Points(2.5), Shape: shape},
				vg.Point{X: x + thumb/2, Y: y})
		default:
			c.StrokeLine2(draw.LineStyle{Color: shade, Width: width}, x, y, x+vg.Points(thumb), y)
		}
		c.FillText(style, vg.Point{X: x + vg.Points(thumb+4), Y: y - vg.Points(3.5)}, e.Name)
		x += need + vg.Points(gap)
	}
	if len(entries) == 0 {
		return 0
	}
	return c.Max.Y - y + line
}

// plot draws one panel with the colours of the legend; labels is the number of names that it has
// room for.
func (p Panel) plot(names []legendEntry, labels int) (*plot.Plot, error) {
	out := plot.New()
	out.Title.Text, out.X.Label.Text = Shorten(p.Title, 2*labels), p.X
	out.Y.Label.Text, out.Title.Padding = Shorten(p.Y, 45), vg.Points(4)
	sansSerif(out)
	room := vg.Points(9 * float64(labels))
	for n := 3 * labels; out.X.Label.TextStyle.Width(out.X.Label.Text) > room && n > 0; n-- {
		out.X.Label.Text = Shorten(p.X, n)
	}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = color.Gray{Y: 0xe8}, color.Gray{Y: 0xe8}
	if p.NamesY == nil {
		out.Add(grid)
	}
	out.X.Tick.Marker, out.Y.Tick.Marker = roundTicks(6), roundTicks(6)
	if p.LogX {
		out.X.Scale, out.X.Tick.Marker = plot.LogScale{}, p.ticks()
	}
	if p.Names != nil {
		p.nameX(out, labels)
	}
	if p.NamesY != nil {
		out.Y.Tick.Marker = namedTicks(p.NamesY, len(p.NamesY))
	}
	for _, s := range p.ordered() {
		if err := s.add(out, names[entryOf(names, s.Name)].color); err != nil {
			return nil, err
		}
	}
	if p.Names == nil {
		out.X.Min, out.X.Max = told(out.X.Min, out.X.Max)
	}
	out.Y.Min, out.Y.Max = told(out.Y.Min, out.Y.Max)
	p.padBars(out)
	p.padRange(out)
	if err := p.guides(out); err != nil {
		return nil, err
	}
	if p.Range != nil {
		out.Y.Min, out.Y.Max = p.Range[0], p.Range[1]
	}
	return out, nil
}

// Shorten cuts a text to at most so many characters, where "…" is the last.
func Shorten(text string, most int) string {
	if letters := []rune(text); len(letters) > most {
		return string(letters[:max(0, most-1)]) + "…"
	}
	return text
}

// padBars leaves room between columns and the frame.
func (p Panel) padBars(out *plot.Plot) {
	if p.Names == nil && !p.LogX && slices.ContainsFunc(p.Series, func(s Series) bool {
		return s.Mark == Bars
	}) {
		room := (out.X.Max - out.X.Min) * 0.03
		out.X.Min, out.X.Max = out.X.Min-room, out.X.Max+room
	}
}

// padRange leaves room above and below the values where the range is automatic, so that marks do
// not touch the frame. Columns stand on the frame.
func (p Panel) padRange(out *plot.Plot) {
	lo, hi := out.Y.Min, out.Y.Max
	room := (hi - lo) * 0.05
	if p.Range != nil || !(room > 0) || math.IsInf(room, 0) {
		return
	}
	if lo != 0 {
		lo -= room
	}
	out.Y.Min, out.Y.Max = lo, hi+room
}

// nameX labels the horizontal values with names. A slanted name ends in a no-break space, so that
// its last letter does not lie over its mark.
func (p Panel) nameX(out *plot.Plot, labels int) {
	ticks := namedTicks(p.Names, max(1, labels))
	out.X.Tick.Marker = ticks
	out.X.Min, out.X.Max = -0.6, float64(len(p.Names))-0.4
	text := &out.X.Tick.Label
	longest := vg.Length(0)
	for _, tick := range ticks {
		longest = max(longest, text.Width(tick.Label))
	}
	const axis, gap = 50, 8 // beside the panel, and between two names
	room := (vg.Points(11*float64(labels)) - vg.Points(axis)) / vg.Length(len(ticks))
	switch {
	case len(ticks) > labels/3:
		text.Rotation, text.XAlign, text.YAlign = math.Pi/2, draw.XRight, draw.YCenter
	case longest+vg.Points(gap) > room:
		text.Rotation, text.XAlign, text.YAlign = math.Pi/6, draw.XRight, draw.YTop
	default:
		return
	}
	for i := range ticks {
		ticks[i].Label += "\u00a0"
	}
}

// ordered puts bands behind lines and dots in front. No number is larger than an axis shows.
func (p Panel) ordered() []Series {
	series := slices.Clone(p.Series)
	rank := map[Mark]int{Tiles: -1, Band: 0, Bars: 0, Wide: 0, Hatch: 1, Spans: 1, Line: 1, Rings: 2,
		Dots: 3}
	slices.SortStableFunc(series,
		func(a, b Series) int { return cmp.Compare(rank[a.Mark], rank[b.Mark]) })
	for i, s := range series {
		series[i].X, series[i].Y, series[i].Err = drawable(s.X), drawable(s.Y), drawable(s.Err)
		series[i].Lo, series[i].Hi = drawable(s.Lo), drawable(s.Hi)
	}
	return series
}

// guides adds the dashed lines.
func (p Panel) guides(out *plot.Plot) error {
	lo, hi := out.X.Min, out.X.Max
	var lines []plotter.XYs
	for _, y := range drawable(p.Target) {
		lines = append(lines, plotter.XYs{{X: lo, Y: y}, {X: hi, Y: y}})
	}
	if p.Diagonal {
		lines = append(lines, plotter.XYs{{}, {X: 1, Y: 1}})
	}
	for _, xys := range lines {
		line, err := plotter.NewLine(xys)
		if err != nil {
			return err
		}
		line.LineStyle = draw.LineStyle{Color: color.Gray{Y: 0x60}, Width: vg.Points(1),
			Dashes: []vg.Length{vg.Points(4), vg.Points(3)}}
		out.Add(line)
	}
	return nil
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
