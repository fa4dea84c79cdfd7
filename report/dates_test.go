package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pfnamp/pfnamp/internal/must"
)

// course are rows of days, whose predictions fall.
func course(n int) []Row {
	var rows []Row
	for i := range n {
		y := float64(-i)
		rows = append(rows, Row{At: int64(i + 1), Kept: []string{fmt.Sprintf("2026-01-%02d", i+1)},
			LabelLo: y - 2, LabelHi: y + 2, Quantiles: QuantileLevels(),
			Estimates: []Estimate{{Point: y, Lo: y - 1, Hi: y + 1}}})
	}
	return rows
}

// Rows of dates keep their order in figures and pages, and are named by their dates; others are
// sorted.
func TestRowsOfDatesKeepTheirOrder(t *testing.T) {
	rows := course(5)
	asked := Asked{Target: "y", Level: 0.9, Functionals: []string{"mean"}, Events: []bool{false}}
	f := Figure{Asked: asked, Rows: rows, Kept: "day"}
	p := f.chart().Panels[0][0]
	if p.Names[0] != "2026-01-01" || p.Names[4] != "2026-01-05" || p.X != "day" {
		t.Errorf("%q below %q", p.Names, p.X)
	}
	i := slices.IndexFunc(p.Series, func(s Series) bool { return s.Mark == Rings })
	if y := p.Series[i].Y; y[0] != 0 || y[4] != -4 {
		t.Errorf("predictions %v", y)
	}
	f.Rows = slices.Clone(rows)
	f.Rows[2].Kept = []string{"?"}
	if p := f.chart().Panels[0][0]; fmt.Sprint(p.Names) != "[5 4 3 2 1]" {
		t.Errorf("rows that are no dates: %q", p.Names)
	}
	for want, rows := range map[bool][]Row{true: rows, false: f.Rows} {
		a := &Answers{Asked: asked, Kept: []string{"day"}}
		for _, r := range rows {
			a.Add(r)
		}
		if got := strings.Contains(written(t, Predictions{Answers: a}.Page()),
			`"dates":true`); got != want {
			t.Errorf("dates %v, want %v", got, want)
		}
	}
}

func TestDated(t *testing.T) {
	for want, texts := range map[bool][][]string{
		true: {{"2026-01-31", "2026-02-01"}, {"2026-01-31 10:00:00", "2026-01-31 11:00:00"},
			{"31.01.2026", "01.02.2026"}, {"2026-01", "2026-02"}},
		false: {{"2026-01-31"}, {"2026-01-31", ""}, {"2026-01-31", "01.02.2026"}, {"1", "2"}, {"a", "b"}},
	} {
		for _, cells := range texts {
			var rows []Row
			for _, cell := range cells {
				rows = append(rows, Row{Kept: []string{cell}})
			}
			if dated(rows) != want {
				t.Errorf("%q: want %v", cells, want)
			}
		}
	}
}

// Classes come by how often each is the most probable one; ties as they are. Of two classes the
// second stands for both.
func TestClassesByFrequency(t *testing.T) {
	rows := []Row{{Best: 2}, {Best: 2}, {Best: 1}, {Best: 3}, {Best: 3}, {Best: 3}}
	five := Asked{Functionals: make([]string, 5), Classes: make([]string, 5)}
	if got := five.Shown(rows); !slices.Equal(got, []int{3, 2, 1, 0, 4}) {
		t.Errorf("%v", got)
	}
	a := &Answers{Asked: Asked{Target: "y", Level: 0.9, Classes: []string{"a", "b"},
		Functionals: []string{"p=a", "p=b"}, Events: []bool{true, true}}}
	a.Add(Row{At: 1, Best: 1, Estimates: []Estimate{{Point: 0.2}, {Point: 0.8}}})
	must.Hold(t, "one of two classes", written(t, Predictions{Answers: a}.Page()), `"order":[1]`)
}

// The method is in the page, folded away: the facts, and nothing else.
func TestMethodIsFolded(t *testing.T) {
	text := written(t, Predictions{Answers: &Answers{}}.Page().With(nil, [][2]string{{"seed", "7"}}))
	_, folded, found := strings.Cut(text, "<details>")
	inside, _, closed := strings.Cut(folded, "</details>")
	if !found || !closed ||
		!strings.Contains(inside, "<summary><h2>Settings and versions</h2></summary>") ||
		!strings.Contains(inside, "<td>seed</td>") || strings.Contains(folded, "<details>") {
		t.Errorf("folded: %s", inside)
	}
}

