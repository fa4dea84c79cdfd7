package tabpfn

import (
	"math"

	"github.com/pfnamp/pfnamp/distr"
)

// farBorder is the largest allowed distance of a mapped border from zero.
const farBorder = 1e3

// mapBorders maps ascending borders back through the target transform. Borders without an image, or
// with one too far away, form runs at the ends. Each run collapses to its innermost neighbour,
// except its outermost border, which moves one further, and the bars in the run are cancelled. ok
// is false if fewer than two borders are left.
func mapBorders(borders []float32, p power) (mapped []float32, cancelled []bool, ok bool) {
	mapped = make([]float32, len(borders))
	broken := make([]bool, len(borders))
	first, last := len(borders), -1 // valid borders
	for i, b := range borders {
		m := p.inverse(b)
		mapped[i] = m
		broken[i] = !(m >= -farBorder && m <= farBorder)
		if !broken[i] {
			first, last = min(first, i), i
		}
	}
	if last-first < 1 {
		return nil, nil, false
	}
	for i := range mapped {
		switch {
		case i < first:
			mapped[i] = mapped[first]
		case i > last:
			mapped[i] = mapped[last]
		case broken[i]:
			return nil, nil, false
		}
	}
	if first > 0 {
		mapped[0] = mapped[1] - 1
	}
	if end := len(mapped) - 1; last < end {
		mapped[end] = mapped[end-1] + 1
	}
	cancelled = make([]bool, len(borders)-1)
	for i := range cancelled {
		cancelled[i] = broken[i] || broken[i+1]
	}
	repair(mapped, p.stable)
	return mapped, cancelled, true
}

// repair gives both outer bars a width. Versions of the reference before 8.2 move a negative top
// border down; upward moves it up.
func repair(borders []float32, upward bool) {
	end := len(borders) - 1
	top := borders[end]
	switch {
	case top-borders[end-1] >= 1e-6:
	case upward:
		borders[end] += float32(math.Abs(float64(top * 0.1)))
	default:
		borders[end] *= 1.1
	}
	if borders[0] == borders[1] {
		borders[0] -= float32(math.Abs(float64(borders[0] * 0.1)))
	}
}

// translation moves mass from the bars of a member to the common bars.
type translation struct {
	cancelled []bool    // bars of the member that get no mass, or nil
	bucket    []int     // member bar around each common border but the outer two
	share     []float64 // the part of that bar below the border
}

// newTranslation locates the common borders among those of a member. With fixed, the share of a bar
// is (y - b)/w; without, it is y - b/w, the mistake of the reference up to 2.0.9; both are cut to
// [0, 1].
func newTranslation(from, to []float32, cancelled []bool, fixed bool) translation {
	t := translation{cancelled: cancelled,
		bucket: make([]int, len(to)), share: make([]float64, len(to))}
	last := len(from) - 2
	for k, y := range to {
		i := 0
		for low, high := 0, last; low <= high; { // the last bar with its lower border below y
			if mid := (low + high) / 2; from[mid] < y {
				i, low = mid, mid+1
			} else {
				high = mid - 1
			}
		}
		t.bucket[k] = i
		b, w := float64(from[i]), float64(from[i+1])-float64(from[i])
		share := (float64(y) - b) / w
		if !fixed {
			share = float64(y) - b/w
		}
		switch {
		case y <= from[0]:
			share = 0
		case y >= from[last+1]:
			t.bucket[k], share = last, 1
		}
		t.share[k] = min(max(share, 0), 1)
	}
	return t
}

// add adds weight times the mass of logits/temperature to the common bars.
func (t translation) add(mass []float64, logits []float32, temperature, weight float64) {
	kept := make([]float64, len(logits))
	for i, l := range logits {
		if kept[i] = float64(l); t.cancelled != nil && t.cancelled[i] {
			kept[i] = math.Inf(-1)
		}
	}
	p := distr.Softmax(kept, temperature)
	below := make([]float64, len(p)+1)
	for i, v := range p {
		below[i+1] = below[i] + v
	}
	last, previous := len(mass), 0.0
	for k := range mass {
		next := 1.0
		if k+1 < last {
			i := t.bucket[k+1]
			next = below[i] + p[i]*t.share[k+1]
		}
		mass[k] += weight * max(0, next-previous)
		previous = next
	}
}
