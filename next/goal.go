package next

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"
)

// Aim is the kind of a [Goal].
type Aim string

// The aims.
const (
	Minimum Aim = "minimum" // find the lowest value of the function
	Maximum Aim = "maximum" // find the highest value
	Target  Aim = "target"  // find a row where the function has a given value
	Learn   Aim = "learn"   // reduce the variance of the mean over a population
)

// Goal is the purpose for which rows are chosen.
type Goal struct {
	Aim   Aim
	Value float64 // for Target, in units of the target; else 0
}

// GoalError reports a text that is not a goal.
type GoalError struct{ Text string }

// Error lists the goals.
func (e *GoalError) Error() string {
	return fmt.Sprintf("%q is not one of minimum, maximum, learn and target=NUMBER", e.Text)
}

// ParseGoal reads minimum, maximum, learn or target=NUMBER. The error is a *GoalError.
func ParseGoal(text string) (Goal, error) {
	switch aim := Aim(text); aim {
	case Minimum, Maximum, Learn:
		return Goal{Aim: aim}, nil
	}
	name, number, _ := strings.Cut(text, "=")
	value, err := strconv.ParseFloat(number, 64)
	if Aim(name) != Target || err != nil || math.IsNaN(value) || math.IsInf(value, 0) {
		return Goal{}, &GoalError{text}
	}
	return Goal{Target, value}, nil
}

// String returns the text that [ParseGoal] reads.
func (g Goal) String() string {
	if g.Aim == Target {
		return fmt.Sprintf("target=%v", g.Value)
	}
	return string(g.Aim)
}

// miss returns the distance of a value from the goal, up to a constant; less is better.
func (g Goal) miss(y float64) float64 {
	switch g.Aim {
	case Maximum:
		return -y
	case Target:
		return math.Abs(y - g.Value)
	}
	return y
}

// improvement returns the expected improvement on a miss if the function is normal.
func (g Goal) improvement(best, mean, spread float64) float64 {
	if spread <= 0 {
		return math.Max(0, best-g.miss(mean))
	}
	hinge := func(gap float64) float64 { // E max(0, gap + error)
		z := gap / spread
		density := math.Exp(-z*z/2) / math.Sqrt(2*math.Pi)
		return gap*distuv.UnitNormal.CDF(z) + spread*density
	}
	if g.Aim != Target {
		return hinge(best - g.miss(mean))
	}
	// E max(0, best - |y - value|), a triangle, is a sum of three hinges.
	return math.Max(0, hinge(mean-(g.Value-best))-2*hinge(mean-g.Value)+hinge(mean-(g.Value+best)))
}
