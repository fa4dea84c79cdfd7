package amp

import (
	"fmt"
	"math"
	"strings"
)

// Statistic is a number that describes the distribution of a label itself: every [Functional] at
// its Point, and [Deviation] and [Density]. It has no posterior.
type Statistic interface {
	// String returns the text form: q0.9, p>150, sd, density(150).
	String() string
	// Point returns the number of a distribution.
	Point(ppd PPD) float64
}

// Deviation is the standard deviation of the label.
type Deviation struct{}

// String returns "sd".
func (Deviation) String() string { return "sd" }

// deviationLevels is by how many equally likely values a deviation takes a label that tells no
// variance.
const deviationLevels = 4096

// Point returns √Var Y, by the distribution's own method Variance() float64 if it has one,
// otherwise of equally likely quantiles.
func (Deviation) Point(ppd PPD) float64 {
	if v, ok := ppd.(interface{ Variance() float64 }); ok {
		return math.Sqrt(v.Variance())
	}
	var p, q [deviationLevels]float64
	for i := range p {
		p[i] = (float64(i) + 0.5) / deviationLevels
	}
	quantiles(ppd, q[:], p[:])
	mean, square := 0.0, 0.0
	for i, y := range q {
		step := (y - mean) / float64(i+1)
		square += (y - mean) * (y - mean - step)
		mean += step
	}
	return math.Sqrt(square / deviationLevels)
}

// Density is the density of the label at a value. A label of whole numbers has none, see
// [Support.Dense].
type Density struct{ At float64 }

// String returns density(150).
func (d Density) String() string { return "density(" + decimal(d.At) + ")" }

// Point returns the distribution's own Density(y float64) float64, NaN where it has no such method.
func (d Density) Point(ppd PPD) float64 {
	if dense, ok := ppd.(interface{ Density(float64) float64 }); ok {
		return dense.Density(d.At)
	}
	return math.NaN()
}

// Dense reports whether labels of a support have a density: whole numbers have probabilities
// instead.
func (s Support) Dense() bool { return !s.Whole }

// Density is that of Y within the range, and 0 outside. What T moves to an end of the range is a
// probability there, and no part of it.
func (d supportedPPD) Density(y float64) float64 {
	if !d.support.Dense() {
		return math.NaN()
	}
	if d.support.clamp(y) != y {
		return 0
	}
	return Density{y}.Point(d.PPD)
}

// Variance of two possible values is p (1 - p).
func (d twoPoint) Variance() float64 { return d.upper * (1 - d.upper) }

// statisticForms are written besides those of functionals.
var statisticForms = []Form{
	{Texts: []string{"sd"}, Common: []string{"sd"}, Meaning: "standard deviation of the label"},
	{Texts: []string{"density(150)"}, Meaning: "density of the label at a value"},
}

// StatisticForms lists the statistics as they are written.
func StatisticForms() []Form { return append(Forms(), statisticForms...) }

// ParseStatistic reads the text form of a [Statistic]: that of a [Functional] as [ParseFunctional]
// reads it, sd, or density(150). The error says what is allowed.
func ParseStatistic(text string) (Statistic, error) {
	s := strings.TrimSpace(text)
	if s == "sd" {
		return Deviation{}, nil
	}
	if inside, ok := strings.CutPrefix(s, "density("); ok {
		inside, closed := strings.CutSuffix(inside, ")")
		at, finite := number(inside)
		if !closed || !finite {
			return nil, fmt.Errorf("%q is no density: write density(150), with a number", text)
		}
		return Density{at}, nil
	}
	f, err := ParseFunctional(text)
	if err != nil {
		return nil, fmt.Errorf("%w, sd, density(150)", err)
	}
	return f, nil
}

// ParseStatistics reads a list of statistics that are separated by commas. It refuses a statistic
// that is listed twice.
func ParseStatistics(list string) ([]Statistic, error) {
	var all []Statistic
	seen := make(map[string]bool)
	for rest, more := list, true; more; {
		var item string
		item, rest, more = cutItem(rest)
		s, err := ParseStatistic(item)
		if err != nil {
			return nil, err
		}
		if seen[s.String()] {
			return nil, fmt.Errorf("%q is listed twice", s.String())
		}
		seen[s.String()] = true
		all = append(all, s)
	}
	return all, nil
}
