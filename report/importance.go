package report

import (
	"cmp"
	"io"
)

// Importances draws the importance of columns, the most important first: a point with its interval
// per column. One colour marks columns above noise, another columns that may be noise.
type Importances struct {
	Title, Y string
	Level    float64
	Columns  []ColumnImportance

	// Width and Height are the size in pixels of 1/96 inch; 0 chooses it by the number of columns.
	Width, Height int
}

// ColumnImportance is the importance of a column, or of several columns together.
type ColumnImportance struct {
	Name          string
	Point, Lo, Hi float64
	Sure          bool // the column is above noise
}

// Write draws the figure in the named format, "png" or "svg". Equal figures give equal bytes.
func (i Importances) Write(w io.Writer, format string) error { return i.chart().Write(w, format) }

// chart implements Drawing.
func (i Importances) chart() Chart {
	p := Panel{Title: i.Title, Y: i.Y, Target: []float64{0}}
	for _, c := range i.Columns {
		p.Names = append(p.Names, c.Name)
	}
	for _, sure := range []bool{true, false} {
		name := "above noise"
		if !sure {
			name = "may be noise"
		}
		name += " (" + Level(i.Level) + " interval)"
		span, point := Series{Name: name, Mark: Wide}, Series{Name: name, Mark: Rings}
		for at, c := range i.Columns {
			if c.Sure != sure {
				continue
			}
			span.X, point.X = append(span.X, float64(at)), append(point.X, float64(at))
			span.Lo, span.Hi = append(span.Lo, c.Lo), append(span.Hi, c.Hi)
			point.Y = append(point.Y, c.Point)
		}
		if len(point.X) > 0 {
			p.Series = append(p.Series, span, point)
		}
	}
	return Chart{Panels: [][]Panel{{p}}, Alt: "Importance of " + counted(len(i.Columns), "column"),
		Width:  float64(cmp.Or(i.Width, max(480, 160+36*len(i.Columns)))) / 96 * 2.54,
		Height: float64(cmp.Or(i.Height, 380)) / 96 * 2.54}
}
