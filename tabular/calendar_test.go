package tabular

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/tabular/internal/spelling"
)

// datesText is a table with a column of times, from a first one on.
func datesText(rows int, layout, first string, next func(time.Time, int) time.Time) string {
	var b strings.Builder
	b.WriteString("when,y\n")
	from, _ := time.Parse(time.DateTime, first)
	for i := range rows {
		fmt.Fprintf(&b, "%s,%d\n", next(from, i).Format(layout), i)
	}
	return b.String()
}

// Calendar columns are made of what varies and comes again, and of nothing else.
func TestCalendarParts(t *testing.T) {
	monthly := func(t time.Time, i int) time.Time { return t.AddDate(0, i, 0) }
	daily := func(t time.Time, i int) time.Time { return t.AddDate(0, 0, i) }
	hourly := func(t time.Time, i int) time.Time { return t.Add(time.Duration(i) * time.Hour) }
	for _, c := range []struct {
		what, layout, first string
		rows                int
		next                func(time.Time, int) time.Time
		want                []Part
	}{
		{"two years of months", time.DateOnly, "2001-01-01 00:00:00", 24, monthly, []Part{Month}},
		{"ends of months", time.DateOnly, "2001-01-01 00:00:00", 36, func(t time.Time, i int) time.Time {
			return monthly(t, i+1).AddDate(0, 0, -1)
		}, []Part{Month}},
		{"quarters", time.DateOnly, "2001-01-01 00:00:00", 12,
			func(t time.Time, i int) time.Time { return t.AddDate(0, 3*i, 0) }, []Part{Month}},
		{"a year of months", time.DateOnly, "2001-01-01 00:00:00", 12, monthly, nil},
		{"years", time.DateOnly, "1901-07-14 00:00:00", 50,
			func(t time.Time, i int) time.Time { return t.AddDate(i, 0, 0) }, nil},
		{"weeks of a year", time.DateOnly, "2001-01-03 00:00:00", 50,
			func(t time.Time, i int) time.Time { return t.AddDate(0, 0, 7*i) }, nil},
		{"days of a month", time.DateOnly, "2001-03-01 00:00:00", 31, daily, []Part{Weekday}},
		{"days of three years", time.DateOnly, "2001-03-01 00:00:00", 1000, daily,
			[]Part{Month, Weekday}},
		{"a week of hours", time.DateTime, "2001-03-01 00:00:00", 160, hourly, []Part{Hour}},
		{"three weeks of hours", time.DateTime, "2001-03-01 00:00:00", 500, hourly,
			[]Part{Weekday, Hour}},
		{"a day of hours", time.DateTime, "2001-03-01 00:00:00", 20, hourly, nil},
	} {
		text := datesText(c.rows, c.layout, c.first, c.next)
		s := learnText(t, text, SchemaOptions{Target: "y"})
		if got := s.Columns[0].Calendar; !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
		if noted := strings.Contains(strings.Join(s.Notes, "\n"), "calendar"); noted != (c.want != nil) {
			t.Errorf("%s: notes %q", c.what, s.Notes)
		}
		s = learnText(t, text, SchemaOptions{Target: "y", Dates: NumberDates})
		if s.Columns[0].Calendar != nil || s.Width() != 1 {
			t.Errorf("%s as a number: %v", c.what, s.Columns[0].Calendar)
		}
	}
}

// The encoded row has the number of a date, then every part; a missing date
// has none of them, and a stored schema encodes alike.
func TestCalendarEncoding(t *testing.T) {
	text := datesText(1000, time.DateTime, "2001-01-01 06:30:00", func(t time.Time, i int) time.Time {
		return t.Add(time.Duration(i) * 31 * time.Hour)
	})
	text = strings.Replace(text, "when,y", "a,when,y", 1)
	text = strings.ReplaceAll(text, "\n2", "\n7,2")
	s := learnText(t, text, SchemaOptions{Target: "y"})
	var names []string
	for _, e := range s.Encoded() {
		names = append(names, e.String())
	}
	want := []string{"a", "when", "when (month)", "when (weekday)", "when (hour)"}
	if !slices.Equal(names, want) || len(s.Categorical()) != len(want) {
		t.Fatalf("features %v", names)
	}
	stored, err := json.Marshal(s)
	must.Succeed(t, err)
	var read Schema
	must.Succeed(t, json.Unmarshal(stored, &read))
	query := readText(t, "when,a\n2024-10-06 06:00:00,1\n,2\n", ReadOptions{})
	for _, of := range []*Schema{s, &read} {
		f, err := of.Features(query.Batches[0])
		must.Succeed(t, err)
		row := f.Row(0)
		seconds := float64(time.Date(2024, 10, 6, 6, 0, 0, 0, time.UTC).Unix())
		wanted := []float64{1, seconds, 10, 6, 6}
		if !slices.Equal(row, wanted) {
			t.Errorf("row %v, want %v", row, wanted)
		}
		for j, v := range f.Row(1)[1:] {
			if !math.IsNaN(v) {
				t.Errorf("missing date: feature %d is %v", j+1, v)
			}
		}
		if f.Outside["when"] != 1 {
			t.Errorf("outside the range: %v", f.Outside)
		}
	}
	for _, wrong := range []string{`[null,["month","month"]]`, `[null,["year"]]`, `[["month"],null]`,
		`[["month"]]`} {
		broken := strings.Replace(string(stored), `"calendars":[null,["month","weekday","hour"]]`,
			`"calendars":`+wrong, 1)
		if broken == string(stored) || json.Unmarshal([]byte(broken), &read) == nil {
			t.Errorf("calendars %s are read", wrong)
		}
	}
}

