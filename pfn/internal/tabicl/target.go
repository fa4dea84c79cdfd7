package tabicl

import "math"

// Target maps a regression target to standardised units and back: y = Mean + SD z.
type Target struct {
	Mean, SD float64
	Constant bool // the target does not vary; Mean is its first value, SD is 1

	offset float64 // subtracted first, see FitTarget
	scaled moments
}

// enoughDigits is how many times as large as the distance of neighbouring float64 numbers a
// standard deviation must be.
const enoughDigits = 8

// FitTarget measures the mean and the population standard deviation of finite targets. If they vary
// too little for their size by the rule of constantTarget, it subtracts the first target, which is
// exact for numbers so close, and measures again. The target is constant if float64 has too few
// digits for that.
func FitTarget(y []float64) Target {
	t := constantTarget(y)
	if !t.Constant || len(y) == 0 {
		return t
	}
	size, apart := math.Abs(y[0]), make([]float64, len(y))
	spacing := math.Nextafter(size, math.Inf(1)) - size
	for i, v := range y {
		apart[i] = v - y[0]
	}
	moved := constantTarget(apart)
	if moved.Constant || moved.SD < enoughDigits*spacing {
		return t
	}
	moved.offset, moved.Mean = y[0], y[0]+moved.Mean
	return moved
}

// constantTarget measures targets. They are constant if their variance is at most the rounding
// error, by the rule of scikit-learn's StandardScaler: var <= n eps var + (n mean eps)^2.
func constantTarget(y []float64) Target {
	const eps = 0x1p-52
	m := measure(y)
	n, variance := float64(len(y)), m.sd*m.sd
	noise := n * m.mean * eps
	t := Target{scaled: m, Mean: math.Ldexp(m.mean, m.exp)}
	if variance <= n*eps*variance+noise*noise {
		t.Constant, t.SD, t.Mean = true, 1, y[0]
		return t
	}
	t.SD = math.Ldexp(m.sd, m.exp)
	return t
}

// Standardize returns (y - Mean)/SD in float32 for the network, or zeros for a constant target.
func (t Target) Standardize(y []float64) []float32 {
	z := make([]float32, len(y))
	for i, v := range t.Scores(y) {
		z[i] = float32(v)
	}
	return z
}

// Scores returns (y - Mean)/SD, or zeros for a constant target.
func (t Target) Scores(y []float64) []float64 {
	z := make([]float64, len(y))
	if t.Constant {
		return z
	}
	for i, v := range y {
		z[i] = (t.scaled.scale(v-t.offset) - t.scaled.mean) / t.scaled.sd
	}
	return z
}

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
		if math.Abs(v) > largest {
			largest = math.Abs(v)
		}
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
