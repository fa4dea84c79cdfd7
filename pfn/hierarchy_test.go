package pfn

import (
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/pfnamp/pfnamp/distr"
)

// manyPosterior, made by testdata/tiny.py, is a classifier with three outputs and a posterior of
// the class probabilities.
var manyPosterior = filepath.Join("..", "testdata", "tiny-many")

// sizes are the numbers of classes of the groups of a node.
func (n *node) sizes() (sizes []int) {
	for _, g := range n.groups {
		sizes = append(sizes, g.count)
	}
	return sizes
}

// Groups and digits are those of the package's documentation: 25 classes make groups of 9, 8 and 8
// and two digits to the base 5; 101 make ten groups, two in the first group, and three digits.
func TestHierarchyOfThePackage(t *testing.T) {
	h := newHierarchy(make([]int, 25), 10)
	if !slices.Equal(h.nodes[0].sizes(), []int{9, 8, 8}) || h.digits != 2 || h.base != 5 {
		t.Errorf("25 classes: %v, %d digits to base %d", h.nodes[0].sizes(), h.digits, h.base)
	}
	h = newHierarchy(make([]int, 101), 10)
	want := slices.Concat([]int{11}, slices.Repeat([]int{10}, 9))
	if !slices.Equal(h.nodes[0].sizes(), want) || !slices.Equal(h.nodes[1].sizes(), []int{6, 5}) {
		t.Errorf("101 classes: %v, %v", h.nodes[0].sizes(), h.nodes[1].sizes())
	}
	if h.digits != 3 || h.base != 5 || h.depth != 3 || len(h.nodes) != 13 {
		t.Errorf("%d digits to base %d, depth %d, %d nodes", h.digits, h.base, h.depth, len(h.nodes))
	}
}

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
	if !errors.As(err, &limit) || limit.Max != 1000 || strings.Contains(limit.Hint(), "again") {
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

// The product of a uniform probability with itself has P(UV <= x) = x - x log x; that with a
// certain one is the probability.
func TestProductOfProbabilities(t *testing.T) {
	var levels []float64
	for j := range 33 {
		levels = append(levels, (float64(j)+0.5)/33)
	}
	h := classPosteriorHead{3, levels, distr.LevelWeights(levels), 1}
	certain := slices.Repeat([]float64{1}, len(levels))
	twice := h.product(levels, levels)
	for j, q := range twice {
		if p := q - q*math.Log(q); math.Abs(p-levels[j]) > 0.01 {
			t.Errorf("quantile %g is %g, of probability %g", levels[j], q, p)
		}
		if one := h.product(certain, levels)[j]; math.Abs(one-levels[j]) > 1e-12 {
			t.Errorf("quantile %g of one by itself is %g", levels[j], one)
		}
	}
	mean := floats.Dot(distr.LevelWeights(levels), twice)
	if math.Abs(mean-0.25) > 1e-12 || !slices.IsSorted(twice) {
		t.Errorf("mean %g of %v", mean, twice)
	}
}
