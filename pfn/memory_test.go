package pfn

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/pfn/internal/ort"
)

// TestWidthsOf reads the shapes of the families, and of graphs that tell nothing or too much.
func TestWidthsOf(t *testing.T) {
	port := func(name string, shape ...int64) ort.Port { return ort.Port{Name: name, Shape: shape} }
	for name, c := range map[string]struct {
		ports []ort.Port
		want  widths
	}{
		"tabicl": {[]ort.Port{port("colkv.0", -1, -1, 4, 32, 16), port("colkv.1", -1, -1, 4, 32, 16),
			port("iclkv.0", -1, 4, -1, 32)}, widths{cell: 64, row: 128, keptRow: 128, keptCol: 4096,
			heads: 4}},
		"tabpfn": {[]ort.Port{port("columns", -1, 6, -1), port("target", -1, 64),
			port("cache", 4, -1, -1, -1, 32)}, widths{cell: 64, keptCell: 128}},
		"tabpfn3": {[]ort.Port{port("columns", 1, 2, -1), port("scales", 1, 2, 64),
			port("colkv.0", -1, 2, 7, 16), port("iclkv.0", 1, 2, -1, 16)},
			widths{cell: 32, row: 32, keptRow: 32, keptCol: 224, heads: 2}},
		"tabpfn3.5": {[]ort.Port{port("columns", 1, 2, -1), port("ranks", 1, 3, -1, -1),
			port("scales", 1, 2, 64), port("colkv.0", -1, 2, 7, 16), port("iclkv.0", 1, 2, -1, 16)},
			widths{cell: 32, row: 32, keptCell: 3, keptRow: 32, keptCol: 224, heads: 2}},
		"nothing": {[]ort.Port{port("colkv.0", -1, -1, -1), port("iclkv.0"), port("target")},
			widths{keptRow: 1, keptCol: 1}},
		"too much": {[]ort.Port{port("target", 1, math.MaxInt64)}, widths{cell: math.MaxInt64}},
	} {
		if got := widthsOf(c.ports); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// TestMemoryLimitRefuses fits a table that the limit does not hold: the error says what would fit,
// which then does.
func TestMemoryLimitRefuses(t *testing.T) {
	fitRows := func(memory int64, rows int) error {
		m := open(t, Options{Threads: 2, Memory: memory, Device: "cpu"})
		_, err := m.Fit(t.Context(), synthetic(1, rows, 30))
		return err
	}
	const tight = 130 << 20
	var e *MemoryError
	if err := fitRows(tight, 400); !errors.As(err, &e) {
		t.Fatalf("error %v", err)
	}
	if e.Need <= e.Limit || e.Rows != 400 || e.Columns != 30 || e.Members != 3 || e.FitRows < 2 {
		t.Errorf("%+v", *e)
	}
	if err := fitRows(tight, e.FitRows); err != nil {
		t.Errorf("%d rows: %v", e.FitRows, err)
	}
	if err := fitRows(0, 400); err != nil {
		t.Errorf("without a limit: %v", err)
	}
	if _, err := Open(bundle(t), Options{Memory: 1 << 20}); !errors.As(err, &e) || e.Rows != 0 {
		t.Errorf("a model in a megabyte: %v", err)
	}
}

// TestNoriFootprint compares the estimate with peaks in MiB of `pfnamp fit` and a network of Nori's
// official size, whose graphs have 32 MiB more than the fixture's (docs/design/trust.md).
func TestNoriFootprint(t *testing.T) {
	m := openFolder(t, tinyNori, Options{})
	m.widths = widths{cell: 128, keptCell: 32 * 128}
	for _, c := range []struct{ rows, columns, members, peak int }{
		{300, 38, 8, 1257}, {300, 38, 1, 550}, {1000, 51, 8, 5369}, {1000, 51, 1, 1955},
		{3000, 51, 1, 6234}, {1000, 151, 1, 5755}} {
		d := demand{rows: c.rows, widths: slices.Repeat([]int{c.columns}, c.members), threads: 2}
		got := float64(m.footprint(d))/(1<<20) + graphShare*32
		if ratio := got / float64(c.peak); ratio < 0.85 || ratio > 1.35 {
			t.Errorf("%+v: %.0f MiB are estimated", c, got)
		}
	}
}

// TestFootprintGrows changes one part of a demand at a time: the estimate never falls.
func TestFootprintGrows(t *testing.T) {
	m := open(t, Options{Device: "cpu"})
	base := demand{rows: 100, widths: []int{10, 10}, batch: 256, threads: 2}
	for name, more := range map[string]demand{
		"rows":    {rows: 5000, widths: []int{10, 10}, batch: 256, threads: 2},
		"columns": {rows: 100, widths: []int{50, 50}, batch: 256, threads: 2},
		"members": {rows: 100, widths: []int{10, 10, 10, 10}, batch: 256, threads: 2},
		"batch":   {rows: 100, widths: []int{10, 10}, batch: 9999, threads: 2},
		"threads": {rows: 100, widths: []int{10, 10}, batch: 256, threads: 8},
	} {
		if a, b := m.footprint(base), m.footprint(more); a >= b {
			t.Errorf("%s: %d bytes, and %d for more", name, a, b)
		}
	}
	huge := demand{rows: math.MaxInt, widths: []int{math.MaxInt}, batch: math.MaxInt, threads: 64}
	if got := m.footprint(huge); got < 1<<60 {
		t.Errorf("a huge demand takes %d bytes", got)
	}
}
