package forecast

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp/tabular"
)

// Columns say what the columns of a table are for.
type Columns struct {
	Time   string // "" means the only column of dates
	Target string
	Series string        // column that tells series apart, "" for one series
	Season int           // see [New]
	Dates  tabular.Dates // the order of days and months, such as [tabular.DayFirst]
}

// Table is a table of series.
type Table struct {
	Columns Columns
	Clock   Clock
	Names   []string // of the series in their order in the table; one "" without a column of series
	Series  []*Series
	Short   []string // series that are too short for any forecast, beside others
	Unused  []string // columns
}

// TimeError reports that no column, or more than one, can be the time.
type TimeError struct{ Dates []string }

// Error lists the columns of dates.
func (e *TimeError) Error() string {
	if len(e.Dates) == 0 {
		return "no column holds dates, and none is named as the time"
	}
	return fmt.Sprintf("the columns %q hold dates, and none is named as the time", e.Dates)
}

// TextError reports a time column with texts that are not times.
type TextError struct{ Text string }

// Error shows one of the texts.
func (e *TextError) Error() string { return fmt.Sprintf("%q is not a time", e.Text) }

// SeriesError is an error of one series of a table, whose rows are those of the table.
type SeriesError struct {
	Name string // "" without a column of series
	Err  error
}

// Error names the series.
func (e *SeriesError) Error() string {
	if e.Name == "" {
		return e.Err.Error()
	}
	return fmt.Sprintf("series %q: %v", e.Name, e.Err)
}

// Unwrap returns the error alone.
func (e *SeriesError) Unwrap() error { return e.Err }

// Read takes the series out of a table. Errors are a *tabular.Error about a column or a cell, a
// *TimeError, a *TextError, or a *SeriesError around an error of [New]. With a *SeriesError, Read
// also returns a table that knows its columns.
func Read(t *tabular.Table, c Columns) (*Table, error) {
	if c.Time == "" {
		var err error
		if c.Time, err = timeOf(t, c); err != nil {
			return nil, err
		}
	}
	used := []string{c.Time, c.Target}
	if c.Series != "" {
		used = append(used, c.Series)
	}
	for _, name := range used {
		if !slices.Contains(t.Names(), name) {
			return nil, tabular.NoColumn(t.File, name, t.Names())
		}
	}
	table := &Table{Columns: c, Unused: others(t, used...)}
	kind, err := timeColumn(t, c.Time, c.Dates)
	if err != nil {
		return nil, err
	}
	opt := tabular.SchemaOptions{Ignore: table.Unused, Numeric: []string{c.Target},
		KeepFeatures: []string{c.Time}, Dates: tabular.NumberDates + "," + c.Dates}
	if kind.Kind == tabular.Categorical {
		opt.Categorical = append(opt.Categorical, c.Time)
	}
	if c.Series != "" {
		opt.Categorical = append(opt.Categorical, c.Series)
	}
	schema, err := tabular.Learn(t, opt)
	if wrong, ok := errors.AsType[*tabular.Error](err); ok && wrong.Column == c.Target {
		return nil, wrong.WithHint("write a number or an empty cell in every row: " +
			"only numbers can be forecast")
	}
	if err != nil {
		return nil, err
	}
	cells, err := table.cells(t, schema)
	if err != nil {
		return nil, err
	}
	return table, table.build(cells)
}

// others lists the columns of a table but some.
func others(t *tabular.Table, but ...string) []string {
	return slices.DeleteFunc(t.Names(), func(name string) bool { return slices.Contains(but, name) })
}

// timeColumn learns what a column holds: texts that differ in every row are categories here.
func timeColumn(t *tabular.Table, name string, dates tabular.Dates) (tabular.Column, error) {
	opt := tabular.SchemaOptions{Ignore: others(t, name), Dates: tabular.NumberDates + "," + dates}
	schema, err := tabular.Learn(t, opt)
	if wrong, ok := errors.AsType[*tabular.Error](err); ok && wrong.Column != name {
		opt.Categorical = []string{name}
		schema, err = tabular.Learn(t, opt)
	}
	if err != nil {
		return tabular.Column{}, err
	}
	return schema.Columns[0], nil
}

// timeOf is the only column of dates, times, months or quarters.
func timeOf(t *tabular.Table, c Columns) (string, error) {
	var dates []string
	for _, name := range others(t, c.Target, c.Series) {
		column, err := timeColumn(t, name, c.Dates)
		if err != nil { // which Read returns if these are dates in either order
			column, _ = timeColumn(t, name, tabular.Dates(tabular.DayFirst))
		}
		_, months := clockOf(column.Categories)
		if column.Kind == tabular.Date || column.Kind == tabular.Timestamp ||
			column.Kind == tabular.Categorical && months {
			dates = append(dates, name)
		}
	}
	if len(dates) != 1 {
		return "", &TimeError{dates}
	}
	return dates[0], nil
}

