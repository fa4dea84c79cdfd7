package forecast

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/tabular"
)

func TestMain(m *testing.M) { orttest.Main(m, "^Example") }

// read reads a table of text.
func read(t *testing.T, text string, c Columns) (*Table, error) {
	t.Helper()
	table, err := tabular.ReadAll(context.Background(), "-",
		tabular.ReadOptions{Stdin: strings.NewReader(text)})
	must.Succeed(t, err)
	return Read(table, c)
}

// Times are read in every form that they are written in, and written in the same.
func TestTimesOfTables(t *testing.T) {
	for _, test := range []struct{ rows, next, step string }{
		{"2024-01,1\n2024-02,2\n2024-03,3\n", "2024-04", "month"},
		{"Jan 2024,1\nFeb 2024,2\nMar 2024,3\n", "Apr 2024", "month"},
		{"2024Q1,1\n2024Q2,2\n2024Q4,3\n", "2025Q1", "quarter"},
		{"31.01.2024,1\n29.02.2024,2\n31.03.2024,3\n", "30.04.2024", "month"},
		{"2024-01-01 10:00,1\n2024-01-01 11:00,2\n", "2024-01-01 12:00", "hour"},
		{"2024-01-01T10:00:00Z,1\n2024-01-01T11:00:00Z,2\n", "2024-01-01T12:00:00Z", "hour"},
		{"2023-12-30,1\n2024-01-30,2\n2024-02-29,3\n", "2024-03-30", "month"},
		{"2023-11-30,1\n2024-01-31,2\n2024-02-29,3\n", "2024-03-31", "month"},
		{"1/13/2024,1\n1/14/2024,2\n1/15/2024,3\n", "1/16/2024", "day"},
		{"13-Jan-24,1\n14-Jan-24,2\n", "15-Jan-24", "day"},
		{"2024-03-30T12:00:00,1\n2024-03-31,2\n2024-03-31T12:00:00,3\n", "2024-04-01T00:00:00",
			"step of 43200 seconds"},
		{"2024-03-30T00:00:00+01:00,1\n2024-03-31T00:00:00+01:00,2\n2024-04-01T00:00:00+02:00,3\n",
			"2024-04-02T00:00:00+02:00", "day"},
		{"2024-03-31T00:00:00+01:00,1\n2024-03-31T01:00:00+01:00,2\n2024-03-31T03:00:00+02:00,3\n",
			"2024-03-31T04:00:00+02:00", "hour"},
		{"1999,1\n1998,2\n2000,3\n", "2001", "step"},
	} {
		of, err := read(t, "when,y\n"+test.rows, Columns{Time: "when", Target: "y"})
		if err != nil {
			t.Errorf("%q: %v", test.rows, err)
			continue
		}
		s := of.Series[0]
		if got := of.Clock.Text(s.Time(len(s.Values))); got != test.next || s.Step.Name() != test.step {
			t.Errorf("%q goes on with %s, one %s", test.rows, got, s.Step.Name())
		}
	}
}

// Dates in either order need the order, also of a column that is not named as the time.
func TestOrderOfDates(t *testing.T) {
	const text = "when,y\n01/02/2024,1\n01/03/2024,2\n01/04/2024,3\n"
	for dates, want := range map[tabular.Dates]string{"dmy": "month", "mdy": "day"} {
		of, err := read(t, text, Columns{Target: "y", Dates: dates})
		if err != nil || of.Series[0].Step.Name() != want {
			t.Errorf("%s: %+v, %v", dates, of, err)
		}
	}
	for _, time := range []string{"", "when"} {
		_, err := read(t, text, Columns{Target: "y", Time: time})
		must.Fail(t, time, err, "and no other cell settles it")
	}
}

// The only column of dates is the time; steps without a row or a value are missing, but at the
// ends.
func TestGaps(t *testing.T) {
	of, err := read(t, "x,month,y\n1,2024-01,\n1,2024-06,7\n2,2024-02,2\n1,2024-05,NA\n"+
		"3,2024-04,4\n1,2024-07,\n", Columns{Target: "y"})
	must.Succeed(t, err)
	got := fmt.Sprint(of.Columns.Time, of.Unused, of.Series[0].Values, of.Series[0].First)
	if got != "month[x] [2 NaN 4 NaN 7] 1" {
		t.Error(got)
	}
}

