package forecast

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Series has a value at every step, NaN where it is missing. The first and the last value are not
// missing.
type Series struct {
	Step   Step
	First  int // place of the first value
	Values []float64
	Season int // steps; 1 for none

	since int // step of the last shift of the level that is known, 0 for none
}

// MostHistory is how many values a forecast reads at most: the last ones.
const MostHistory = 1000

// TwiceError reports two values at the same time.
type TwiceError struct {
	Rows [2]int // from 0
	Time float64
}

// Error names the first row.
func (e *TwiceError) Error() string {
	return fmt.Sprintf("row %d has the same time: each step has one row", e.Rows[0]+1)
}

// ErrNoValue reports a series without a value.
var ErrNoValue = errors.New("no row has a value")

// New makes a series of times, in any order, and values. calendar says that times are seconds since
// 1970 rather than numbers. season is in steps; 0 means the season of [Step.Season]. New leaves out
// missing values at both ends. Errors are a *TwiceError, an *IrregularError, [ErrFewTimes] or
// [ErrNoValue].
func New(times, values []float64, calendar bool, season int) (*Series, error) {
	order, sorted := make([]int, len(times)), slices.Clone(times)
	floats.ArgsortStable(sorted, order)
	for i, row := range order {
		if i > 0 && sorted[i] == sorted[i-1] {
			return nil, &TwiceError{Rows: [2]int{order[i-1], row}, Time: sorted[i]}
		}
	}
	step, err := StepOf(sorted, calendar)
	if err != nil {
		return nil, err
	}
	s := &Series{Step: step, Season: season}
	if season == 0 {
		s.Season = step.Season()
	}
	last, _ := step.index(sorted[len(sorted)-1])
	s.Values = make([]float64, last+1)
	for i := range s.Values {
		s.Values[i] = math.NaN()
	}
	for row, v := range values {
		at, _ := step.index(times[row])
		s.Values[at] = v
	}
	s.First = slices.IndexFunc(s.Values, func(v float64) bool { return !math.IsNaN(v) })
	if s.First < 0 {
		return nil, ErrNoValue
	}
	for last = len(s.Values); math.IsNaN(s.Values[last-1]); {
		last--
	}
	s.Values = s.Values[s.First:last]
	return s, nil
}

// Time is the time of a step, 0 being that of the first value.
func (s *Series) Time(step int) float64 { return s.Step.At(s.First + step) }

// Missing lists the steps without a value.
func (s *Series) Missing() (steps []int) {
	for i, v := range s.Values {
		if math.IsNaN(v) {
			steps = append(steps, i)
		}
	}
	return steps
}

// cut are the first n values, with MostHistory of them at most.
func (s *Series) cut(n int) *Series {
	first := max(0, n-MostHistory)
	return &Series{Step: s.Step, First: s.First + first, Values: s.Values[first:n], Season: s.Season}
}

// naive is the seasonal naive forecast of a horizon: the last value of the same season, or the last
// before it that is there.
func (s *Series) naive(horizon int) float64 {
	n := len(s.Values)
	for at := n - 1 + horizon - s.lag(horizon); at >= 0; at -= s.Season {
		if !math.IsNaN(s.Values[at]) {
			return s.Values[at]
		}
	}
	return s.Values[n-1]
}
