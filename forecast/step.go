package forecast

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"
)

// Unit is the unit in which steps are counted.
type Unit int

// The units.
const (
	Months      Unit = iota // calendar months; times are the same day, or the last of a shorter month
	Days                    // calendar days
	WorkingDays             // Monday to Friday
	Seconds                 // of times of the day
	Numbers                 // of a column of numbers
)

const day = 86400 // seconds

// Step is the distance between neighbouring values of a series: Size units. Start is the time of
// place 0. Times are seconds since 1970 in UTC, or any numbers.
type Step struct {
	Unit  Unit
	Size  float64
	Start float64 // time 0

	day int // of a month, if steps are months; 31 for the last
}

// IrregularError reports times that do not follow a step.
type IrregularError struct {
	Step  Step    // the nearest
	Time  float64 // the first that does not fit; NaN where most of the steps are missing
	Steps int     // from the first time to the last
	Rows  int
}

// Error says how far times are from a step.
func (e *IrregularError) Error() string {
	what := "one time would be between two steps"
	if math.IsNaN(e.Time) {
		what = fmt.Sprintf("only %d of %d steps would have a row", e.Rows, e.Steps)
	}
	return fmt.Sprintf("the times have no regular step: with one row for each %s, %s", e.Step.Name(),
		what)
}

// ErrFewTimes reports fewer than two different times.
var ErrFewTimes = errors.New("the rows have fewer than two different times")

// StepOf finds the step of times that ascend, none of them twice. calendar says that they are
// seconds since 1970. The error is an *IrregularError or [ErrFewTimes].
func StepOf(times []float64, calendar bool) (Step, error) {
	if len(times) < 2 {
		return Step{}, ErrFewTimes
	}
	s := Step{Unit: Numbers, Start: times[0]}
	switch {
	case !calendar:
		s.Size = s.ofNumbers(times)
	case s.monthly(times):
	default:
		s.ofSeconds(times)
	}
	for _, t := range times {
		if _, ok := s.index(t); !ok {
			return s, &IrregularError{Step: s, Time: t}
		}
	}
	last, _ := s.index(times[len(times)-1])
	if last+1 > 2*len(times) {
		return s, &IrregularError{Step: s, Time: math.NaN(), Steps: last + 1, Rows: len(times)}
	}
	return s, nil
}

// monthly makes it a step of months if the times are the last day of months, or the same day of
// each. A month without this day has its last one, such as 28 February after 30 January.
func (s *Step) monthly(times []float64) bool {
	first, size, latest, ends := utc(times[0]), 0, 0, true
	for _, at := range times {
		t := utc(at)
		latest, ends = max(latest, t.Day()), ends && t.AddDate(0, 0, 1).Day() == 1
		size = gcd(size, monthOf(t)-monthOf(first))
	}
	s.day = latest
	if ends {
		s.day = 31
	}
	for _, at := range times {
		if s.ofMonth(monthOf(utc(at))) != at {
			return false
		}
	}
	if size > 0 {
		s.Unit, s.Size = Months, float64(size)
	}
	return size > 0
}

// ofMonth is the time of a month, which monthOf has numbered.
func (s *Step) ofMonth(month int) float64 {
	last := time.Date(month/12, time.Month(month%12+2), 0, 0, 0, 0, 0, time.UTC)
	return float64(last.AddDate(0, 0, min(0, s.day-last.Day())).Unix())
}

// ofSeconds makes it a step of days, working days or seconds.
func (s *Step) ofSeconds(times []float64) {
	size, weekend := 0, false
	for i, t := range times {
		size = gcd(size, int(t-times[0]))
		d := utc(times[i]).Weekday()
		weekend = weekend || d == time.Saturday || d == time.Sunday
	}
	size = max(1, size) // of times within a second
	whole := size%day == 0
	switch {
	case whole && size == day && !weekend && len(times) > 5:
		s.Unit, s.Size = WorkingDays, 1
	case whole:
		s.Unit, s.Size = Days, float64(size/day)
	default:
		s.Unit, s.Size = Seconds, float64(size)
	}
}