// Check returns nil if every series is long enough for a horizon, 0 for the default of each.
// Otherwise it returns the shortest one, with horizons that all series are long enough for.
func (t *Table) Check(horizon int) (series int, short *ShortError) {
	most, seasonless := math.MaxInt, math.MaxInt
	for i, s := range t.Series {
		e := s.reach(horizon)
		most, seasonless = min(most, e.Most), min(seasonless, e.Seasonless)
		if e.Horizon > e.Most && (short == nil || cmp.Or(e.Most-short.Most, e.Values-short.Values) < 0) {
			series, short = i, e
		}
	}
	if short != nil {
		short.Most, short.Seasonless = most, seasonless
	}
	return series, short
}

// cells are those of a table, by row.
type cells struct {
	times, values []float64
	series        []string
}

// cells reads the columns and sets the clock.
func (t *Table) cells(from *tabular.Table, schema *tabular.Schema) (all cells, err error) {
	place := func(name string) int { return slices.Index(schema.FeatureNames(), name) }
	at, value := place(t.Columns.Time), place(t.Columns.Target)
	column := schema.Columns[at]
	t.Clock = Clock{kind: column.Kind, text: column.Type.ID() == arrow.STRING, whole: true}
	if column.Kind == tabular.Categorical {
		var ok bool
		if t.Clock, ok = clockOf(column.Categories); !ok {
			odd := max(0, slices.IndexFunc(column.Categories, func(text string) bool {
				_, alone := clockOf([]string{text})
				return !alone
			}))
			return all, &TextError{column.Categories[odd]}
		}
	}
	var texts []string
	for _, batch := range from.Batches {
		if column, _ := batch.Column(t.Columns.Time); t.Clock.text {
			for i := range batch.Rows() {
				texts = append(texts, strings.TrimSpace(column.ValueStr(i)))
			}
		}
		f, err := schema.Features(batch)
		if err != nil {
			return all, err
		}
		for i := range f.Rows {
			row := f.Row(i)
			time := row[at]
			if math.IsNaN(time) || column.Kind == tabular.Categorical && time < 0 {
				return all, &tabular.Error{File: from.File, Row: batch.First + int64(i) + 1,
					Column: t.Columns.Time, Msg: "the time is missing"}
			}
			all.times = append(all.times, t.seconds(column, time))
			all.values = append(all.values, row[value])
			name := ""
			if t.Columns.Series != "" {
				of := schema.Columns[place(t.Columns.Series)]
				if code := int(row[place(t.Columns.Series)]); code >= 0 {
					name = of.Categories[code]
				}
			}
			all.series = append(all.series, name)
		}
	}
	if stored, ok := column.Type.(*arrow.TimestampType); ok {
		t.Clock.stored(stored, all.times)
	} else if t.Clock.Calendar() && t.Clock.text {
		t.Clock.written(texts, all.times)
	}
	t.Clock.local(all.times)
	return all, nil
}

// seconds is an encoded time as a series takes it.
func (t *Table) seconds(column tabular.Column, time float64) float64 {
	switch column.Kind {
	case tabular.Date:
		return time * day
	case tabular.Categorical:
		at, _ := t.Clock.parse(column.Categories[int(time)])
		return at
	case tabular.Numeric:
		t.Clock.whole = t.Clock.whole && time == math.Floor(time)
	}
	return time
}

// build makes the series. It leaves out those that are too short for any forecast, unless all are.
func (t *Table) build(all cells) error {
	rows, names := map[string][]int{}, []string(nil)
	for i, name := range all.series {
		if rows[name] == nil {
			names = append(names, name)
		}
		rows[name] = append(rows[name], i)
	}
	made, failed, short := map[string]*Series{}, map[string]error{}, map[string]bool{}
	for _, name := range names {
		var times, values []float64
		for _, row := range rows[name] {
			times, values = append(times, all.times[row]), append(values, all.values[row])
		}
		s, err := New(times, values, t.Clock.Calendar(), t.Columns.Season)
		if twice, ok := err.(*TwiceError); ok {
			twice.Rows = [2]int{rows[name][twice.Rows[0]], rows[name][twice.Rows[1]]}
		}
		if err != nil && err != ErrFewTimes && err != ErrNoValue {
			return &SeriesError{name, err}
		}
		made[name], failed[name] = s, err
		if err != nil || s.most() == 0 && s.reach(0).Seasonless == 0 {
			short[name] = true
		}
	}
	for _, name := range names {
		switch {
		case short[name] && len(short) < len(names):
			t.Short = append(t.Short, name)
		case failed[name] != nil:
			return &SeriesError{name, failed[name]}
		default:
			t.Names, t.Series = append(t.Names, name), append(t.Series, made[name])
		}
	}
	return nil
}
