package trend

import (
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// A kernel's trend is worth it where it leaves much less than a line, and always where no line is
// wanted.
func TestKernelMustGain(t *testing.T) {
	z, straight := linearTable(100, 3, 0.3)
	for _, c := range []struct {
		wanted []string
		y      []float64
		want   []string
	}{
		{kinds, straight, []string{Linear}}, {kinds, bent(z), kinds},
		{[]string{None, Kernel, Kernel}, straight, []string{Kernel}},
		{[]string{Linear}, bent(z), []string{Linear}},
	} {
		s, lesson := Fit(c.wanted, Features{Matrix: z}, c.y, 0)
		learned := slices.Sorted(maps.Keys(s.By))
		if want := slices.Sorted(slices.Values(c.want)); !slices.Equal(learned, want) ||
			!slices.Equal(slices.Sorted(maps.Keys(lesson.Left)), want) {
			t.Errorf("%v: learned %v, want %v", c.wanted, learned, want)
		}
		missing := slices.Contains(c.wanted, Kernel) && !slices.Contains(c.want, Kernel)
		if got, ok := lesson.Instead[Kernel]; ok != missing || missing && got != None {
			t.Errorf("%v: instead of kernels %q", c.wanted, got)
		}
	}
}

// A law goes on beyond the context; all other trends end with it.
func TestLawHasNoReach(t *testing.T) {
	for _, noise := range []float64{0, 0.3} {
		z, y := linearTable(100, 3, noise)
		s, _ := Fit(kinds, Features{Matrix: z}, y, 0)
		law := noise == 0
		if Law(z, y) != law || (s.Reach == nil) != law || (s.Along(z).Beyond == nil) != law {
			t.Errorf("noise %g: law %t, reach %+v", noise, Law(z, y), s.Reach)
		}
	}
}

// With many rows the kernel's shares take the place of those of lines if they leave less; the
// columns of query rows are in the order of those of the context.
func TestSharesInstead(t *testing.T) {
	for _, c := range []struct {
		rows    int
		bent    bool
		classes int
		want    []string
	}{
		{manyRows, true, 2, []string{Kernel}}, {manyRows - 1, true, 2, kinds},
		{manyRows, false, 2, kinds}, {manyRows, false, 3, kinds},
	} {
		z, target := linearTable(c.rows, 2, 3)
		if c.bent {
			for i := range target {
				target[i] = math.Sin(3 * z.Row(i)[0])
			}
		}
		y := classesOf(target, c.classes)
		s, lesson := Fit(kinds, Features{Matrix: z, Sure: true}, y, c.classes)
		queries := s.Shares(z)
		if len(s.By) != len(c.want) || len(lesson.Shares) != len(c.want) || len(queries) != len(c.want) {
			t.Fatalf("%d rows: %d trends, %d shares, %d of queries", c.rows, len(s.By), len(lesson.Shares),
				len(queries))
		}
		if got := lesson.Instead[Linear]; (got == Kernel) != (len(c.want) == 1) {
			t.Errorf("%d rows, bent %t: %q instead of lines", c.rows, c.bent, got)
		}
		whole := matrix.Beside(queries...)
		for k, kind := range c.want {
			own, context := s.By[kind].at(z), lesson.Shares[k]
			read := fitShares(kind, Features{Matrix: z}, y, c.classes).columns
			if !slices.Equal(context.Data, read.Data) {
				t.Errorf("%d rows: shares %d of the context are not those of %s", c.rows, k, kind)
			}
			before, width := s.Before(kind), ShareColumns(c.classes)
			if own.Cols != width || context.Cols != width {
				t.Errorf("%s: %d and %d columns of %d classes", kind, own.Cols, context.Cols, c.classes)
			}
			for i := range z.Rows {
				if !slices.Equal(whole.Row(i)[before:before+width], own.Row(i)) {
					t.Fatalf("row %d: shares of %s are not after %d columns", i, kind, before)
				}
			}
		}
	}
}
