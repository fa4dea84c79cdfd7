package tabpfn

import "math"

// scaler imputes missing and infinite values with the mean of the context rows, subtracts the mean
// if centred, and divides by the population deviation.
type scaler struct {
	fill, mean, sd float64
	centred        bool
}

// fitScaler fits the context rows of one column. A column that is constant up to rounding keeps its
// scale; a column without finite values is filled with 0.
func fitScaler(values []float64, centred bool) scaler {
	s := scaler{centred: centred}
	s.fill, _ = moments(values)
	filled := make([]float64, len(values))
	for i, v := range values {
		filled[i] = s.filled(v)
	}
	mean, variance := moments(filled)
	s.mean, s.sd = mean, math.Sqrt(variance)
	if indistinct(mean, variance, len(values)) {
		s.sd = 1
	}
	return s
}

// apply scales one value. On overflow it returns the mean.
func (s scaler) apply(v float64) float64 {
	v = s.filled(v)
	if s.centred {
		v -= s.mean
	}
	if v /= s.sd; v-v != 0 {
		return 0
	}
	return v
}

func (s scaler) filled(v float64) float64 {
	if v-v != 0 { // NaN or Inf
		return s.fill
	}
	return v
}

// moments returns mean and population variance of the finite values, 0 if there are none.
func moments(values []float64) (mean, variance float64) {
	count := 0.0
	for _, v := range values {
		if v-v == 0 {
			mean += v
			count++
		}
	}
	if count == 0 {
		return 0, 0
	}
	mean /= count
	var drift float64
	for _, v := range values {
		if v-v == 0 {
			d := v - mean
			variance += d * d
			drift += d
		}
	}
	return mean, (variance - drift*drift/count) / count
}

// indistinct reports whether a variance is at most the rounding error of its computation.
//
// Source: Chan, Golub and LeVeque, "Algorithms for computing the sample variance: analysis and
// recommendations", The American Statistician 37 (1983) 242-247, as scikit-learn uses it.
func indistinct(mean, variance float64, n int) bool {
	const eps = 0x1p-52
	noise := float64(n) * mean * eps
	return variance <= float64(n)*eps*variance+noise*noise
}
