package tabpfn

import "math"

// Target standardises the target: z = (y - Mean)/SD with the population deviation.
type Target struct{ Mean, SD float64 }

// FitTarget fits the context rows, whose targets are not all equal.
func FitTarget(y []float64) Target {
	var t Target
	for _, v := range y {
		t.Mean += v / float64(len(y))
	}
	t.SD = targetDeviation(y, t.Mean)
	return t
}

// Range of binary exponents of the largest distance from the mean in which the deviation is
// computed like in the reference, which adds 1e-20 and squares without scaling.
const leastUsual, mostUsual = -40, 400

// targetDeviation returns the population deviation. Squares of unusual distances would vanish or
// overflow, and 1e-20 would hide small ones. So such distances are scaled by a power of two,
// without the addition.
func targetDeviation(y []float64, mean float64) float64 {
	var largest, sum float64
	for _, v := range y {
		largest = max(largest, math.Abs(v-mean))
	}
	_, exp := math.Frexp(largest)
	usual := leastUsual < exp && exp < mostUsual
	if usual {
		exp = 0
	}
	for _, v := range y {
		d := math.Ldexp(v-mean, -exp)
		sum += d / float64(len(y)) * d
	}
	if usual {
		return math.Sqrt(sum) + 1e-20
	}
	return math.Ldexp(math.Sqrt(sum), exp)
}

// Standardize returns z for every y.
func (t Target) Standardize(y []float64) []float64 {
	z := make([]float64, len(y))
	for i, v := range y {
		z[i] = (v - t.Mean) / t.SD
	}
	return z
}
