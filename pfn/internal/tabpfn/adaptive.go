package tabpfn

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"

	"github.com/pfnamp/pfnamp/pfn/internal/pyrand"
	"github.com/pfnamp/pfnamp/pfn/internal/yeojohnson"
)

// shape is the kind of a column's distribution, which decides its transform.
type shape int

const (
	plain     shape = iota // ordinal, or nearly normal: no transform
	heavy                  // no negative numbers, a heavy upper tail: ln(1+x), standardised
	share                  // skewed within 0..1: e^x
	positive               // skewed, no negative numbers: Box-Cox of the range, standardised
	skewed                 // skewed: Yeo-Johnson, standardised
	irregular              // any other: normal quantiles of positions
)

// Limits that tell shapes apart.
const (
	fewestToShape = 10   // distinct values
	heavySkew     = 5    // the third standardised moment
	strongSkew    = 1.1  // 3 (mean - median) / deviation
	nearlyNormal  = 0.95 // Shapiro and Wilk's W
	shapiroRows   = 3000 // the first rows, which W is computed from
)

// shapeOf returns the shape of a column from all its context rows.
func shapeOf(values []float64) shape {
	present := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	sorted := slices.Sorted(slices.Values(present))
	if unique, _ := distinct(sorted); len(unique) < fewestToShape {
		return plain
	}
	least, most := sorted[0], sorted[len(sorted)-1]
	mean, variance, _ := moments(present)
	if least >= 0 && thirdMoment(present, mean) > heavySkew {
		return heavy
	}
	skew, deviation := 0.0, math.Sqrt(variance)
	if deviation >= 1e-8 {
		skew = 3 * (mean - atPercent(sorted, 50)) / deviation
	}
	switch {
	case math.Abs(skew) > strongSkew && least >= 0 && most <= 1:
		return share
	case math.Abs(skew) > strongSkew && least >= 0:
		return positive
	case math.Abs(skew) > strongSkew:
		return skewed
	case shapiroW(present[:min(len(present), shapiroRows)]) > nearlyNormal:
		return plain
	}
	return irregular
}

// thirdMoment is the standardised third moment of a sample, corrected for its size.
func thirdMoment(values []float64, mean float64) float64 {
	var second, third float64
	n := float64(len(values))
	for _, v := range values {
		d := v - mean
		second += d * d / n
		third += d * d * d / n
	}
	if second <= math.Pow(0x1p-52*mean, 2) {
		return 0
	}
	return math.Sqrt((n-1)*n) / (n - 2) * third / math.Pow(second, 1.5)
}

// mostFitted is the largest number of context rows that a transform is fitted to.
const mostFitted = 2000

// fitAdaptive learns the transform of every column: its shape from all context rows, its parameters
// from at most 2,000 of them. Missing values and overflows become 0.
func fitAdaptive(columns [][]float64, rows int, seed uint64) []columnTransform {
	var drawn []int
	if rows > mostFitted {
		drawn = pyrand.NewGenerator(seed).Subset(rows, mostFitted)
	}
	quantiles := max(rows/10, 2)
	fitted := make([]columnTransform, len(columns))
	for k, values := range columns {
		of := shapeOf(values)
		if drawn != nil {
			part := make([]float64, len(drawn))
			for i, row := range drawn {
				part[i] = values[row]
			}
			values = part
		}
		change := fitShape(of, values, min(quantiles, noriQuantiles))
		fitted[k] = func(v float64) float64 {
			if v = change(v); v-v != 0 {
				return 0
			}
			return v
		}
	}
	return fitted
}

// fitShape learns the transform of one shape.
func fitShape(of shape, values []float64, quantiles int) columnTransform {
	switch of {
	case heavy:
		return standardised(math.Log1p, values)
	case share:
		return math.Exp
	case positive:
		return fitBoxCox(values)
	case skewed:
		power := yeoJohnsonLambda(values, true)
		return standardised(func(v float64) float64 { return yeojohnson.Transform(v, power) }, values)
	case irregular:
		return fitPosition(values, quantiles).normal
	}
	return unchanged
}

// standardised returns a transform with the mean 0 and the deviation 1 over the transformed values.
func standardised(change columnTransform, values []float64) columnTransform {
	made := make([]float64, len(values))
	for i, v := range values {
		made[i] = change(v)
	}
	mean, variance, constant := moments(made)
	deviation := math.Sqrt(variance)
	if constant {
		deviation = 1
	}
	return func(v float64) float64 { return (change(v) - mean) / deviation }
}

