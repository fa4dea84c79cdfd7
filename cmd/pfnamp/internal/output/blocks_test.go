package output

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// A class is shown with its whole interval or not at all, the most frequent class first.
func TestScreenOfClasses(t *testing.T) {
	names := []string{"id", "class", "p=a", "p=a_lo", "p=a_hi", "p=b", "p=b_lo", "p=b_hi"}
	show := func(width int, often ...int) string {
		var out bytes.Buffer
		s := openScreen(&out, 3, names, []Scale{AsItIs, AsItIs, OfProbability, OfProbability,
			OfProbability, OfProbability, OfProbability, OfProbability})
		s.width, s.bold, s.Blocks = width, false, Blocks{First: 2, Size: 3, Often: often}
		s.first = []shownRow{{1, []string{"x", "b", "n", "n", "n", "n", "n", "n"},
			[]float64{0, 0, 0.2, 0.1, 0.3, 0.8, 0.7, 0.9}}}
		s.rows = 1
		if err := s.finish(); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	want := "   id  class   p=b  p=b_lo  p=b_hi   p=a  p=a_lo  p=a_hi\n" +
		"1  x   b      0.80    0.70    0.90  0.20    0.10    0.30\n"
	if got := show(80, 1, 5); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for width := 34; width < 55; width++ { // one class has room, and a part of the other
		got := show(width, 0, 5)
		if line, _, _ := strings.Cut(got, "\n"); line != "   id  class   p=b  p=b_lo  p=b_hi" ||
			!strings.Contains(got, "narrow: p=a, p=a_lo, p=a_hi\n") {
			t.Errorf("%d wide:\n%s", width, got)
		}
	}
	if got := show(20, 0, 5); !strings.HasPrefix(got, "   id  class   p=b\n") {
		t.Errorf("a first class without room:\n%s", got)
	}
}

// Numbers keep their order, and the predictive interval is a block of its own.
func TestBlocksOfNumbers(t *testing.T) {
	b := Blocks{First: 1, Size: 3, Often: []int{0, 0}} // a kept column, two functionals, pi_lo, pi_hi
	if got := b.order(9); !slices.Equal(got, []int{0, 1, 2, 3, 4, 5, 6, 7, 8}) {
		t.Errorf("order %v", got)
	}
	for columns, want := range []int{0, 1, 2, 3, 4, 4, 4, 7, 7} {
		if got := b.whole(columns); got != want {
			t.Errorf("of %d columns %d are shown, want %d", columns, got, want)
		}
	}
}
