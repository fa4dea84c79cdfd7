package report

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// points are average answers with intervals of the width 2.
func points(averages ...float64) [][]CurvePoint {
	var all []CurvePoint
	for _, v := range averages {
		all = append(all, CurvePoint{v, v - 1, v + 1, v - 2, v + 2})
	}
	return [][]CurvePoint{all}
}

// hatched is the hatching of a panel.
func hatched(p Panel) Series {
	at := slices.IndexFunc(p.Series, func(s Series) bool { return s.Mark == Hatch })
	if at < 0 {
		return Series{}
	}
	return p.Series[at]
}

// Values that no row comes near are hatched, up to the middle between them and the next ones.
func TestEffectsHatchValuesWithoutRows(t *testing.T) {
	e := Effects{Asked: Asked{Functionals: []string{"mean"}, Events: []bool{false}, Level: 0.9},
		Effects: []Effect{
			{Column: "age", X: []float64{10, 20, 40}, Curves: []Curve{{Points: points(1, 2, 3),
				Thin: []bool{true, false, true}, Rows: []int{1, 8, 1}}}},
			{Column: "town", Names: []string{"Bath", "York"}, Curves: []Curve{{Points: points(1, 2),
				Thin: []bool{false, true}, Rows: []int{5, 5}}}},
			{Column: "sex", Names: []string{"f", "m"}, Curves: []Curve{{Points: points(1, 2),
				Thin: []bool{false, false}, Rows: []int{5, 5}}}},
		}}
	line := e.Chart().Panels[0]
	age, town := hatched(line[0]), hatched(line[1])
	if !slices.Equal(age.Lo, []float64{10, 30}) || !slices.Equal(age.Hi, []float64{15, 40}) {
		t.Errorf("age: %v to %v", age.Lo, age.Hi)
	}
	if !slices.Equal(town.Lo, []float64{0.5}) || !slices.Equal(town.Hi, []float64{1.5}) {
		t.Errorf("town: %v to %v", town.Lo, town.Hi)
	}
	if none := hatched(line[2]); none.X != nil {
		t.Errorf("sex: %v", none.X)
	}
}

// Two columns have a tile for every pair of values: the average answer, and how wide its interval
// is.
func TestEffectsOfTwoColumnsAreTiles(t *testing.T) {
	e := Effects{Asked: Asked{Functionals: []string{"mean"}, Events: []bool{false}, Level: 0.9},
		Effects: []Effect{{Column: "age", Second: "town", Names: []string{"10", "20", "40"},
			SecondNames: []string{"Bath", "York"}, Curves: []Curve{
				{Points: points(1, 2, 3), Thin: make([]bool, 3), Rows: make([]int, 3)},
				{Points: points(-4, 5, 1234.5), Thin: []bool{false, false, true}, Rows: make([]int, 3)},
			}}}}
	line := e.Chart().Panels[0]
	if len(line) != 2 {
		t.Fatalf("%d panels", len(line))
	}
	average, width, far := line[0].Series[0], line[1].Series[0], hatched(line[0])
	if !slices.Equal(average.Z, []float64{1, 2, 3, -4, 5, 1234.5}) ||
		!slices.Equal(average.X, []float64{0, 1, 2, 0, 1, 2}) ||
		!slices.Equal(average.Y, []float64{0, 0, 0, 1, 1, 1}) ||
		!slices.Equal(width.Z, []float64{2, 2, 2, 2, 2, 2}) {
		t.Errorf("average %+v, width %+v", average, width)
	}
	if !slices.Equal(far.Y, []float64{1}) || !slices.Equal(far.Lo, []float64{1.5}) {
		t.Errorf("hatched %+v", far)
	}
	var first, again bytes.Buffer
	if e.Chart().Write(&first, "svg") != nil || e.Chart().Write(&again, "svg") != nil ||
		!bytes.Equal(first.Bytes(), again.Bytes()) {
		t.Error("equal figures have other bytes")
	}
	for _, want := range []string{">1235<", ">-4<", ">York<", ">town<"} {
		if !strings.Contains(first.String(), want) {
			t.Errorf("the figure lacks %s", want)
		}
	}
}
