package amp

import (
	"cmp"
	"fmt"
	"math"
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
