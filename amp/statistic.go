package amp

import (
	"fmt"
	"math"
	"strings"
)

// Statistic is a number that describes the distribution of the label: every [Functional], as its
// Point, [Deviation] and [Density]. It has no posterior.
type Statistic interface {
	// String returns the text form: q0.9, p>150, sd, density(150).
	String() string
	// Point returns the statistic of a distribution.
	Point(ppd PPD) float64
}

// Deviation is the standard deviation of the label.
type Deviation struct{}

// String returns "sd".
func (Deviation) String() string { return "sd" }

// deviationLevels is the number of equally likely values in the deviation of a label whose
// distribution has no method Variance.
const deviationLevels = 4096

// Point returns √Var Y. It calls the distribution's method Variance() float64 if there is one, and
// otherwise uses equally likely quantiles.
func (Deviation) Point(ppd PPD) float64 {
	if v, ok := ppd.(interface{ Variance() float64 }); ok {
		return math.Sqrt(v.Variance())
	}
	var p, q [deviationLevels]float64
	for i := range p {
		p[i] = (float64(i) + 0.5) / deviationLevels
	}
	Quantiles(ppd, q[:], p[:])
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

// Point returns the distribution's Density(y float64) float64, or NaN if it has no such method.
func (d Density) Point(ppd PPD) float64 {
	if dense, ok := ppd.(interface{ Density(float64) float64 }); ok {
		return dense.Density(d.At)
	}
	return math.NaN()
}

// Dense reports whether labels of a support have a density: whole numbers have probabilities
// instead.
func (s Support) Dense() bool { return !s.Whole }

// Density returns the density of Y within the range, and 0 outside. T moves labels from outside to
// an end of the range; they have a probability there and do not count in the density.
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

// statisticForms lists the statistics that are not functionals.
var statisticForms = []Form{
	{Texts: []string{"sd"}, Common: []string{"sd"}, Meaning: "standard deviation of the label"},
	{Texts: []string{"density(150)"}, Meaning: "density of the label at a value"},
}

// StatisticForms lists the kinds of statistics and how to write them.
func StatisticForms() []Form { return append(Forms(), statisticForms...) }

// ParseStatistic reads the text form of a [Statistic]: a [Functional] as in [ParseFunctional], sd,
// or density(150). The error lists the allowed forms.
func ParseStatistic(text string) (Statistic, error) {
	s := strings.TrimSpace(text)
	if s == "sd" {
		return Deviation{}, nil
	}
	if inside, ok := strings.CutPrefix(s, "density("); ok {
		inside, closed := strings.CutSuffix(inside, ")")
		at, finite := number(inside)
		if !closed || !finite {
			return nil, fmt.Errorf("%q is not a density: write a number in parentheses, like density(150)",
				text)
		}
		return Density{at}, nil
	}
	f, err := ParseFunctional(text)
	if err != nil {
		return nil, fmt.Errorf("%w, sd, density(150)", err)
	}
	return f, nil
}

// ParseStatistics reads a comma-separated list of statistics. It fails if a statistic is listed
// twice.
func ParseStatistics(list string) (all []Statistic, err error) {
	err = eachItem(list, func(item string) (string, error) {
		s, err := ParseStatistic(item)
		if err != nil {
			return "", err
		}
		all = append(all, s)
		return s.String(), nil
	})
	return all, err
}