// Calendar columns are by the clock of the table's time zone, and times with a zone where the
// training table has none, or the reverse, are noted.
func TestTimeZones(t *testing.T) {
	naive := datesText(200, time.DateTime, "2024-07-01 00:30:00", func(t time.Time, i int) time.Time {
		return t.Add(time.Duration(i) * time.Hour)
	})
	zoned := func(zone string) *Table {
		return readText(t, strings.ReplaceAll(naive, ":30:00,", ":30:00"+zone+","), ReadOptions{})
	}
	berlin := &arrow.TimestampType{Unit: arrow.Second, TimeZone: "Europe/Berlin"}
	var rows []string
	for _, line := range strings.Fields(strings.ReplaceAll(naive, " ", "T"))[1:] {
		rows = append(rows, `"`+line[:len(time.DateTime)]+`Z"`)
	}
	typed := typedTable(t, arrayOf(t, berlin, "["+strings.Join(rows, ",")+"]"))
	asked := readText(t, "when,x\n2024-07-01T22:30:00Z,2024-07-01T22:30:00Z\n", ReadOptions{})
	plain := readText(t, "when,x\n2024-07-01T22:30:00,2024-07-01T22:30:00\n", ReadOptions{})
	mixed := readText(t, strings.Replace(naive, ":30:00,", ":30:00+02:00,", 1), ReadOptions{})
	for _, c := range []struct {
		train *Table
		clock string
		hour  float64 // of 22:30 UTC
	}{
		{zoned(""), "", 22.5}, {zoned("Z"), "UTC", 22.5}, {zoned("+05:30"), "+05:30", 4},
		{zoned(" -0300 (BRT)"), "-03:00", 19.5}, {zoned(" CEST"), "UTC", 22.5},
		{typed, "Europe/Berlin", 0.5}, {mixed, "UTC", 22.5},
	} {
		s := learned(t, c.train, SchemaOptions{Target: "y"})
		notes := strings.Join(s.Notes, "\n")
		if strings.Contains(notes, " by the clock of "+c.clock+" (") != (c.clock != "") ||
			strings.Contains(notes, "time zone and others without one") != (c.train == mixed) {
			t.Errorf("%s: notes %q", c.clock, s.Notes)
		}
		stored, err := json.Marshal(s)
		must.Succeed(t, err)
		must.Succeed(t, json.Unmarshal(stored, s))
		for _, query := range []*Table{asked, plain} {
			f, err := s.Features(query.Batches[0])
			must.Succeed(t, err)
			if hour := f.Row(0)[f.Cols-1]; hour != c.hour {
				t.Errorf("%s: hour %v, want %v", c.clock, hour, c.hour)
			}
			if odd := (query == asked) == (c.clock == ""); odd != (len(f.Notes) == 1) {
				t.Errorf("%s: notes %q", c.clock, f.Notes)
			}
		}
	}
}

// Dates that can mean one day only are read where the training table has others, with a note.
func TestOtherDates(t *testing.T) {
	days := learnText(t, "when,y\n2024-01-01,1\n2024-01-02,2\n2024-01-04,3\n",
		SchemaOptions{Target: "y"})
	for text, want := range map[string]string{
		"31.12.2019": "2019-12-31", "01.02.2019 00:00": "2019-02-01", "Feb 10, 2021": "2021-02-10",
		"12/31/2019": "", "31-12-2019": "", "01.13.2019": "",
	} {
		f, err := days.Features(batchOf(t, "when,x\n\""+text+"\",1\n"))
		if want == "" {
			checkError(t, err, fmt.Sprintf(`stdin:2: column "when": %q is not a date (2006-01-02)`, text))
			continue
		}
		must.Succeed(t, err)
		if got := spelling.FormatDay(int64(f.Row(0)[0])); got != want || len(f.Notes) != 1 {
			t.Errorf("%s is read as %s, with notes %q", text, got, f.Notes)
		}
	}
}

// An order that is asked for reads dates of query tables where the training table has others.
func TestOrderOfQuery(t *testing.T) {
	for _, kind := range []arrow.DataType{arrow.FixedWidthTypes.Date32, arrow.BinaryTypes.String} {
		days := typedTable(t, arrayOf(t, kind, `["2024-01-01", "2024-01-02", "2024-01-04"]`))
		days.Batches[0].Lines = []int64{2, 3, 4} // text is raw
		for order, want := range map[Dates]string{"dmy": "2019-04-03", "mdy": "2019-03-04",
			"ymd": "", "": ""} {
			s := throughJSON(t, learned(t, days, SchemaOptions{Target: "y", Dates: order}))
			f, err := s.Features(batchOf(t, "x\n03/04/2019\n31.12.2019\n2019-12-31\n"))
			if e, ok := errors.AsType[*Error](err); ok && want == "" {
				if advised := strings.Contains(e.Hint, "; if dates have the day first here, add "+
					"SchemaOptions.Dates dmy; if dates have the month first"); advised != (order == "") {
					t.Errorf("%s: hint %q", order, e.Hint)
				}
				continue
			}
			must.Succeed(t, err)
			for i, want := range []string{want, "2019-12-31", "2019-12-31"} {
				if got := spelling.FormatDay(int64(f.Row(i)[0])); got != want {
					t.Errorf("%s: row %d is %s, want %s", order, i, got, want)
				}
			}
		}
	}
}
