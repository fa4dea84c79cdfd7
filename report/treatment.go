package report

import (
	"cmp"
	"io"
)

// Treatment draws the effect of a column with two values: differences between the two arms,
// computed in several ways, and for each arm a histogram of the probability of the second arm.
type Treatment struct {
	Asked
	Ways     []string  // names of the ways to compute a difference
	Averages []Average // the differences, by way
	Arms     [2]string // names of the arms
	Chances  []float64 // by row: probability of the second arm
	Treated  []bool    // by row: it is in the second arm
	Edge     float64   // a row has no overlap if its chance is below Edge or above 1 - Edge

	// Width and Height are the size in pixels of 1/96 inch; 0 chooses it by the number of panels.
	Width, Height int
}

// Write draws the figure in the named format, "png" or "svg". Equal figures give equal bytes.
func (t Treatment) Write(w io.Writer, format string) error { return t.chart().Write(w, format) }

// chart implements Drawing.
func (t Treatment) chart() Chart {
	var line []Panel
	for f, name := range t.Functionals {
		p := Panel{Title: "difference in " + name, Names: t.Ways, Target: []float64{0}, Y: t.Target}
		if t.Events[f] {
			p.Y = "probability"
		}
		spans := Series{Name: Level(t.Level) + " interval", Mark: Spans, thin: 0.4}
		rings := Series{Name: spans.Name, Mark: Rings}
		for i, v := range t.Averages {
			e := v.Estimates[f]
			spans.X, spans.Lo, spans.Hi = append(spans.X, float64(i)), append(spans.Lo, e.Lo),
				append(spans.Hi, e.Hi)
			rings.X, rings.Y = append(rings.X, float64(i)), append(rings.Y, e.Point)
		}
		p.Series = []Series{spans, rings}
		line = append(line, p)
	}
	line = append(line, t.overlap())
	pixels := func(asked, usual int) float64 { return float64(cmp.Or(asked, usual)) / 96 * 2.54 }
	return Chart{Panels: [][]Panel{line}, Width: pixels(t.Width, 360*len(line)),
		Height: pixels(t.Height, 340), Alt: "Differences between two arms, and their overlap"}
}

// chanceBins is the number of bins of the histogram of probabilities.
const chanceBins = 20

// overlap is a histogram of the chances in either arm.
func (t Treatment) overlap() Panel {
	p := Panel{Title: "rows by probability of " + t.Arms[1], X: "probability", Y: "rows"}
	for arm, name := range t.Arms {
		s := Series{Name: "rows with " + name, Mark: Line, X: make([]float64, chanceBins),
			Y: make([]float64, chanceBins)}
		for k := range s.X {
			s.X[k] = (float64(k) + 0.5) / chanceBins
		}
		for i, chance := range t.Chances {
			if t.Treated[i] == (arm == 1) {
				s.Y[max(0, min(chanceBins-1, int(chance*chanceBins)))]++
			}
		}
		p.Series = append(p.Series, s)
	}
	return p
}
