package output

import (
	"bytes"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// shownTable is what a terminal of a width shows of rows of a kept text, a mean and a probability.
func shownTable(t *testing.T, width, batch int, texts []string, means, shares []float64) string {
	t.Helper()
	var out bytes.Buffer
	fields := []arrow.Field{{Name: "id", Type: arrow.BinaryTypes.String},
		{Name: "mean", Type: arrow.PrimitiveTypes.Float64},
		{Name: "p>1", Type: arrow.PrimitiveTypes.Float64}}
	s := openScreen(&out, 0, View{Schema: arrow.NewSchema(fields, nil),
		Scale: func(i int, _ string) Scale { return []Scale{AsItIs, OfTarget, OfProbability}[i] }})
	s.width, s.bold = width, false
	for from := 0; from < len(texts); from += batch {
		to := min(len(texts), from+batch)
		b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema(fields, nil))
		b.Field(0).(*array.StringBuilder).AppendValues(texts[from:to], nil)
		b.Field(1).(*array.Float64Builder).AppendValues(means[from:to], nil)
		b.Field(2).(*array.Float64Builder).AppendValues(shares[from:to], nil)
		s.add(b.NewRecordBatch())
	}
	if err := s.finish(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestScreen(t *testing.T) {
	texts := []string{"a", "\x1b[31mred", strings.Repeat("long", 10)}
	means, shares := []float64{97.2512, 1234.5, -0.00001}, []float64{0.5, 1, 0.00004}
	want := "   id                           mean     p>1\n" +
		"1  a                           97.25   0.500\n" +
		"2  \\u001b[31mred             1234.50   1.000\n" +
		"3  longlonglonglonglonglon…     0.00  <0.001\n"
	got := shownTable(t, 80, 8, texts, means, shares)
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	got = shownTable(t, 40, 8, texts, means, shares)
	if !strings.Contains(got, "mean\n") || !strings.HasSuffix(got, "narrow: p>1\n") {
		t.Errorf("40 characters wide:\n%s", got)
	}
}

// TestLongScreen shows the first and the last rows, whatever the batches.
func TestLongScreen(t *testing.T) {
	const rows = 130
	texts, numbers := make([]string, rows), make([]float64, rows)
	for i := range texts {
		texts[i], numbers[i] = "x", float64(i+1)
	}
	want := shownTable(t, 80, rows, texts, numbers, numbers)
	lines := strings.Split(strings.TrimSpace(want), "\n")
	if len(lines) != screenFirst+screenLast+2 || !strings.HasPrefix(lines[41], "  ⋮") ||
		!strings.HasPrefix(lines[40], " 40") || !strings.HasPrefix(lines[42], "121") {
		t.Errorf("%d lines:\n%s", len(lines), want)
	}
	for _, batch := range []int{1, 7, 51, 60, 129} {
		if got := shownTable(t, 80, batch, texts, numbers, numbers); got != want {
			t.Errorf("batches of %d:\n%s", batch, got)
		}
	}
	if got := shownTable(t, 80, 9, texts[:50], numbers, numbers); strings.Contains(got, "⋮") {
		t.Errorf("50 rows:\n%s", got)
	}
}

// A probability on the screen reads 0 or 1 only where it is 0 or 1.
func TestBounded(t *testing.T) {
	for _, c := range []struct {
		p          float64
		text, want string
	}{
		{0.9999, "1.000", ">0.999"}, {1, "1.000", "1.000"}, {0.0001, "0.000", "<0.001"},
		{0, "0.000", "0.000"}, {0.25, "0.250", "0.250"}, {0.7, "1", "1"},
	} {
		if got := bounded(c.p, c.text); got != c.want {
			t.Errorf("%g as %s: %s, want %s", c.p, c.text, got, c.want)
		}
	}
}
