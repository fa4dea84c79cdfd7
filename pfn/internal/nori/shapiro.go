package nori

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
)

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
