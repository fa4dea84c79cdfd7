package amp

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Schedule gives the learning rates of the forward recursion.
type Schedule interface {
	// Rates returns α_1..α_steps, each in [0, 1]: α_k weighs the k-th forward sample.
	Rates(steps int) ([]float64, error)
}

// PaperSchedule gives the learning rates of Nagler and Rügamer (2025), equation (lr_fixed). Step k
// = 1..N after a context of n rows and d features uses α_{n+k-1} with
//
//	α_i = min{1, C^-1 2^β (i+1)^-β},  β = 1/2 + 2/(1.1 d + 4),  C = [1 - (1 + N/n)^(1-2β)]^(1/2).
//
// A chain of N steps loses some of the posterior spread of infinitely many steps. C makes up for
// that.
type PaperSchedule struct {
	Rows     int     // n, context rows, at least 1
	Features int     // d, features of the data set, at least 1
	Beta     float64 // β, greater than 1/2; 0 means the paper's choice for d features
}

// PaperBeta returns β = 1/2 + 2/(1.1 d + 4), the decay of the learning rate for d features.
func PaperBeta(features int) float64 { return 0.5 + 2/(1.1*float64(features)+4) }

// Rates implements [Schedule]. It fails if the rows, the features, β or the steps are out of
// range.
func (s PaperSchedule) Rates(steps int) ([]float64, error) {
	beta := cmp.Or(s.Beta, PaperBeta(s.Features))
	switch {
	case s.Rows < 1:
		return nil, settingError("Rows", "a schedule needs at least 1 context row, got %d", s.Rows)
	case s.Features < 1:
		return nil, settingError("Features", "a schedule needs at least 1 feature, got %d", s.Features)
	case steps < 1:
		return nil, settingError("Steps", "a schedule needs at least 1 step, got %d", steps)
	case !(beta > 0.5) || math.IsInf(beta, 1):
		return nil, settingError("Beta", "the learning rate exponent beta must exceed 0.5, got %v", beta)
	}
	c := truncation(s.Rows, steps, beta)
	rates := make([]float64, steps)
	for k := range rates {
		i := float64(s.Rows + k)
		rates[k] = math.Min(1, math.Pow(2/(i+1), beta)/c)
	}
	return rates, nil
}

// truncation returns C_{n,N} = [1 - (1 + N/n)^(1-2β)]^(1/2), without cancellation for N << n.
func truncation(rows, steps int, beta float64) float64 {
	log := (1 - 2*beta) * math.Log1p(float64(steps)/float64(rows))
	return math.Sqrt(-math.Expm1(log))
}

// FixedSchedule lists the learning rates α_1, α_2, ... explicitly.
type FixedSchedule []float64

// Rates implements [Schedule]. It returns the first steps rates. It fails if there are fewer, or if
// one of them is outside [0, 1].
func (s FixedSchedule) Rates(steps int) ([]float64, error) {
	if len(s) < steps {
		return nil, fmt.Errorf("amp: the schedule lists %d rates for %d steps: list one per step",
			len(s), steps)
	}
	for k, a := range s[:steps] {
		if !(a >= 0 && a <= 1) {
			return nil, fmt.Errorf("amp: learning rate %d is %v, not in [0, 1]", k+1, a)
		}
	}
	return s[:steps:steps], nil
}

// LocalSchedule gives the learning rates of a context that is worth Size labels at the query row:
//
//	α_k = min{1, c/(m+k)},  c² = Σ_{j>=1} (m+j)^-2 / Σ_{j=1..N} (m+j)^-2,  m = Size.
//
// In a conjugate normal model with epistemic variance v and noise variance 1 the predictive
// distribution has the learning rate 1/(m+k) exactly, with m = 1/v: the local effective sample
// size. N steps lose some of the posterior spread of infinitely many steps. c makes up for that.
type LocalSchedule struct {
	Size float64 // m, at least 0 and finite
}

// Rates implements [Schedule]. It fails if the size or the steps are out of range.
func (s LocalSchedule) Rates(steps int) ([]float64, error) {
	if !(s.Size >= 0 && s.Size < math.Inf(1)) {
		return nil, fmt.Errorf("amp: the local sample size %v is not in [0, ∞)", s.Size)
	}
	if steps < 1 {
		return nil, fmt.Errorf("amp: a schedule needs at least 1 step, got %d", steps)
	}
	finite := 0.0
	for j := steps; j >= 1; j-- {
		finite += 1 / ((s.Size + float64(j)) * (s.Size + float64(j)))
	}
	c := math.Sqrt(mathext.Zeta(2, s.Size+1) / finite)
	rates := make([]float64, steps)
	for k := range rates {
		rates[k] = math.Min(1, c/(s.Size+float64(k+1)))
	}
	return rates, nil
}

// LocalSize returns the local effective sample size m(x) of a row, in units of labels. It compares
// the PPD with the model's own posterior of the median. Let t be the width of the central 80 % of
// the PPD, and s that width of the median's posterior:
//
//	m = (t² - s²)/s².
//
// m is the ratio of the noise variance to the epistemic variance. The formula is exact for a
// conjugate normal model. If the posterior of the median is wider than the PPD, m is 0. If the
// median is a point mass, m is the largest float.
func LocalSize(ppd PPD, median Marginal) float64 {
	t, s := spread(ppd), spread(median)
	if s == 0 {
		return math.MaxFloat64
	}
	r := t / s // the square of r has no unit, unlike t² and s²
	return math.Max(0, math.Min(math.MaxFloat64, r*r-1))
}

// spread returns the width of the central 80 %.
func spread(m Marginal) float64 { return m.Quantile(0.9) - m.Quantile(0.1) }