// fitBoxCox maps the range of the values to 0.1..1, clips to that, and applies the Box-Cox
// transform with the most likely power, standardised.
func fitBoxCox(values []float64) columnTransform {
	const low, high = 0.1, 1.0
	present := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	if len(present) == 0 || slices.Min(present) == slices.Max(present) {
		return unchanged
	}
	least := slices.Min(present)
	factor := (high - low) / (slices.Max(present) - least)
	logarithm := func(v float64) float64 {
		return math.Log(min(max(v*factor+(low-least*factor), low), high))
	}
	for i, v := range present {
		present[i] = logarithm(v)
	}
	power, ok := boxCoxPower(present)
	if !ok {
		return unchanged
	}
	return standardised(func(v float64) float64 { return boxCox(logarithm(v), power) }, values)
}

// boxCox returns (x^power - 1)/power from log x, and log x for the power 0.
func boxCox(log, power float64) float64 {
	if power == 0 {
		return log
	}
	return math.Expm1(power*log) / power
}

// boxCoxPower maximises the profile likelihood
//
//	(power - 1) sum ln x - n/2 ln var((x^power - 1)/power)
//
// and reports whether there is a maximum.
//
// Source: Box and Cox, "An Analysis of Transformations", Journal of the Royal Statistical Society B
// 26 (1964) 211-252; the search is that of scipy.stats.boxcox_normmax.
func boxCoxPower(logs []float64) (power float64, ok bool) {
	var sum float64
	for _, l := range logs {
		sum += l
	}
	made := make([]float64, len(logs))
	return yeojohnson.Minimize(func(power float64) float64 {
		for i, l := range logs {
			made[i] = boxCox(l, power)
		}
		_, variance, _ := moments(made)
		return float64(len(logs))/2*math.Log(variance) - (power-1)*sum
	})
}

// Coefficients of the polynomials in 1/sqrt(n) that correct the two outermost weights.
var (
	outermost = []float64{0, 0.221157, -0.147981, -2.07119, 4.434685, -2.706056}
	nextOne   = []float64{0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633}
)

// shapiroW is Shapiro and Wilk's statistic of more than five numbers: the squared correlation of
// the sorted numbers with weights that suit a normal sample. It is within 0..1, close to 1 for
// normal samples, and 1 for equal numbers.
//
// Source: Royston, "Remark AS R94: A Remark on Algorithm AS 181: The W-test for Normality", Applied
// Statistics 44 (1995) 547-551.
func shapiroW(values []float64) float64 {
	x := slices.Sorted(slices.Values(values))
	n := len(x)
	if x[n-1]-x[0] < leastRange {
		return 1
	}
	weights := shapiroWeights(n)
	var mean, cross, spread, norm float64
	for _, v := range x {
		mean += v / float64(n)
	}
	for i, v := range x {
		d := v - mean
		cross += weights[i] * d
		spread += d * d
		norm += weights[i] * weights[i]
	}
	return cross * cross / (spread * norm)
}

// leastRange is the range below which numbers count as equal.
const leastRange = 1e-19

// shapiroWeights are the weights of n > 5 sorted numbers, ascending and symmetric about 0.
func shapiroWeights(n int) []float64 {
	half := n / 2
	scores := make([]float64, half) // of the upper half, the outermost first
	var sum float64
	for i := range scores {
		scores[i] = -mathext.NormalQuantile((float64(i) + 0.625) / (float64(n) + 0.25))
		sum += 2 * scores[i] * scores[i]
	}
	root, at := math.Sqrt(sum), 1/math.Sqrt(float64(n))
	first := polynomial(outermost, at) + scores[0]/root
	second := polynomial(nextOne, at) + scores[1]/root
	rest := math.Sqrt((sum - 2*scores[0]*scores[0] - 2*scores[1]*scores[1]) /
		(1 - 2*first*first - 2*second*second))
	weights := make([]float64, n)
	for i, score := range scores {
		w := score / rest
		switch i {
		case 0:
			w = first
		case 1:
			w = second
		}
		weights[i], weights[n-1-i] = -w, w
	}
	return weights
}

func polynomial(coefficients []float64, at float64) float64 {
	var sum float64
	for _, c := range slices.Backward(coefficients) {
		sum = sum*at + c
	}
	return sum
}
