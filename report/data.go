package report

import (
	"bytes"
	"math"
	"strconv"

	"github.com/pfnamp/pfnamp/internal/plain"
)

// Numbers are written with seven significant digits in JSON; those that are not finite are null.
type Numbers []float64

// MarshalJSON writes a list.
func (n Numbers) MarshalJSON() ([]byte, error) {
	if n == nil {
		return []byte("null"), nil
	}
	text := []byte{'['}
	for i, v := range n {
		if i > 0 {
			text = append(text, ',')
		}
		if math.IsNaN(v) || math.IsInf(v, 0) {
			text = append(text, "null"...)
			continue
		}
		text = strconv.AppendFloat(text, v, 'g', 7, 64)
	}
	return append(bytes.ReplaceAll(text, []byte("e+"), []byte("e")), ']'), nil
}

// chartData is a [Chart] as the page's script reads it.
type chartData struct {
	Alt     string        `json:"alt,omitempty"`
	Columns int           `json:"columns"`
	Panels  []panelData   `json:"panels"`
	Legend  []legendEntry `json:"series"`
}

type panelData struct {
	Panel
	Marks  map[int]string `json:"marks,omitempty"` // beginnings of periods, where Names are dates
	Series []seriesData   `json:"series"`
}

// seriesData is a [Series]; its place in the legend is its colour.
type seriesData struct {
	Entry int `json:"entry"`
	Series
	Told  []string `json:"told,omitempty"` // numbers of tiles in a few characters
	Shade Numbers  `json:"shade,omitempty"`
}

func newChartData(c Chart) chartData {
	entries := c.names()
	data := chartData{Alt: plain.Text(c.Alt), Columns: 1, Panels: []panelData{},
		Legend: append([]legendEntry{}, entries...)}
	for i := range data.Legend {
		data.Legend[i].Name = plain.Text(data.Legend[i].Name)
	}
	for _, row := range c.Panels {
		data.Columns = max(data.Columns, len(row))
		for _, p := range row {
			if !p.blank() {
				data.Panels = append(data.Panels, newPanelData(p, entries))
			}
		}
	}
	return data
}

func newPanelData(p Panel, entries []legendEntry) panelData {
	data := panelData{p, nil, []seriesData{}}
	for _, tick := range periodTicks(p.Names) {
		if data.Marks == nil {
			data.Marks = map[int]string{}
		}
		data.Marks[int(tick.Value)] = tick.Label
	}
	data.Title, data.X, data.Y = plain.Text(p.Title), plain.Text(p.X), plain.Text(p.Y)
	data.Names, data.NamesY = plainTexts(p.Names), plainTexts(p.NamesY)
	for _, s := range p.ordered() {
		d, tiles := seriesData{Entry: entryOf(entries, s.Name), Series: s}, newTiles(s, ink)
		for _, z := range s.Z {
			d.Told, d.Shade = append(d.Told, Number(z)), append(d.Shade, tiles.shade(z))
		}
		data.Series = append(data.Series, d)
	}
	return data
}

func plainTexts(list []string) (out []string) {
	for _, text := range list {
		out = append(out, plain.Text(text))
	}
	return out
}
