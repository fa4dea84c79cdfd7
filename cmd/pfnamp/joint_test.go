package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// Two independent training rows correlate about exp(-1/length²) whatever the number and the units
// of the features; equal rows wholly, and a row with a missing cell lies between.
func TestEmbeddingScalesDistances(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const rows, numbers = 400, 6
	columns := make([]tabular.Column, numbers+2)
	columns[numbers].Categories = []string{"a", "b", "c", "d", "e"}
	x := pfn.Matrix{Rows: rows, Cols: len(columns)}
	for range rows {
		for j := range numbers {
			x.Data = append(x.Data, 1e6+math.Pow(10, float64(j))*random.NormFloat64())
		}
		x.Data = append(x.Data, float64(random.IntN(5)), 7)
	}
	categorical := make([]bool, len(columns))
	categorical[numbers] = true
	e := newEmbedding(columns, scalesOf(pfn.Training{X: x, Categorical: categorical}))
	lengths := e.lengths(2)
	if len(lengths) != numbers+5 || e.varying != numbers+1 {
		t.Fatalf("%d coordinates of %d features", len(lengths), e.varying)
	}
	exponent := func(a, b []float64) float64 {
		sum := 0.0
		for i := range a {
			sum += (a[i] - b[i]) * (a[i] - b[i]) / (lengths[i] * lengths[i])
		}
		return sum / 2
	}
	row := func(i int) []float64 { return x.Data[i*x.Cols : (i+1)*x.Cols] }
	mean := 0.0
	for i := range rows / 2 {
		mean += exponent(e.place(row(2*i)), e.place(row(2*i+1))) / (rows / 2)
	}
	if math.Abs(mean-0.25) > 0.03 {
		t.Errorf("mean exponent %.3f of two rows, want 1/4", mean)
	}
	gone := slices.Clone(row(0))
	gone[2], gone[numbers] = math.NaN(), -1
	at := e.place(gone)
	if at[2] != 0 || slices.Max(at[numbers:]) != 0 || exponent(e.place(row(0)), e.place(row(0))) != 0 {
		t.Errorf("missing cells lie at %v", at)
	}
	far := slices.Clone(row(0))
	far[0] = math.Inf(1)
	if got := e.place(far)[0]; got != farthest {
		t.Errorf("infinity lies at %v", got)
	}
}

func TestParseContrast(t *testing.T) {
	for text, want := range map[string][2]rowSet{
		"row 3 - row 17":        {{row: 3}, {row: 17}},
		" all  -  row 1 ":       {{all: true}, {row: 1}},
		"north-east - south":    {{group: "north-east"}, {group: "south"}},
		`"a - b" - "say ""x"""`: {{group: "a - b"}, {group: `say "x"`}},
		`"all" - "row 1"`:       {{group: "all"}, {group: "row 1"}},
		"3 - 4":                 {{group: "3"}, {group: "4"}},
	} {
		got, err := parseContrast(text, true)
		if err != nil || got.plus != want[0] || got.minus != want[1] {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "row 1", "a - b - c", " - ", "row 0 - row 1", "3 - 4", "x - y"} {
		if got, err := parseContrast(text, false); err == nil {
			t.Errorf("%q was read as %+v", text, got)
		}
	}
}

// Averages are those of the draws, whatever the order in which groups come; a difference of equal
// draws is nothing.
func TestAverages(t *testing.T) {
	contrasts := []contrast{
		{text: "b - a", plus: rowSet{group: "b"}, minus: rowSet{group: "a"}},
		{text: "row 2 - row 2", plus: rowSet{row: 2}, minus: rowSet{row: 2}},
	}
	a := newAverages(jointOptions{groupBy: "g", contrasts: contrasts})
	for i, group := range []string{"b", "a", "b", ""} {
		v := float64(i)
		err := a.add(group, []float64{v}, [][]float64{{v, 10 * v, -v}})
		if err != nil {
			t.Fatal(err)
		}
	}
	list, err := a.effects()
	if err != nil {
		t.Fatal(err)
	}
	want := []effect{
		{name: "all", rows: 4, points: []float64{1.5}, draws: [][]float64{{1.5, 15, -1.5}}},
		{name: "b", rows: 2, points: []float64{1}, draws: [][]float64{{1, 10, -1}}},
		{name: "a", rows: 1, points: []float64{1}, draws: [][]float64{{1, 10, -1}}},
		{name: "b - a", points: []float64{0}, draws: [][]float64{{0, 0, 0}}},
		{name: "row 2 - row 2", points: []float64{0}, draws: [][]float64{{0, 0, 0}}},
	}
	for i, e := range list {
		w := want[i]
		if e.name != w.name || e.rows != w.rows || !slices.Equal(e.points, w.points) ||
			!slices.Equal(e.draws[0], w.draws[0]) {
			t.Errorf("%+v, want %+v", e, w)
		}
	}
	if a.lost != 1 || above([]float64{1, 2, 0, -1}, true) != 0.625 {
		t.Errorf("%d rows without a group", a.lost)
	}
}

// Too many rows and groups are refused as limits.
func TestJointLimits(t *testing.T) {
	c := &joint{opt: predictOptions{joint: jointOptions{bands: true, draws: "x", perRow: 1000}}}
	if err := c.checkRows(maxBandRows + 1); err == nil || !strings.Contains(err.Error(), "--bands") {
		t.Errorf("bands: %v", err)
	}
	c.opt.joint.bands = false
	if err := c.checkRows(maxJointRows/1000 + 1); err == nil ||
		!strings.Contains(err.Error(), "1000 draws of more than") {
		t.Errorf("draws: %v", err)
	}
	a := newAverages(jointOptions{groupBy: "g"})
	var err error
	for i := range maxGroups + 1 {
		if err != nil {
			t.Fatal(err)
		}
		err = a.add(string(rune(i+1)), nil, nil)
	}
	if err == nil || !strings.Contains(err.Error(), "more than 10000 groups") {
		t.Errorf("groups: %v", err)
	}
}

// The network's own posterior keeps its draws under coupling.
func TestDirectPosteriorsCouple(t *testing.T) {
	q := &pfn.Quantiles{Knots: []float64{-1, 0, 1}, Left: 1, Right: 1, Location: 3, Scale: 2}
	ranks := []int{2, 0, 3, 1}
	p := directPosteriors{q}
	draws := p.coupled(0, 0, ranks)
	for b, rank := range ranks {
		if draws[b] != q.Quantile((float64(rank)+0.5)/4) {
			t.Errorf("draw %d is %v", b, draws[b])
		}
	}
	limits, err := p.limits(t.Context(), 0.8)
	if e := limits[0][0]; err != nil || math.Abs(e.Lo-q.Quantile(0.1)) > 1e-12 ||
		math.Abs(e.Hi-q.Quantile(0.9)) > 1e-12 {
		t.Errorf("limits %+v, %v", e, err)
	}
}
