package tabpfn

import "math"

// Target standardises the target: z = (y - Mean)/SD with the population deviation.
type Target struct {
	Mean, SD float64
	Constant bool // all values are equal
}

// FitTarget learns from the context rows.
func FitTarget(y []float64) Target {
	t := Target{Constant: true}
	for _, v := range y {
		t.Mean += v / float64(len(y))
		t.Constant = t.Constant && v == y[0]
	}
	if t.Constant {
		t.Mean = y[0]
		return t
	}
	var sum float64
	for _, v := range y {
		d := v - t.Mean
		sum += d / float64(len(y)) * d
	}
	t.SD = math.Sqrt(sum) + 1e-20
	return t
}

// Standardize returns z for every y.
func (t Target) Standardize(y []float64) []float64 {
	z := make([]float64, len(y))
	for i, v := range y {
		z[i] = (v - t.Mean) / t.SD
	}
	return z
}

// Raw returns borders in the units of the target.
func (t Target) Raw(borders []float32) []float64 {
	raw := make([]float64, len(borders))
	for i, b := range borders {
		raw[i] = float64(b)*t.SD + t.Mean
	}
	return raw
}
