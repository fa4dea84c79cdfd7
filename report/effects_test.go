package report

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/explain"
	"github.com/pfnamp/pfnamp/internal/must"
)

// effect has average answers with intervals of the width 2, by value, and of pairs by the first and
// the second value. Support is by point too.
func effect(columns, values []string, support []float64, averages ...float64) *explain.Effect {
	e := &explain.Effect{Columns: columns}
	for i, v := range averages {
		p := explain.Point{Rows: 1, Support: support[i], Estimates: []explain.Estimate{{BandLo: v - 2,
			BandHi: v + 2}}}
		p.Estimates[0].Point, p.Estimates[0].Lo, p.Estimates[0].Hi = v, v-1, v+1
		for _, text := range strings.Split(values[i], ":") {
			number, err := strconv.ParseFloat(text, 64)
			p.Values = append(p.Values, explain.Value{Text: text, Number: number, Plain: err == nil})
		}
		e.Points = append(e.Points, p)
	}
	return e
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
		Effects: []*explain.Effect{
			effect([]string{"age"}, []string{"10", "20", "40"}, []float64{0, 1, 0}, 1, 2, 3),
			effect([]string{"town"}, []string{"Bath", "York"}, []float64{1, 0}, 1, 2),
			effect([]string{"sex"}, []string{"f", "m"}, []float64{1, 1}, 1, 2)}}
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
		Effects: []*explain.Effect{effect([]string{"age", "town"},
			[]string{"10:Bath", "10:York", "20:Bath", "20:York", "40:Bath", "40:York"},
			[]float64{1, 1, 1, 1, 1, 0}, 1, -4, 2, 5, 3, 1234.5)}}
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
	svg := drawn(t, e.Chart(), "svg")
	if drawn(t, e.Chart(), "svg") != svg {
		t.Error("equal figures have other bytes")
	}
	must.Hold(t, "figure", svg, ">1235<", ">-4<", ">York<", ">town<")
}
