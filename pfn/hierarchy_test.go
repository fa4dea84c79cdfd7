package pfn

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"
)

// manyPosterior, made by testdata/tiny.py, is a classifier with three outputs and a posterior of
// the class probabilities.
var manyPosterior = filepath.Join("..", "testdata", "tiny-many")

// Digits tell all classes apart, no network is asked about more than its outputs, and every class
// is in one leaf.
func TestHierarchyLaws(t *testing.T) {
	for _, most := range []int{3, 5, 10} {
		for count := most + 1; count <= 1000; count += 1 + count/7 {
			h := newHierarchy(make([]int, count), most)
			classes := make([]float32, count)
			for k := range classes {
				classes[k] = float32(k)
			}
			coded, codes := h.coded(classes), map[string]bool{}
			for k := range classes {
				code := ""
				for d := range h.digits {
					digit := int(coded.Data[d*count+k])
					if digit >= most {
						t.Fatalf("%d of %d: digit %d", count, most, digit)
					}
					code += string(rune('0' + digit))
				}
				codes[code] = true
			}
			leaves := make([]int, count)
			for _, n := range h.nodes {
				if n.answers() < 2 || n.answers() > most {
					t.Fatalf("%d of %d: a node of %d answers", count, most, n.answers())
				}
				for k := range count {
					if n.groups == nil && n.label(k) >= 0 {
						leaves[k]++
					}
				}
			}
			if len(codes) != count || slices.Min(leaves) != 1 || slices.Max(leaves) != 1 {
				t.Fatalf("%d of %d: %d codes, leaves %v", count, most, len(codes), leaves)
			}
		}
	}
}

func TestManyClassesLimits(t *testing.T) {
	m := openBundle(t, manyPosterior)
	var limit *LimitError
	_, err := m.Fit(t.Context(), classTable(1, 1001, 2, 1001))
	if !errors.As(err, &limit) || limit.Max != 1000 {
		t.Errorf("1001 classes: %v", err)
	}
	few := m.footprint(demand{rows: 900, widths: []int{4, 4, 4}, batch: 100, threads: 1})
	many := m.footprint(demand{rows: 900, widths: []int{4, 4, 4}, batch: 100, threads: 1,
		tree: newHierarchy(make([]int, 300), 3)})
	if many < few+100*300*7*8 {
		t.Errorf("%d bytes with 300 classes, %d with 3", many, few)
	}
	for bytes, want := range map[int]int{1000: 1024, 600_000: 446, 1 << 40: 2} {
		if got := spanRows(1024, bytes); got != want {
			t.Errorf("%d rows of %d bytes at a time, want %d", got, bytes, want)
		}
	}
}
