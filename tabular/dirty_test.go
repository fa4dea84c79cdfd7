package tabular

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// dirts are ways to dirty a cell that holds a number. Their results may be read or refused, and if
// they are read, then as the number or as missing.
var dirts = []func(r *rand.Rand, text string) string{
	anySign,
	func(_ *rand.Rand, text string) string { return strings.Replace(text, "-", "−", 1) },
	func(_ *rand.Rand, text string) string { return strings.Replace(text, ".", ",", 1) },
	func(_ *rand.Rand, text string) string { return text + " kg" },
	func(_ *rand.Rand, text string) string { return "$" + text },
	func(_ *rand.Rand, text string) string { return text + "%" },
	func(_ *rand.Rand, text string) string { return "~" + text },
	func(_ *rand.Rand, text string) string { return text + "*" },
	func(_ *rand.Rand, text string) string { return `="` + text + `"` },
	func(_ *rand.Rand, text string) string { return " " + text + " " },
	func(_ *rand.Rand, text string) string { return text + "\u00a0CR" },
	func(_ *rand.Rand, text string) string { return "No. " + text },
	func(_ *rand.Rand, text string) string {
		return strings.Map(func(d rune) rune {
			if '0' <= d && d <= '9' {
				return d - '0' + '٠'
			}
			return d
		}, text)
	},
	func(_ *rand.Rand, text string) string {
		if rest, ok := strings.CutPrefix(text, "-"); ok {
			return []string{rest + "-", "(" + rest + ")"}[len(rest)%2]
		}
		return text
	},
	func(_ *rand.Rand, text string) string { return "o" + text },
}

// TestDirty dirties columns of numbers at random, in some cells or all, in one way or two, in the
// training table or in query rows. The outcome is right, refused with a place and a remedy, or
// noted with the name of the column; never another number without a word.
func TestDirty(t *testing.T) {
	for seed := range uint64(4000) {
		r := rand.New(rand.NewPCG(seed, 1))
		values, cells := make([]float64, 40), make([]string, 40)
		clean := make([]string, 40)
		ways := []int{r.IntN(len(dirts)), r.IntN(len(dirts))}[:1+r.IntN(2)]
		share := []float64{0.03, 0.2, 1}[r.IntN(3)]
		if share == 1 && slices.Contains(ways, 0) {
			continue // no number is left
		}
		changed := false
		for i := range values {
			clean[i] = fmt.Sprintf("%.2f", 2000*r.Float64()-1000)
			fmt.Sscan(clean[i], &values[i])
			cells[i] = clean[i]
			for _, way := range ways {
				if r.Float64() < share {
					cells[i] = dirts[way](r, cells[i])
				}
			}
			changed = changed || strings.TrimSpace(cells[i]) != clean[i]
		}
		train := cells
		if seed%2 == 0 {
			train = clean
		}
		opt := ReadOptions{Delimiter: ';'}
		table := func(cells []string) *Table {
			var b strings.Builder
			b.WriteString("x;n\n")
			for i, cell := range cells {
				fmt.Fprintf(&b, "\"%s\";%d\n", strings.ReplaceAll(cell, `"`, `""`), i)
			}
			return readText(t, b.String(), opt)
		}
		s, err := Learn(table(train), SchemaOptions{Ignore: []string{"n"}})
		var f Features
		if err == nil {
			f, err = s.Features(table(cells).Batches[0])
		}
		if err != nil {
			e, ok := err.(*Error)
			if refused := ok && e.Column == "x" && e.Line > 0 && e.Hint != ""; !refused &&
				!strings.Contains(err.Error(), "no features") {
				t.Errorf("seed %d: %q is refused with %v", seed, cells, err)
			}
			continue
		}
		noted := len(f.Notes) > 0 || f.Unseen["x"] > 0
		for _, note := range s.Notes {
			noted = noted || strings.Contains(note, `"x"`)
		}
		if changed && !noted {
			t.Errorf("seed %d: %q is read without a note", seed, cells)
		}
		for i, v := range f.Data {
			if s.Columns[0].Kind == Numeric && !math.IsNaN(v) && math.Abs(v) != math.Abs(values[i]) {
				t.Errorf("seed %d: %q is read as %g", seed, cells[i], v)
			}
		}
	}
}
