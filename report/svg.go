package report

import (
	"bytes"
	"fmt"
	"io"
	"regexp"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"

	"github.com/pfnamp/pfnamp/internal/plain"
)

// measured is a canvas that keeps the width of every text.
type measured struct {
	vg.CanvasWriterTo
	widths []vg.Length
}

// FillString implements vg.Canvas.
func (m *measured) FillString(face font.Face, at vg.Point, text string) {
	m.widths = append(m.widths, face.Width(text))
	m.CanvasWriterTo.FillString(face, at, text)
}

// textTag begins every text of an SVG file, and no text holds it: < is &lt; there.
var textTag = regexp.MustCompile(`<text `)

// The face that was measured; then faces of the same widths, and any other one.
var (
	family   = []byte(`style="font-family:Liberation Sans;`)
	families = []byte(`style="font-family:Liberation Sans,Arimo,Arial,Helvetica,sans-serif;`)
)

// writeSVG writes an SVG file whose texts are safe to show. Every text has the width that was
// measured, so that texts do not run into each other where a reader has another font.
func (m *measured) writeSVG(w io.Writer) error {
	var drawn bytes.Buffer
	if _, err := m.WriteTo(&drawn); err != nil {
		return err
	}
	next := 0
	out := textTag.ReplaceAllFunc(drawn.Bytes(), func(tag []byte) []byte {
		width := m.widths[next].Points()
		next++
		if width == 0 {
			return tag
		}
		return fmt.Appendf(nil, `<text textLength="%.5g" lengthAdjust="spacingAndGlyphs" `, width)
	})
	_, err := (&plain.Writer{To: w}).Write(bytes.ReplaceAll(out, family, families))
	return err
}