// The columns of a histogram do not touch the frame.
func TestBarsHaveRoom(t *testing.T) {
	p := Panel{Series: []Series{{Name: "n", Mark: Bars, X: []float64{0.5, 1.5}, Y: []float64{1, 2}}}}
	out, err := p.plot(Chart{Panels: [][]Panel{{p}}}.names(), 9)
	if err != nil || out.X.Min >= 0 || out.X.Max <= 2 {
		t.Errorf("columns from 0 to 2 on an axis from %g to %g, %v", out.X.Min, out.X.Max, err)
	}
}

// No more histograms lie on each other than can be told apart. Of classes there is one, of the most
// probable one.
func TestFewHistogramsAtOnce(t *testing.T) {
	a := &Answers{Asked: Asked{Target: "y", Level: 0.9, Functionals: []string{"mean", "q0.9"},
		Events: []bool{false, false}}}
	a.Add(Row{At: 1, LabelHi: 1, Estimates: []Estimate{{Hi: 0.1}, {Hi: 0.2}}})
	series := a.widthChart().Panels[0][0].Series
	if len(series) != 3 || series[1].Off || !series[2].Off {
		t.Errorf("%+v", series)
	}
	a = &Answers{Asked: Asked{Target: "y", Level: 0.9, Classes: []string{"a", "b", "c"},
		Functionals: []string{"p=a", "p=b", "p=c"}, Events: []bool{true, true, true}}}
	a.Add(Row{At: 1, Best: 2, Estimates: []Estimate{{Hi: 0.1}, {Hi: 0.2}, {Hi: 0.3}}})
	panels := a.widthChart().Panels[0]
	if len(panels) != 1 || len(panels[0].Series) != 1 || panels[0].Series[0].X[23] < 0.29 {
		t.Errorf("%+v", panels)
	}
}

// An axis of dates shows years, months or days, not every date.
func TestPeriodTicks(t *testing.T) {
	day := time.Date(2019, time.November, 1, 0, 0, 0, 0, time.UTC)
	dates := func(n, months, days int) (names []string) {
		for i := range n {
			names = append(names, day.AddDate(0, months*i, days*i).Format(time.DateOnly))
		}
		return names
	}
	months := func(n int, layout string) (names []string) {
		for i := range n {
			names = append(names, day.AddDate(0, i, 0).Format(layout))
		}
		return names
	}
	quarters := func(n int, layout string) (names []string) {
		for i := range n { // from the second of 2011
			names = append(names, fmt.Sprintf(layout, 2011+(i+1)/4, (i+1)%4+1))
		}
		return names
	}
	for _, c := range []struct {
		names []string
		want  string
	}{
		{dates(40, 1, 0), "0:2019-11 2:2020 14:2021 26:2022 38:2023"},
		{dates(12, 1, 0)[2:6], "0:2020-01 1:2020-02 2:2020-03 3:2020-04"},
		{dates(70, 0, 1), "0:2019-11 30:2019-12 61:2020-01"},
		{dates(3, 12, 0), "0:2019 1:2020 2:2021"},
		{dates(20, 12, 0), "0:2019 2:2021 4:2023 6:2025 8:2027 10:2029 12:2031 14:2033 16:2035 18:2037"},
		{quarters(14, "%d Q%d"), "0:2011 Q2 3:2012 7:2013 11:2014"},
		{quarters(14, "%dQ%d"), "0:2011Q2 3:2012 7:2013 11:2014"},
		{quarters(12, "%d-Q%d"), ""},
		{months(16, "2006 Jan")[2:], "0:2020 12:2021"},
		{months(15, "2006-01"), "0:2019-11 2:2020 14:2021"},
		{months(15, "2006 January"), "0:2019 November 2:2020 14:2021"},
		{[]string{"2000-05", "2005-10", "2010-15"}, ""}, // years of a range
		{[]string{"100001", "100002", "100101"}, ""},
		{[]string{"Bath", "York"}, ""},
		{nil, ""},
	} {
		got := ""
		for _, tick := range periodTicks(c.names) {
			got += fmt.Sprintf(" %v:%s", tick.Value, tick.Label)
		}
		if strings.TrimSpace(got) != c.want {
			t.Errorf("%v: got %s, want %s", c.names, got, c.want)
		}
	}
}
