package tabicl

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// linearTable is z [n, h] and y = a linear function of it with noise, standardised by hand.
func linearTable(n, h int, noise float64) (matrix.Matrix, []float64) {
	r := rand.New(rand.NewPCG(3, uint64(n*h)))
	z, y := matrix.New(n, h), make([]float64, n)
	for i := range y {
		for j := range h {
			v := r.NormFloat64()
			z.Data[i*h+j] = v
			y[i] += float64(j+1) * v / float64(h)
		}
		y[i] += noise * r.NormFloat64()
	}
	return z, FitTarget(y).Scores(y)
}

// What a member reads of a row is the error of the ridge regression of the same penalty that was
// learned without the row, by its normal equations.
func TestTrendLeavesOneRowOut(t *testing.T) {
	z, y := linearTable(30, 2, 0.5)
	trend, target := fitTrend(z, y)
	a, b := z.Column(nil, 0), z.Column(nil, 1)
	penalty := penaltyOf(trend.Slope, a, b, y)
	for _, i := range []int{0, 7, 29} {
		a, b, rest := without(a, i), without(b, i), without(y, i)
		ma, mb, m := average(a), average(b), average(rest)
		w := twoSlopes(minus(a, ma), minus(b, mb), minus(rest, m), penalty)
		want := y[i] - m - w[0]*(z.Row(i)[0]-ma) - w[1]*(z.Row(i)[1]-mb)
		if got := float64(target[i])*trend.Scale + trend.Shift; math.Abs(got-want) > 1e-6 {
			t.Errorf("row %d: %g is left, without the row %g", i, got, want)
		}
	}
}

func without(v []float64, i int) []float64 { return slices.Delete(slices.Clone(v), i, i+1) }

func average(v []float64) (m float64) {
	for _, x := range v {
		m += x / float64(len(v))
	}
	return m
}

func minus(v []float64, m float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = x - m
	}
	return out
}

// twoSlopes solves the normal equations of a ridge regression of y on two columns.
func twoSlopes(a, b, y []float64, penalty float64) [2]float64 {
	var aa, ab, bb, ay, by float64
	for i := range y {
		aa, ab, bb = aa+a[i]*a[i], ab+a[i]*b[i], bb+b[i]*b[i]
		ay, by = ay+a[i]*y[i], by+b[i]*y[i]
	}
	aa, bb = aa+penalty, bb+penalty
	det := aa*bb - ab*ab
	return [2]float64{(bb*ay - ab*by) / det, (aa*by - ab*ay) / det}
}

// penaltyOf finds the penalty of the grid that gives these slopes.
func penaltyOf(slope, a, b, y []float64) float64 {
	a, b, y = minus(a, average(a)), minus(b, average(b)), minus(y, average(y))
	for g := range penalties {
		at := float64(g) / (penalties - 1)
		penalty := float64(len(y)) * leastPenalty * math.Pow(largestPenalty/leastPenalty, at)
		w := twoSlopes(a, b, y, penalty)
		if math.Hypot(w[0]-slope[0], w[1]-slope[1]) < 1e-9 {
			return penalty
		}
	}
	panic("no penalty of the grid gives these slopes")
}

// Without noise the trend is the target, and what it leaves is limited by minResidual.
func TestTrendOfExactLine(t *testing.T) {
	z, y := linearTable(40, 3, 0)
	trend, target := fitTrend(z, y)
	for i, at := range trend.at(z) {
		if math.Abs(at-y[i]) > 1e-4 {
			t.Errorf("row %d: trend %g, target %g", i, at, y[i])
		}
		if v := float64(target[i]); v-v != 0 {
			t.Errorf("row %d: reads %g", i, v)
		}
	}
	if trend.Scale < minResidual || trend.Scale > 1e-3 {
		t.Errorf("scale %g", trend.Scale)
	}
}

// Noise has no slope to speak of; two rows and more columns than rows have finite trends.
func TestTrendOfNoise(t *testing.T) {
	for _, size := range [][2]int{{400, 3}, {2, 1}, {2, 500}, {3, 7}, {20, 60}} {
		n, h := size[0], size[1]
		z, _ := linearTable(n, h, 0)
		_, noise := linearTable(n, h+1, 3)
		trend, target := fitTrend(z, noise)
		for _, v := range append(trend.at(z), trend.Shift, trend.Scale) {
			if v-v != 0 {
				t.Fatalf("%d rows, %d columns: trend %+v", n, h, trend)
			}
		}
		if n == 400 && (math.Abs(trend.Slope[0]) > 0.2 || math.Abs(trend.Scale-1) > 0.2) {
			t.Errorf("slopes %g, scale %g", trend.Slope, trend.Scale)
		}
		var squares float64
		for _, v := range target {
			squares += float64(v) * float64(v) / float64(n)
		}
		if trend.Scale > minResidual && math.Abs(squares-1) > 1e-4 {
			t.Errorf("%d rows, %d columns: members read a target with the variance %g", n, h, squares)
		}
	}
}

// A trend survives a state, and damaged ones are refused.
func TestTrendState(t *testing.T) {
	z, y := linearTable(12, 3, 0.1)
	preset := Preset{Members: 3, Norms: bothNorms, Seed: 1, Threshold: 4, Diagonal: true, Trends: true}
	transformer, _ := Fit(z, make([]bool, 3), y, preset)
	want, scale := transformer.Trend(z)
	again := checkDamages(t, transformer, z.Cols, []func(*State){
		func(s *State) { s.Trend = nil },
		func(s *State) { s.Plain = nil },
		func(s *State) { s.Classes = [][]int{{0, 1}, {0, 1}, {0, 1}} },
		func(s *State) { s.Trends = s.Trends[1:] },
		func(s *State) { s.Trend.Slope = s.Trend.Slope[1:] },
		func(s *State) { s.Trend.Centre = nil },
		func(s *State) { s.Trend.Scale = 0 },
		func(s *State) { s.Trend.Slope[1] = 1e300 },
		func(s *State) { s.Trend.Shift = -1e300 },
	})
	if got, other := again.Trend(z); !slices.Equal(got, want) || other != scale || !again.HasTrend() {
		t.Errorf("trend %g after a state, %g before", got, want)
	}
}
