package pfn

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/pfnamp/pfnamp/models"
)

// Levels of the surface of surfaceBundle, and what it adds to the posterior of the median that the
// tiny bundle's network returns: the rows of three levels, not in order, then the mean's.
var (
	surfaceLevels    = []float64{0.1, 0.5, 0.9}
	surfacePosterior = []float64{0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99}
	surfaceOffsets   = []float32{0.5, 0, 1, 0.25}
)

// surfaceBundle is the tiny bundle with a surface in the place of the median's posterior:
//
//	surface[0, m, k, j] = median_quantiles[0, m, j] + offset_k
//
// with golden vectors that are computed from the tiny bundle's own.
func surfaceBundle(t testing.TB) *models.Bundle {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(tinyBundle)); err != nil {
		t.Fatal(err)
	}
	edit := func(file string, change func([]byte) []byte) [2]string {
		path := filepath.Join(dir, file)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		changed := change(data)
		if err := os.WriteFile(path, changed, 0o600); err != nil {
			t.Fatal(err)
		}
		return [2]string{digest(data), digest(changed)}
	}
	graph := edit("query.onnx", withSurface)
	golden := edit("golden.json", func(data []byte) []byte { return goldenWithSurface(t, data) })
	edit("manifest.json", func(data []byte) []byte {
		text := strings.NewReplacer(graph[0], graph[1], golden[0], golden[1]).Replace(string(data))
		levels, _ := json.Marshal(models.Surface{Levels: surfaceLevels,
			PosteriorLevels: surfacePosterior, Scale: 0.8})
		return []byte(strings.Replace(text, `"direct": {
  "target": "median",
  "levels": 11
 }`, `"surface": `+string(levels), 1))
	})
	b, err := models.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// withSurface gives a query graph the output "surface" instead of "median_quantiles".
func withSurface(model []byte) []byte {
	message := func(num protowire.Number, parts ...[]byte) []byte {
		out := protowire.AppendTag(nil, num, protowire.BytesType)
		return protowire.AppendBytes(out, bytes.Join(parts, nil))
	}
	text := func(num protowire.Number, s string) []byte { return message(num, []byte(s)) }
	number := func(num protowire.Number, v uint64) []byte {
		return protowire.AppendVarint(protowire.AppendTag(nil, num, protowire.VarintType), v)
	}
	var offsets []byte
	for _, v := range surfaceOffsets {
		offsets = binary.LittleEndian.AppendUint32(offsets, math.Float32bits(v))
	}
	node := func(kind, out string, in ...string) []byte {
		var parts []byte
		for _, name := range in {
			parts = append(parts, text(1, name)...)
		}
		return message(1, parts, text(2, out), text(4, kind))
	}
	added := [][]byte{
		node("Unsqueeze", "medians_by_level", models.MedianOutput, "surface_axis"),
		node("Add", models.SurfaceOutput, "medians_by_level", "surface_offsets"),
		message(5, number(1, 1), number(2, 7), text(8, "surface_axis"),
			message(9, binary.LittleEndian.AppendUint64(nil, 2))),
		message(5, number(1, uint64(len(surfaceOffsets))), number(1, 1), number(2, 1),
			text(8, "surface_offsets"), message(9, offsets)),
		message(12, text(1, models.SurfaceOutput), message(2, message(1, number(1, 1)))),
	}
	var out []byte
	eachRaw(model, func(num protowire.Number, field, value []byte) {
		if num != 7 {
			out = append(out, field...)
			return
		}
		graph := [][]byte{}
		eachRaw(value, func(num protowire.Number, field, value []byte) {
			if num != 12 || !bytes.Contains(value, []byte(models.MedianOutput)) {
				graph = append(graph, field)
			}
		})
		out = append(out, message(7, append(graph, added...)...)...)
	})
	return out
}

// eachRaw calls visit for every field of a message, with and without its tag.
func eachRaw(message []byte, visit func(num protowire.Number, field, value []byte)) {
	for len(message) > 0 {
		num, typ, n := protowire.ConsumeTag(message)
		size := n + protowire.ConsumeFieldValue(num, typ, message[n:])
		var value []byte
		if typ == protowire.BytesType {
			value, _ = protowire.ConsumeBytes(message[n:])
		}
		visit(num, message[:size], value)
		message = message[size:]
	}
}

// goldenWithSurface derives golden vectors of the surface from those of the median.
func goldenWithSurface(t testing.TB, data []byte) []byte {
	t.Helper()
	var file goldenFile[quantileCase]
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	for i := range file.Cases {
		c := &file.Cases[i]
		median := c.Expect.Median
		for _, member := range c.Stages.Medians {
			var rows [][][]float64
			for _, row := range member {
				var levels [][]float64
				for _, offset := range surfaceOffsets {
					levels = append(levels, shifted(row, float64(offset), 1))
				}
				rows = append(rows, levels)
			}
			c.Stages.Surfaces = append(c.Stages.Surfaces, rows)
		}
		for _, knots := range median.Knots {
			var levels [][]float64
			for _, offset := range slices.Sorted(slices.Values(surfaceOffsets[:3])) {
				levels = append(levels, shifted(knots, float64(offset), 1))
			}
			levels = append(levels, shifted(knots, float64(surfaceOffsets[3]), 1))
			c.Expect.Surface = append(c.Expect.Surface, levels)
		}
		c.Stages.Medians, c.Expect.Median = nil, nil
	}
	changed, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	return changed
}

// shifted returns a + b v for every value.
func shifted(values []float64, a, b float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = a + b*v
	}
	return out
}

// MarshalJSON writes a missing cell as null.
func (c cell) MarshalJSON() ([]byte, error) {
	if c != c {
		return []byte("null"), nil
	}
	return json.Marshal(float64(c))
}

func digest(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data)) }
