package report

import (
	"bytes"
	"math"
	"strconv"

	"github.com/pfnamp/pfnamp/internal/plain"
)

// decimal is a number with seven significant digits in JSON; one that is not finite is null.
type decimal float64

// MarshalJSON implements json.Marshaler.
func (d decimal) MarshalJSON() ([]byte, error) {
	v := float64(d)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return []byte("null"), nil
	}
	text := strconv.AppendFloat(nil, v, 'g', 7, 64)
	return bytes.ReplaceAll(text, []byte("e+"), []byte("e")), nil
}

func decimals(list []float64) []decimal {
	if list == nil {
		return nil
	}
	out := make([]decimal, len(list))
	for i, v := range list {
		out[i] = decimal(v)
	}
	return out
}

// chartData is a [Chart] as the page's script reads it.
type chartData struct {
	Alt     string        `json:"alt,omitempty"`
	Columns int           `json:"columns"`
	Panels  []panelData   `json:"panels"`
	Series  []seriesEntry `json:"series"`
}

// seriesEntry is an entry of the legend.
type seriesEntry struct {
	Name string `json:"name"`
	Mark Mark   `json:"mark"`
	Off  bool   `json:"off,omitempty"`
	Ink  bool   `json:"ink,omitempty"`
}

// panelData is a [Panel]; the place of a series in the legend is its colour.
type panelData struct {
	Title    string       `json:"title,omitempty"`
	X        string       `json:"x,omitempty"`
	Y        string       `json:"y,omitempty"`
	Names    []string     `json:"names,omitempty"`
	NamesY   []string     `json:"namesY,omitempty"`
	LogX     bool         `json:"logx,omitempty"`
	Range    []decimal    `json:"range,omitempty"`
	Target   []decimal    `json:"target,omitempty"`
	Diagonal bool         `json:"diagonal,omitempty"`
	Series   []seriesData `json:"series"`
}

// seriesData is a [Series].
type seriesData struct {
	Entry int       `json:"entry"`
	Mark  Mark      `json:"mark"`
	X     []decimal `json:"x"`
	Y     []decimal `json:"y,omitempty"`
	Told  []string  `json:"told,omitempty"` // numbers of tiles in a few characters
	Shade []decimal `json:"shade,omitempty"`
	Err   []decimal `json:"err,omitempty"`
	Lo    []decimal `json:"lo,omitempty"`
	Hi    []decimal `json:"hi,omitempty"`
	Thin  decimal   `json:"thin,omitempty"`
	Ink   bool      `json:"ink,omitempty"`
}

func newChartData(c Chart) chartData {
	data := chartData{Alt: plain.Text(c.Alt), Columns: 1, Panels: []panelData{},
		Series: []seriesEntry{}}
	entries := c.names()
	for _, e := range entries {
		data.Series = append(data.Series, seriesEntry{plain.Text(e.name), e.mark, e.off, e.ink})
	}
	for _, row := range c.Panels {
		data.Columns = max(data.Columns, len(row))
		for _, p := range row {
			if p.blank() {
				continue
			}
			data.Panels = append(data.Panels, newPanelData(p, entries))
		}
	}
	return data
}

func newPanelData(p Panel, entries []legendEntry) panelData {
	data := panelData{Title: plain.Text(p.Title), X: plain.Text(p.X), Y: plain.Text(p.Y),
		Names: plainTexts(p.Names), NamesY: plainTexts(p.NamesY), LogX: p.LogX, Range: decimals(p.Range),
		Target: decimals(p.Target), Diagonal: p.Diagonal, Series: []seriesData{}}
	for _, s := range p.ordered() {
		d := seriesData{Entry: entryOf(entries, s.Name), Mark: s.Mark,
			X: decimals(s.X), Y: decimals(s.Y), Err: decimals(s.Err), Lo: decimals(s.Lo),
			Hi: decimals(s.Hi), Thin: decimal(s.thin), Ink: s.Ink}
		tiles := newTiles(s, ink)
		for _, z := range s.Z {
			d.Told, d.Shade = append(d.Told, briefly(z)), append(d.Shade, decimal(tiles.shade(z)))
		}
		data.Series = append(data.Series, d)
	}
	return data
}

func plainTexts(list []string) []string {
	var out []string
	for _, text := range list {
		out = append(out, plain.Text(text))
	}
	return out
}
