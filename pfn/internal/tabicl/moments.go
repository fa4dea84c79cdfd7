package tabicl

import "math"

// moments are the mean and population deviation of values that were multiplied by 2^-exp, so that
// sums of squares neither overflow nor vanish. exp is 0 for ordinary magnitudes.
type moments struct {
	exp      int
	mean, sd float64
}

// ordinary is the largest binary exponent, either way, that needs no scaling.
const ordinary = 200

// measure computes the moments of finite values, ignoring NaN; no values have mean and sd 0.
func measure(values []float64) moments {
	var m moments
	var largest float64
	for _, v := range values {
		largest = max(largest, magnitude(v))
	}
	if _, exp := math.Frexp(largest); largest > 0 && (exp > ordinary || exp < -ordinary) {
		m.exp = exp
	}
	count := 0.0
	for _, v := range values {
		if !math.IsNaN(v) {
			m.mean += m.scale(v)
			count++
		}
	}
	if count == 0 {
		return m
	}
	m.mean /= count
	var sum float64
	for _, v := range values {
		if !math.IsNaN(v) {
			d := m.scale(v) - m.mean
			sum += d * d
		}
	}
	m.sd = math.Sqrt(sum / count)
	return m
}

// scale multiplies by 2^-exp. Values far beyond the measured ones may become infinite.
func (m moments) scale(v float64) float64 {
	if m.exp == 0 {
		return v
	}
	return math.Ldexp(v, -m.exp)
}

func magnitude(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return math.Abs(v)
}
