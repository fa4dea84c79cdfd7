package drift

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Area is the area under the ROC curve of a score that should be higher in the batch than in the
// context: the share of pairs where it is higher, ties counted half.
type Area struct {
	AUC float64 // in [0, 1]; 0.5 is chance
	SE  float64 // standard error (DeLong, DeLong and Clarke-Pearson 1988)
	// P is the one-sided p-value: the probability of an area at least this large if both samples come
	// from the same distribution (Mann and Whitney 1947).
	P float64
}

// area compares scores of the context with scores of the batch; neither is empty.
func area(context, batch []float64) Area {
	m, n := float64(len(context)), float64(len(batch))
	// others below v, ties by half; others are in order
	of := func(v float64, others []float64) float64 {
		first, _ := slices.BinarySearch(others, v)
		past, _ := slices.BinarySearch(others, math.Nextafter(v, math.Inf(1)))
		return float64(first+past) / 2 / float64(len(others))
	}
	a, b := slices.Sorted(slices.Values(context)), slices.Sorted(slices.Values(batch))
	above, below := make([]float64, len(batch)), make([]float64, len(context))
	for i, v := range batch {
		above[i] = of(v, a)
	}
	for i, v := range context {
		below[i] = 1 - of(v, b)
	}
	mean, spread := moments(above)
	_, other := moments(below)
	r := Area{AUC: mean, SE: math.Sqrt(spread/n + other/m)}
	null := math.Sqrt((m + n + 1) / (12 * m * n) * (1 - tied(a, b)))
	r.P = 1
	if null > 0 { // with a correction for continuity
		r.P = distuv.UnitNormal.Survival((mean - 0.5 - 0.5/(m*n)) / null)
	}
	return r
}

// moments are the mean and the variance of values.
func moments(values []float64) (mean, variance float64) {
	for i, v := range values {
		d := v - mean
		mean += d / float64(i+1)
		variance += d * (v - mean)
	}
	return mean, variance / math.Max(1, float64(len(values)-1))
}

// tied is the share Σ (t³-t) / (N³-N) over groups of t equal values of both samples.
func tied(a, b []float64) float64 {
	all := slices.Sorted(slices.Values(slices.Concat(a, b)))
	n, sum := float64(len(all)), 0.0
	for i := 0; i < len(all); {
		j := i
		for j < len(all) && all[j] == all[i] {
			j++
		}
		t := float64(j - i)
		sum += t*t*t - t
		i = j
	}
	return sum / (n*n*n - n)
}
