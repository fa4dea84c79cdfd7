package forecast

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/pfnamp/pfnamp/internal/must"
)

// seconds are those of dates and times.
func seconds(t *testing.T, texts ...string) []float64 {
	t.Helper()
	all := make([]float64, len(texts))
	for i, text := range texts {
		layout := time.DateOnly
		if len(text) > len(layout) {
			layout = "2006-01-02T15:04"
		}
		at, err := time.Parse(layout, text)
		must.Succeed(t, err)
		all[i] = float64(at.Unix())
	}
	return all
}

// Every kind of step is found, with its season, and goes on beyond the last time.
func TestStepOf(t *testing.T) {
	for _, test := range []struct {
		name   string
		season int
		times  []float64
		next   float64
	}{
		{"month", 12, seconds(t, "2020-01-01", "2020-02-01", "2020-04-01"), seconds(t, "2020-05-01")[0]},
		{"month", 12, seconds(t, "2023-12-31", "2024-01-31", "2024-02-29"), seconds(t, "2024-03-31")[0]},
		{"quarter", 4, seconds(t, "2019-10-01", "2020-01-01", "2020-07-01"), seconds(t, "2020-10-01")[0]},
		{"year", 1, seconds(t, "2000-07-01", "2001-07-01", "2002-07-01"), seconds(t, "2003-07-01")[0]},
		{"day", 7, seconds(t, "2024-02-27", "2024-02-28", "2024-03-01", "2024-03-02"),
			seconds(t, "2024-03-03")[0]},
		{"week", 52, seconds(t, "2024-01-03", "2024-01-10", "2024-01-17"), seconds(t, "2024-01-24")[0]},
		{"working day", 5, seconds(t, "2024-01-03", "2024-01-04", "2024-01-05", "2024-01-08",
			"2024-01-09", "2024-01-11", "2024-01-12"), seconds(t, "2024-01-15")[0]},
		{"hour", 24, seconds(t, "2024-01-01T22:00", "2024-01-01T23:00", "2024-01-02T01:00"),
			seconds(t, "2024-01-02T02:00")[0]},
		{"step of 1800 seconds", 48, seconds(t, "2024-01-01T22:00", "2024-01-01T22:30"),
			seconds(t, "2024-01-01T23:00")[0]},
		{"step", 1, []float64{1990, 1991, 1993}, 1994},
		{"step of 0.08333", 12, []float64{1990, 1990.083, 1990.167, 1990.25}, 1990 + 4/12.},
	} {
		calendar := test.times[0] > 1e6
		s, err := StepOf(test.times, calendar)
		if err != nil || s.Name() != test.name || s.Season() != test.season {
			t.Errorf("%s: found %s, season %d, %v", test.name, s.Name(), s.Season(), err)
			continue
		}
		last, _ := s.index(test.times[len(test.times)-1])
		if got := s.At(last + 1); math.Abs(got-test.next) > 1e-3 {
			t.Errorf("%s goes on with %v, want %v", test.name, got, test.next)
		}
		for _, at := range test.times {
			place, ok := s.index(at)
			if !ok || math.Abs(s.At(place)-at) > 1e-3 {
				t.Errorf("%s: %v has place %d, whose time is %v", test.name, at, place, s.At(place))
			}
		}
	}
}

// Times without a step, and too few of them, are refused.
func TestIrregularTimes(t *testing.T) {
	for _, times := range [][]float64{
		seconds(t, "2024-01-01", "2024-01-02", "2024-03-09", "2024-08-20"),
		seconds(t, "2024-01-01T00:00", "2024-01-01T01:00", "2024-01-01T02:07", "2024-01-01T09:01"),
		{1, 2, 3.3, 4, 5, 6}, {2e9, 2e9 + 0.1, 2e9 + 0.2},
	} {
		_, err := StepOf(times, times[0] > 1e6)
		if e, ok := errors.AsType[*IrregularError](err); !ok || e.Step.Size == 0 {
			t.Errorf("%v: %v", times, err)
		}
	}
	if _, err := StepOf([]float64{7}, false); err != ErrFewTimes {
		t.Error(err)
	}
}

// Years with their months as fractions go on with as few digits as they have.
func TestYearsWithFractions(t *testing.T) {
	var times []float64
	for month := range 24 {
		times = append(times, math.Round((1949+float64(month)/12)*1e6)/1e6)
	}
	s, err := StepOf(times, false)
	must.Succeed(t, err)
	for place, want := range map[int]float64{24: 1951, 30: 1951.5} {
		if got := s.At(place); math.Abs(got-want) > 1e-5 || got != rounded(got) {
			t.Errorf("At(%d) = %v, want about %v in twelve digits", place, got, want)
		}
	}
}