// A column separates the series; without it every time occurs twice.
func TestSeveralSeries(t *testing.T) {
	rows := "shop,month,y\nb,2024-01,1\na,2024-01,3\nb,2024-02,2\na,2024-02,4\n"
	of, err := read(t, rows, Columns{Target: "y", Series: "shop"})
	if err != nil ||
		fmt.Sprint(of.Names, of.Series[0].Values, of.Series[1].Values) != "[b a] [1 2] [3 4]" {
		t.Errorf("%v, %+v", err, of)
	}
	_, err = read(t, rows, Columns{Target: "y"})
	twice, ok := errors.AsType[*TwiceError](err)
	if !ok || twice.Rows != [2]int{0, 1} {
		t.Errorf("%v", err)
	}
	_, err = read(t, rows+"a,2024-01,5\n", Columns{Target: "y", Series: "shop"})
	if twice, ok = errors.AsType[*TwiceError](err); !ok || twice.Rows != [2]int{1, 4} {
		t.Errorf("%v", err)
	}
}

// Series that are too short for any forecast are left out beside longer ones; alone they stay.
func TestSeriesLeftOut(t *testing.T) {
	short := "b,2024-03-01,3\nc,2024-03-01,\nc,2024-03-02,\nd,2024-01-01,1\nd,2024-01-02,2\n"
	text := "shop,day,y\n"
	for day := 1; day < 32; day++ {
		text += fmt.Sprintf("a,2024-01-%02d,%d\n", day, day)
	}
	c := Columns{Target: "y", Series: "shop", Season: 1}
	table, err := read(t, text+short, c)
	got := fmt.Sprint(table.Names, table.Short, len(table.Series), err)
	if got != "[a] [b c d] 1 <nil>" {
		t.Error(got)
	}
	_, err = read(t, "shop,day,y\n"+short, c)
	if wrong, ok := err.(*SeriesError); !ok || wrong.Name != "b" || wrong.Err != ErrFewTimes {
		t.Errorf("all are short: %v", err)
	}
	table, err = read(t, "shop,day,y\n"+short[strings.Index(short, "d,"):], c)
	if err != nil || len(table.Series) != 1 || table.Short != nil {
		t.Errorf("one is short: %v, %v", table, err)
	}
}

// What is no time is refused.
func TestNoTimes(t *testing.T) {
	_, err := read(t, "a,y\nx,1\nz,2\n", Columns{Target: "y"})
	if _, ok := errors.AsType[*TimeError](err); !ok {
		t.Error(err)
	}
	_, err = read(t, "a,y\nx,1\nz,2\n", Columns{Time: "a", Target: "y"})
	if e, ok := errors.AsType[*TextError](err); !ok || e.Text != "x" {
		t.Error(err)
	}
	_, err = read(t, "a,y\n2024-01,1\nlater,2\n2024-02,2\n", Columns{Time: "a", Target: "y"})
	if e, ok := errors.AsType[*TextError](err); !ok || e.Text != "later" {
		t.Error(err)
	}
	_, err = read(t, "a,b,y\n2024-01-01,2024-01-01,1\n2024-01-02,2024-01-02,2\n", Columns{Target: "y"})
	if e, ok := errors.AsType[*TimeError](err); !ok || len(e.Dates) != 2 {
		t.Error(err)
	}
}

// A record has a row for every horizon of every series, in the forms of the table.
func TestRecord(t *testing.T) {
	of, err := read(t, "shop,month,y\nb,2024-01,1\na,2024-01,3\nb,2024-02,2\na,2024-02,4\n",
		Columns{Target: "y", Series: "shop"})
	must.Succeed(t, err)
	point := Point{Horizon: 1, Time: of.Series[0].Time(2), Value: 5, Lo: 4, Hi: math.Inf(1)}
	record := of.Record([]*Forecast{{Points: []Point{point}}, {Points: []Point{point}}})
	defer record.Release()
	if record.NumRows() != 2 || record.Column(0).ValueStr(1) != "a" ||
		record.Column(1).ValueStr(1) != "2024-03" || record.Column(3).ValueStr(0) != "5" {
		t.Errorf("%v", record)
	}
}