// ofNumbers is the lower quartile of the distances of neighbours, so that gaps do not count, made
// exact by the whole span.
func (s *Step) ofNumbers(times []float64) float64 {
	apart := make([]float64, len(times)-1)
	for i := range apart {
		apart[i] = times[i+1] - times[i]
	}
	slices.Sort(apart)
	size, span := apart[(len(apart)-1)/4], times[len(times)-1]-times[0]
	return span / math.Round(span/size)
}

// slack is the share of a step that a number may be off, as decimal years are rounded.
const slack = 0.05

// index is the place of a time, 0 at Start; false where it fits no step.
func (s Step) index(at float64) (int, bool) {
	var place float64
	switch s.Unit {
	case Months:
		place = float64(monthOf(utc(at))-monthOf(utc(s.Start))) / s.Size
	case WorkingDays:
		place = workday(at) - workday(s.Start)
	case Days:
		place = (at - s.Start) / day / s.Size
	default:
		place = (at - s.Start) / s.Size
	}
	whole := math.Round(place)
	off := math.Abs(place - whole)
	return int(whole), off == 0 || s.Unit == Numbers && off <= slack
}

// At is the time of a place.
func (s Step) At(place int) float64 {
	n := float64(place) * s.Size
	switch s.Unit {
	case Months:
		return s.ofMonth(monthOf(utc(s.Start)) + int(n))
	case WorkingDays:
		d := int(workday(s.Start)) + place
		week := int(math.Floor(float64(d) / 5))
		return float64(week*7+d-5*week+monday) * day
	case Days:
		return s.Start + n*day
	case Numbers:
		return rounded(s.Start + n)
	}
	return s.Start + n
}

// rounded leaves twelve digits: sums of months of years that were rounded give 1961.0000000000032.
func rounded(x float64) float64 {
	short, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 12, 64), 64)
	return short
}

// Season is the number of steps after which a pattern repeats: a year for months and weeks, a week
// for days, a day for shorter steps. It is 1 if no season is known.
func (s Step) Season() int {
	switch s.Unit {
	case Months:
		return divides(12, s.Size)
	case Days:
		if s.Size == 7 {
			return 52
		}
		return divides(7, s.Size)
	case WorkingDays:
		return 5
	case Seconds:
		return divides(day, s.Size)
	}
	year := math.Round(1 / s.Size) // of decimal years
	if s.Size < 1 && year <= 366 && math.Abs(year*s.Size-1) < 0.01 {
		return int(year)
	}
	return 1
}

// divides is how often a size goes into a whole, 1 where it does not.
func divides(whole, size float64) int {
	if n := whole / size; n == math.Floor(n) && n >= 1 {
		return int(n)
	}
	return 1
}

// Name is one step in words.
func (s Step) Name() string {
	names := map[Unit]map[float64]string{
		Months:      {1: "month", 3: "quarter", 12: "year"},
		Days:        {1: "day", 7: "week"},
		WorkingDays: {1: "working day"},
		Seconds:     {3600: "hour", 60: "minute", 1: "second"},
		Numbers:     {1: "step"},
	}
	if name := names[s.Unit][s.Size]; name != "" {
		return name
	}
	if s.Unit == Numbers {
		return fmt.Sprintf("step of %.4g", s.Size)
	}
	return fmt.Sprintf("step of %g %ss", s.Size, names[s.Unit][1])
}

func utc(seconds float64) time.Time { return time.Unix(int64(seconds), 0).UTC() }

// monthOf numbers the months.
func monthOf(t time.Time) int { return 12*t.Year() + int(t.Month()) - 1 }

// monday is the day number of the first Monday after 1970 began, a Thursday.
const monday = 4

// workday numbers the working days; those of a weekend are no whole numbers.
func workday(at float64) float64 {
	days := at/day - monday
	week := math.Floor(days / 7)
	in := days - 7*week
	if in >= 5 {
		in = 4.5
	}
	return 5*week + in
}

// gcd is the greatest common divisor, of 0 and n that of n alone.
func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}
